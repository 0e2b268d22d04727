/** DOCX: paragraphs by style and numbering, tables, text boxes, notes; deleted text is left out. */

import { chartParts } from './chart-parts.ts';
import type { ConcealedText, Flow, FlowCell, FlowPart, FlowText } from './flow.ts';
import { emptyFlow, paragraph } from './flow.ts';
import { allNamed, childNamed, descend, elementsOf, type MarkupElement, textBelow } from './markup.ts';
import { officeActiveParts } from './office-active-parts.ts';
import { linksOf, type PackageParts } from './package-parts.ts';
import { readNumbering, type WordNumbering } from './word-numbering.ts';

interface WordStyle {
  name: string;
  basedOn: string | null;
  properties: MarkupElement | undefined;
}

/** Styles are based on each other this deep at most. */
const maxStyleDepth = 12;
/** Half points: nobody reads 2.5 points. */
const tinyHalfPoints = 5;

/** Word's own styles of lists, which other programs name without telling a numbering. */
const listStyle = /^list (?:bullet|number) ?([1-5]?)$/i;

const valOf = (element: MarkupElement | undefined): string | undefined => element?.attributes.val;
const isOn = (element: MarkupElement | undefined): boolean =>
  element !== undefined && !['0', 'false', 'off'].includes(valOf(element) ?? 'true');

class WordReader {
  readonly #styles = new Map<string, WordStyle>();
  readonly #numbering: WordNumbering;

  constructor(parts: PackageParts) {
    const sheet = childNamed(parts.readXml('word/styles.xml') ?? undefined, 'styles');
    for (const style of sheet ? elementsOf(sheet) : []) {
      if (style.name !== 'style') continue;
      this.#styles.set(style.attributes.styleId ?? '', {
        name: valOf(childNamed(style, 'name')) ?? '',
        basedOn: valOf(childNamed(style, 'basedOn')) ?? null,
        properties: childNamed(style, 'pPr'),
      });
    }
    this.#numbering = readNumbering(parts.readXml('word/numbering.xml'));
  }

  /** The parts of a body, a cell, a note or a text box. */
  parts(container: MarkupElement): FlowPart[] {
    return elementsOf(container).flatMap((element) => {
      switch (element.name) {
        case 'p':
          return this.#paragraph(element);
        case 'tbl':
          return this.#table(element);
        case 'sdt':
          return this.parts(childNamed(element, 'sdtContent') ?? element);
        case 'customXml':
        case 'ins':
        case 'moveTo':
        case 'smartTag':
          return this.parts(element);
        case 'AlternateContent':
          return this.parts(childNamed(element, 'Choice') ?? element);
        default:
          return [];
      }
    });
  }

  *#styleChain(id: string | undefined): Generator<WordStyle> {
    let next = id;
    for (let depth = 0; depth < maxStyleDepth && next !== undefined; depth++) {
      const style = this.#styles.get(next);
      if (!style) return;
      yield style;
      next = style.basedOn ?? undefined;
    }
  }

  #headingLevel(properties: MarkupElement | undefined): number | null {
    const own = valOf(childNamed(properties, 'outlineLvl'));
    if (own !== undefined && Number(own) < 9) return Number(own) + 1;
    for (const { name, properties: styled } of this.#styleChain(valOf(childNamed(properties, 'pStyle')))) {
      const named = /^heading\s*(\d)/i.exec(name);
      if (named) return Number(named[1]);
      if (/^title$/i.test(name)) return 1;
      if (/^subtitle$/i.test(name)) return 2;
      const outline = valOf(childNamed(styled, 'outlineLvl'));
      if (outline !== undefined && Number(outline) < 9) return Number(outline) + 1;
    }
    return null;
  }

  /** The list that a paragraph is an item of; list 0 is none. */
  #listOf(properties: MarkupElement | undefined): { list: string; level: number } | null {
    const chain = [...this.#styleChain(valOf(childNamed(properties, 'pStyle')))];
    for (const from of [properties, ...chain.map((style) => style.properties)]) {
      const list = valOf(descend(from, 'numPr', 'numId'));
      if (list === undefined) continue;
      const level = valOf(descend(from, 'numPr', 'ilvl')) ?? valOf(descend(properties, 'numPr', 'ilvl'));
      return list === '0' ? null : { list, level: Math.min(8, Math.max(0, Number(level ?? 0) || 0)) };
    }
    for (const { name } of chain) {
      const [, depth] = listStyle.exec(name) ?? [];
      if (depth !== undefined) return { list: '', level: Math.max(0, Number(depth || 1) - 1) };
    }
    return null;
  }

  #paragraph(element: MarkupElement): FlowPart[] {
    const properties = childNamed(element, 'pPr');
    const runs = new RunText(this);
    runs.add(element);
    const text = runs.text.trim();
    const kept = runs.concealed.length > 0 ? { concealed: runs.concealed } : {};
    const own: FlowText[] = [];
    if (text !== '' || runs.concealed.length > 0) {
      const level = this.#headingLevel(properties);
      const list = this.#listOf(properties);
      const marker = list ? this.#numbering.next(list.list, list.level) : null;
      if (level !== null)
        own.push({
          kind: 'heading',
          text: marker ? `${marker} ${text}` : text,
          level: Math.min(6, level),
          ...kept,
        });
      else if (list)
        own.push({ kind: 'item', text, level: list.level, ...(marker ? { marker } : {}), ...kept });
      else own.push({ ...typedItem(text), ...kept });
    }
    return [...own, ...runs.boxes];
  }

  #table(element: MarkupElement): FlowPart[] {
    const rows: FlowCell[][] = [];
    const concealed: ConcealedText[] = [];
    let last: FlowPart[] = [];
    /** Cells that go on downwards, by their column. */
    const open = new Map<number, FlowCell>();
    for (const row of rowsOf(element)) {
      const cells: FlowCell[] = [];
      let column = Number(valOf(descend(row, 'trPr', 'gridBefore')) ?? 0) || 0;
      for (const cell of cellsOf(row)) {
        const colSpan = Math.min(64, Math.max(1, Number(valOf(descend(cell, 'tcPr', 'gridSpan')) ?? 1) || 1));
        const merge = descend(cell, 'tcPr', 'vMerge');
        const above = open.get(column);
        if (merge && valOf(merge) !== 'restart' && above) above.rowSpan++;
        else {
          const inside = this.parts(cell);
          last = inside;
          for (const part of inside) if (part.concealed) concealed.push(...part.concealed);
          const placed = { text: inside.map(flatText).join('\n'), colSpan, rowSpan: 1 };
          cells.push(placed);
          if (merge) open.set(column, placed);
          else open.delete(column);
        }
        column += colSpan;
      }
      rows.push(cells);
    }
    // A table of one cell is a frame around what stands in it.
    if (rows.length === 1 && rows[0]!.length === 1) return last;
    return rows.length > 0 ? [{ kind: 'table', rows, ...(concealed.length > 0 ? { concealed } : {}) }] : [];
  }
}

