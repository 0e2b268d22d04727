/** XLSX: the sheets in their order, values as a person sees them where a format changes their meaning. */

import { maxSheetCells } from '../limits.ts';
import { chartParts } from './chart-parts.ts';
import type { ConcealedText, Flow, FlowSection } from './flow.ts';
import { emptyFlow, heading, paragraph } from './flow.ts';
import { allNamed, childNamed, descend, elementsOf, type MarkupElement, textBelow } from './markup.ts';
import { officeActiveParts } from './office-active-parts.ts';
import { linksOf, type PackageParts } from './package-parts.ts';
import { type SheetCell, toSheetParts } from './spreadsheet-cells.ts';

/** Number formats of the standard that are dates or times (ECMA-376, 18.8.30). */
const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);

/** A format's letters outside of quotes and brackets: of days, months, years, hours. */
const isDatePattern = (pattern: string): boolean =>
  /[dmyhs]/i.test(pattern.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').replace(/general/gi, ''));

function dateStyles(parts: PackageParts): boolean[] {
  const sheet = childNamed(parts.readXml('xl/styles.xml') ?? undefined, 'styleSheet');
  const own = new Map<number, boolean>();
  for (const format of sheet ? allNamed(sheet, 'numFmt') : [])
    own.set(Number(format.attributes.numFmtId), isDatePattern(format.attributes.formatCode ?? ''));
  const cells = childNamed(sheet, 'cellXfs');
  return (cells ? elementsOf(cells) : []).map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? 0);
    return own.get(id) ?? isDateId(id);
  });
}

const dayMs = 86_400_000;

/** @param value days since the end of 1899, or of 1903 */
function toDate(value: number, from1904: boolean): string | null {
  if (!(value >= 0 && value < 2_958_466)) return null;
  const iso = new Date(
    Date.UTC(1899, 11, from1904 ? 30 + 1462 : 30) + Math.round(value * dayMs),
  ).toISOString();
  const [date = '', time = ''] = iso.slice(0, 19).split('T');
  if (value < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}

/** Texts of rich runs, without the readings over Chinese and Japanese ones. */
const richText = (element: MarkupElement): string =>
  elementsOf(element)
    .filter(({ name }) => name !== 'rPh' && name !== 'phoneticPr')
    .map((child) => (child.name === 't' ? textBelow(child) : richText(child)))
    .join('');

/** `BC12` as row and column from 0; null beyond what a sheet has. */
export function toPlace(reference: string): { row: number; col: number } | null {
  const [, letters, digits] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? [];
  if (letters === undefined || digits === undefined) return null;
  const col = [...letters].reduce((sum, sign) => 26 * sum + sign.charCodeAt(0) - 64, 0) - 1;
  const row = Number(digits) - 1;
  return row >= 0 && row < 1_048_576 && col < 16_384 ? { row, col } : null;
}

interface Workbook {
  strings: string[];
  isDate: boolean[];
  from1904: boolean;
}

function cellText(cell: MarkupElement, { strings, isDate, from1904 }: Workbook): string {
  const { t: type, s: style } = cell.attributes;
  if (type === 'inlineStr') {
    const inline = childNamed(cell, 'is');
    return inline ? richText(inline) : '';
  }
  const held = childNamed(cell, 'v');
  if (!held) return '';
  const value = textBelow(held);
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'str' || type === 'e' || type === 'd') return value;
  const number = Number(value);
  if (isDate[Number(style ?? 0)] && Number.isFinite(number)) return toDate(number, from1904) ?? value;
  // Fifteen digits are what a cell has: 0.1 + 0.2 is shown as 0.3.
  return Number.isFinite(number) && /[.eE]/.test(value) ? String(Number(number.toPrecision(15))) : value;
}

interface SheetRead {
  cells: SheetCell[];
  concealed: ConcealedText[];
  cut: boolean;
}

