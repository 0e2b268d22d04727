/** A document as Markdown: headings, lists, paragraphs and pipe tables in reading order. Pure. */

import type { FlowBlock, Page, PageTable, TextBlock } from '../document.ts';
import { cellText } from '../tables/table.ts';

export interface PageBlocks {
  page: Page;
  blocks: readonly FlowBlock[];
}

/** Signs that would begin a block of Markdown, or an element of HTML, where a line begins. */
const opensBlock = /^(?=(?:#{1,6}|[-+*>=]|\d+[.)])(?:\s|$)|```|~~~|<)/;

const escapeText = (text: string): string =>
  text.replace(/[\\`*_[\]<]/g, (sign, at: number) =>
    // Underscores within words and lone stars and brackets mean nothing.
    sign === '_' && /\w/.test(text[at - 1] ?? '') && /\w/.test(text[at + 1] ?? '') ? sign : `\\${sign}`,
  );

const lineOf = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim());

/** A fence longer than what stands within it. */
function codeMarkdown(text: string): string {
  const inside = (text.match(/^\s*`{3,}/gm) ?? []).map((run) => run.trim().length);
  const fence = '`'.repeat(Math.max(3, ...inside.map((length) => length + 1)));
  return `${fence}\n${text}\n${fence}`;
}

function textMarkdown({ kind, text, level, marker, isCode }: TextBlock): string {
  if (isCode) return codeMarkdown(text);
  if (kind === 'heading') return `${'#'.repeat(Math.min(6, Math.max(1, level)))} ${lineOf(text)}`;
  if (kind === 'item') return `${'    '.repeat(level)}${toMarker(marker)} ${lineOf(text)}`;
  return text
    .split('\n')
    .map((line) => lineOf(line).replace(opensBlock, '\\'))
    .join('  \n');
}

/** Markdown knows numbers alone; what is lettered or Roman stays before the text. */
function toMarker(marker: string | undefined): string {
  if (marker === undefined) return '-';
  if (/^[☐☑☒]$/u.test(marker)) return marker === '☐' ? '- [ ]' : '- [x]';
  return /^\d{1,9}[.)]$/.test(marker) ? marker : `- ${lineOf(marker)}`;
}

const cellMarkdown = (text: string): string =>
  escapeText(text)
    .replaceAll('|', '\\|')
    .replace(/\s*\n\s*/g, '<br>');

/** Rows of a table as texts; a cell over several places stands in each, as pipe tables know no spans. */
function tableRows({ rowCount, colCount, cells }: PageTable): string[][] {
  const rows = Array.from({ length: rowCount }, () => new Array<string>(colCount).fill(''));
  for (const cell of cells) {
    const text = cellMarkdown(cellText(cell));
    for (const row of rows.slice(cell.row, cell.row + cell.rowSpan))
      for (let col = cell.col; col < Math.min(colCount, cell.col + cell.colSpan); col++) row[col] = text;
  }
  return rows;
}

const toRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function tableMarkdown(table: PageTable): string {
  const own = tableRows(table);
  const above = table.told && table.told.row > 0 ? table.told.head : null;
  const [head, ...rows] = above ? [above.map(cellMarkdown), ...own] : own;
  if (!head) return '';
  return [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n');
}

/** Of a page's height: numbers of pages stand nearer to its edge. */
const margin = 0.1;
/** Letters beside the number of a page: `Page 2 of 7`. */
const maxBeside = 12;

/** True for the number of its page, alone or with that of all. */
function isPageNumber(block: FlowBlock, { number, toView }: Page): boolean {
  if (block.kind === 'table') return false;
  const [, top, , bottom] = toView(block.box);
  const numbers = (block.text.match(/\d+/g) ?? []).map(Number);
  return (
    (bottom < margin || top > 1 - margin) &&
    numbers[0] === number &&
    (numbers.length === 1 || (numbers.length === 2 && numbers[1]! >= number)) &&
    block.text.replace(/[^\p{L}]/gu, '').length <= maxBeside &&
    /^\P{L}*(?:\p{L}+\P{L}*){0,3}$/u.test(block.text)
  );
}

/** @param continuing tables that go on one of the page before: their rows follow it without a head of their own */
export function toMarkdown(
  pages: readonly PageBlocks[],
  continuing: ReadonlySet<PageTable> = new Set(),
): string {
  const parts: string[] = [];
  let previous: FlowBlock['kind'] | null = null;
  const told = pages.flatMap(({ page, blocks }) => blocks.filter((block) => !isPageNumber(block, page)));
  for (const block of told) {
    const goesOn = block.kind === 'table' && previous === 'table' && continuing.has(block.table);
    const text =
      block.kind !== 'table'
        ? textMarkdown(block)
        : goesOn
          ? tableRows(block.table).map(toRow).join('\n')
          : tableMarkdown(block.table);
    if (text.trim() === '') continue;
    const tight = goesOn || (block.kind === 'item' && previous === 'item');
    if (parts.length > 0) parts.push(tight ? '\n' : '\n\n');
    parts.push(text);
    previous = block.kind;
  }
  return parts.length > 0 ? `${parts.join('')}\n` : '';
}