/** A line that begins with a box to tick, with a bullet or with a dash or a number before a tab is an item of a list. */
function typedItem(text: string): FlowText {
  const [, box, bullet, number, rest] =
    /^(?:([☐☑☒])\s*|([•▪‣◦●■➢➔]\s+|[-–·]\t\s*)|(\d{1,3}[.)])\t\s*)(\S.*)$/su.exec(text) ?? [];
  if (rest === undefined) return paragraph(text);
  const marker = bullet === undefined ? (box ?? number) : undefined;
  return { kind: 'item', text: rest, level: 0, ...(marker === undefined ? {} : { marker }) };
}

const wrappers = new Set(['sdt', 'sdtContent', 'customXml', 'ins']);
const nested = (element: MarkupElement, name: string): MarkupElement[] =>
  elementsOf(element).flatMap((child) =>
    child.name === name ? [child] : wrappers.has(child.name) ? nested(child, name) : [],
  );
const rowsOf = (table: MarkupElement) => nested(table, 'tr');
const cellsOf = (row: MarkupElement) => nested(row, 'tc');

/** A part as lines of text, as it stands in a cell. */
export const flatText = (part: FlowPart): string =>
  part.kind === 'table'
    ? part.rows.map((row) => row.map(({ text }) => text).join(' ')).join('\n')
    : part.kind === 'item'
      ? `${part.marker ?? '•'} ${part.text}`
      : part.text;

/** Concealed by its own properties alone: what a style hides is as rare as styles of hidden text. */
function concealmentOf(run: MarkupElement): ConcealedText['how'] | null {
  const properties = childNamed(run, 'rPr');
  if (!properties) return null;
  if (isOn(childNamed(properties, 'vanish')) || isOn(childNamed(properties, 'webHidden'))) return 'hidden';
  const size = Number(valOf(childNamed(properties, 'sz')) ?? 20);
  if (size > 0 && size < tinyHalfPoints) return 'tiny';
  const color = valOf(childNamed(properties, 'color'))?.toUpperCase();
  const shaded = childNamed(properties, 'shd') ?? childNamed(properties, 'highlight');
  return color === 'FFFFFF' && !shaded ? 'white' : null;
}

/** The text of a paragraph's runs, and the boxes that are anchored in it. */
class RunText {
  text = '';
  readonly concealed: ConcealedText[] = [];
  readonly boxes: FlowPart[] = [];
  readonly #reader: WordReader;

  constructor(reader: WordReader) {
    this.#reader = reader;
  }

  add(element: MarkupElement): void {
    for (const child of elementsOf(element)) this.#child(child);
  }