function readCells(sheet: MarkupElement, book: Workbook, budget: number): SheetRead {
  const spans = new Map<string, { rows: number; cols: number }>();
  for (const { attributes } of allNamed(sheet, 'mergeCell')) {
    const [from, to] = (attributes.ref ?? '').split(':').map(toPlace);
    if (from && to)
      spans.set(`${from.row},${from.col}`, { rows: to.row - from.row + 1, cols: to.col - from.col + 1 });
  }
  const hiddenColumns = [...allNamed(sheet, 'col')]
    .filter(({ attributes }) => attributes.hidden === '1')
    .map(({ attributes }) => [Number(attributes.min) - 1, Number(attributes.max) - 1] as const);
  const read: SheetRead = { cells: [], concealed: [], cut: false };
  const data = childNamed(sheet, 'sheetData');
  let next = 0;
  for (const row of data ? elementsOf(data) : []) {
    const own = Number(row.attributes.r ?? 0) - 1;
    const number = own >= 0 ? own : next;
    next = number + 1;
    let column = 0;
    for (const cell of elementsOf(row)) {
      const place = toPlace(cell.attributes.r ?? '') ?? { row: number, col: column };
      column = place.col + 1;
      const text = cellText(cell, book);
      if (text.trim() === '') continue;
      if (read.cells.length >= budget) return { ...read, cut: true };
      const unseen =
        row.attributes.hidden === '1' || hiddenColumns.some(([a, b]) => place.col >= a && place.col <= b);
      if (unseen) read.concealed.push({ text, how: 'hidden' });
      else {
        const span = spans.get(`${place.row},${place.col}`);
        read.cells.push({ ...place, text, rowSpan: span?.rows ?? 1, colSpan: span?.cols ?? 1 });
      }
    }
  }
  return read;
}

function commentsOf(parts: PackageParts, sheet: string): string[] {
  return [...linksOf(parts, sheet).values()]
    .filter(({ type }) => type === 'comments' || type === 'threadedComment')
    .flatMap(({ target }) => {
      const root = parts.readXml(target);
      if (!root) return [];
      const authors = [...allNamed(root, 'author')].map(textBelow);
      return [...allNamed(root, 'comment')].map((note) => {
        const author = authors[Number(note.attributes.authorId)];
        return `${note.attributes.ref ?? ''}${author ? ` (${author})` : ''}: ${richText(note).trim()}`;
      });
    });
}

/** @throws document_unreadable for a damaged file, or one beyond the limits */
export function readSpreadsheet(parts: PackageParts): Flow {
  const flow = emptyFlow();
  const main =
    [...linksOf(parts, '').values()].find(({ type }) => type === 'officeDocument')?.target ??
    'xl/workbook.xml';
  const workbook = childNamed(parts.readXml(main) ?? undefined, 'workbook');
  const links = linksOf(parts, main);
  const strings = parts.readXml('xl/sharedStrings.xml');
  const book: Workbook = {
    strings: strings ? [...allNamed(strings, 'si')].map(richText) : [],
    isDate: dateStyles(parts),
    from1904: ['1', 'true'].includes(childNamed(workbook, 'workbookPr')?.attributes.date1904 ?? ''),
  };
  let budget = maxSheetCells;
  const sheets = childNamed(workbook, 'sheets');
  for (const { attributes } of sheets ? elementsOf(sheets) : []) {
    const target = links.get(attributes.id ?? '')?.target ?? '';
    const sheet = descend(parts.readXml(target) ?? undefined, 'worksheet');
    const name = attributes.name ?? '';
    if (!sheet) continue;
    const { cells, concealed, cut } = readCells(sheet, book, budget);
    budget -= cells.length;
    const unseen = attributes.state === 'hidden' || attributes.state === 'veryHidden';
    const all: ConcealedText[] = [
      ...(unseen ? cells.map(({ text }): ConcealedText => ({ text, how: 'hidden' })) : []),
      ...concealed,
    ];
    const section: FlowSection = {
      kind: 'sheet',
      parts: unseen
        ? []
        : [
            heading(name, 2),
            ...toSheetParts(cells),
            ...commentsOf(parts, target).map(paragraph),
            ...chartParts(parts, target),
          ],
    };
    if (all.length > 0) section.parts.push({ ...paragraph(''), concealed: all });
    if (section.parts.length > 0) flow.sections.push(section);
    if (!cut) continue;
    flow.warnings.push(`The workbook has more than ${maxSheetCells} filled cells: only so many were read.`);
    break;
  }
  flow.active.push(...officeActiveParts(parts));
  return flow;
}