  #child(child: MarkupElement): void {
    switch (child.name) {
      case 't':
        this.text += textBelow(child);
        break;
      case 'tab':
      case 'ptab':
        this.text += '\t';
        break;
      case 'br':
      case 'cr':
        this.text += '\n';
        break;
      case 'noBreakHyphen':
        this.text += '-';
        break;
      case 'sym':
        this.text += symbolText(child.attributes);
        break;
      case 'oMath':
        this.text += mathText(child);
        break;
      case 'r':
        this.#run(child);
        break;
      case 'txbxContent':
        this.boxes.push(...this.#reader.parts(child));
        break;
      case 'AlternateContent':
        this.add(childNamed(child, 'Choice') ?? child);
        break;
      // Deleted and moved-away text, field codes, and properties are no text of the document.
      case 'del':
      case 'moveFrom':
      case 'instrText':
      case 'pPr':
      case 'rPr':
      case 'sdtPr':
      case 'delText':
        break;
      default:
        this.add(child);
    }
  }

  #run(run: MarkupElement): void {
    const how = concealmentOf(run);
    if (!how) {
      this.add(run);
      return;
    }
    const before = this.text;
    this.add(run);
    const text = this.text.slice(before.length).trim();
    this.text = before;
    if (text !== '') this.concealed.push({ text, how });
  }
}

/** Wingdings' boxes and ticks; other symbols by their code. */
function symbolText({ char = '' }: Record<string, string>): string {
  const code = Number.parseInt(char, 16) & 0xff;
  return { 168: '☐', 111: '☐', 254: '☑', 82: '☑', 253: '☒', 252: '✓', 183: '•', 224: '→' }[code] ?? '';
}

/** A formula on one line: fractions with a bar, exponents and indexes with their signs. */
function mathText(element: MarkupElement): string {
  const of = (name: string): string => {
    const part = childNamed(element, name);
    return part ? mathChildren(part) : '';
  };
  const grouped = (text: string): string => (/^[\p{L}\p{N}]*$/u.test(text) ? text : `(${text})`);
  if (element.name === 'f') return `${grouped(of('num'))}/${grouped(of('den'))}`;
  if (element.name === 'sSup') return `${of('e')}^${grouped(of('sup'))}`;
  if (element.name === 'sSub') return `${of('e')}_${grouped(of('sub'))}`;
  if (element.name === 'sSubSup') return `${of('e')}_${grouped(of('sub'))}^${grouped(of('sup'))}`;
  if (element.name === 'rad') return `√${grouped(of('e'))}`;
  if (element.name === 'func') return `${of('fName')} ${of('e')}`;
  if (element.name === 'nary')
    return `${valOf(descend(element, 'naryPr', 'chr')) ?? '∫'}_${grouped(of('sub'))}^${grouped(of('sup'))} ${of('e')}`;
  if (element.name === 'd') return `(${of('e')})`;
  return element.name === 't' ? textBelow(element) : mathChildren(element);
}
const mathChildren = (element: MarkupElement): string => elementsOf(element).map(mathText).join('');

/** Paragraphs of footnotes, endnotes and comments; separators have none. */
function notes(parts: PackageParts, reader: WordReader): FlowPart[] {
  return ['footnotes', 'endnotes', 'comments'].flatMap((name) => {
    const root = parts.readXml(`word/${name}.xml`);
    return [...(root ? allNamed(root, name.slice(0, -1)) : [])].flatMap((note) => reader.parts(note));
  });
}

/** @throws document_unreadable for a damaged file, or one beyond the limits */
export function readWordprocessing(parts: PackageParts): Flow {
  const flow = emptyFlow();
  const main = mainPart(parts);
  const root = parts.readXml(main);
  const body = descend(root ?? undefined, 'document', 'body');
  if (!body) flow.warnings.push('The document has no body: there is nothing in it to read.');
  const reader = new WordReader(parts);
  const links = linksOf(parts, main);
  const margins = (type: string): FlowPart[] => {
    const texts = [...links.values()]
      .filter((link) => link.type === type && !link.external)
      .flatMap(({ target }) => {
        const margin = childNamed(parts.readXml(target) ?? undefined, type === 'header' ? 'hdr' : 'ftr');
        return margin ? reader.parts(margin) : [];
      });
    // First page, odd and even ones often say the same; a margin's heading is none of the document's.
    return [...new Map(texts.map((part) => [flatText(part), part])).values()].map(
      (part): FlowPart => (part.kind === 'table' ? part : { ...part, kind: 'paragraph', level: 0 }),
    );
  };
  const read = body ? reader.parts(body) : [];
  flow.sections.push({
    kind: 'text',
    parts: [
      ...margins('header'),
      ...read,
      ...chartParts(parts, main),
      ...notes(parts, reader),
      ...margins('footer'),
    ],
  });
  flow.active.push(...officeActiveParts(parts));
  return flow;
}

const mainPart = (parts: PackageParts): string =>
  [...linksOf(parts, '').values()].find(({ type }) => type === 'officeDocument')?.target ??
  'word/document.xml';
