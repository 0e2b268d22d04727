/** ODT, ODS and ODP: headings, lists, tables and sheets of an OpenDocument file's content. */

import { maxSheetCells } from '../limits.ts';
import type { Flow, FlowCell, FlowPart, FlowTable } from './flow.ts';
import { emptyFlow, heading, paragraph } from './flow.ts';
import { allNamed, childNamed, descend, elementsOf, type MarkupElement } from './markup.ts';
import { officeActiveParts } from './office-active-parts.ts';
import type { PackageParts } from './package-parts.ts';
import { type SheetCell, toSheetParts } from './spreadsheet-cells.ts';
import { flatText } from './wordprocessing.ts';

const count = (text: string | undefined, most: number): number =>
  Math.min(most, Math.max(1, Number(text ?? 1) || 1));

class OdfReader {
  /** Styles of lists whose items are numbered, and on which levels. */
  readonly #numbered = new Map<string, Set<number>>();

  /** Paragraph styles by what they are made from. */
  readonly #parents = new Map<string, string>();

  constructor(roots: readonly (MarkupElement | null)[]) {
    for (const root of roots) {
      for (const { attributes } of root ? allNamed(root, 'style') : [])
        if (attributes.name && attributes['parent-style-name'])
          this.#parents.set(attributes.name, attributes['parent-style-name']);
      for (const style of root ? allNamed(root, 'list-style') : []) {
        const levels = elementsOf(style).filter(({ name }) => name === 'list-level-style-number');
        const real = levels.filter(({ attributes }) => (attributes['num-format'] ?? '') !== '');
        this.#numbered.set(
          style.attributes.name ?? '',
          new Set(real.map(({ attributes }) => Number(attributes.level) - 1)),
        );
      }
    }
  }

  parts(container: MarkupElement): FlowPart[] {
    return elementsOf(container).flatMap((element): FlowPart[] => {
      switch (element.name) {
        case 'h': {
          const text = this.text(element).trim();
          const frames = this.#frames(element);
          return text === ''
            ? frames
            : [heading(text, count(element.attributes['outline-level'], 6)), ...frames];
        }
        case 'p': {
          const text = this.text(element).trim();
          const frames = this.#frames(element);
          const level = this.#titleLevel(element.attributes['style-name'] ?? '');
          return text === '' ? frames : [level ? heading(text, level) : paragraph(text), ...frames];
        }
        case 'list':
          return this.#list(element, 0, element.attributes['style-name'] ?? '');
        case 'table':
          return [this.#table(element)];
        case 'frame':
        case 'text-box':
        case 'custom-shape':
        case 'g':
        case 'section':
        case 'index-body':
        case 'table-of-content':
        case 'alphabetical-index':
        case 'page':
          return this.parts(element);
        default:
          return [];
      }
    });
  }

  #titleLevel(style: string): number | null {
    const name = this.#parents.get(style) ?? style;
    return name === 'Title' ? 1 : name === 'Subtitle' ? 2 : null;
  }

  /** Text boxes that are anchored in a paragraph. */
  #frames = (element: MarkupElement): FlowPart[] =>
    [...allNamed(element, 'text-box')].flatMap((box) => this.parts(box));

  text(element: MarkupElement): string {
    return element.children
      .map((child): string => {
        if (typeof child === 'string') return child.replace(/\s+/g, ' ');
        switch (child.name) {
          case 's':
            return ' '.repeat(count(child.attributes.c, 1000));
          case 'tab':
            return '\t';
          case 'line-break':
            return '\n';
          case 'note': {
            const citation = childNamed(child, 'note-citation');
            return citation ? this.text(citation) : '';
          }
          case 'annotation':
          case 'tracked-changes':
          case 'text-box':
          case 'object':
            return '';
          default:
            return this.text(child);
        }
      })
      .join('');
  }

  #list(list: MarkupElement, level: number, style: string): FlowPart[] {
    let number = 0;
    return elementsOf(list)
      .filter(({ name }) => name === 'list-item' || name === 'list-header')
      .flatMap((item) => {
        number =
          count(item.attributes['start-value'], 1_000_000) === 1
            ? number + 1
            : Number(item.attributes['start-value']);
        const numbered = item.name === 'list-item' && this.#numbered.get(style)?.has(level);
        let first = true;
        return elementsOf(item).flatMap((child): FlowPart[] => {
          if (child.name === 'list')
            return this.#list(child, Math.min(8, level + 1), child.attributes['style-name'] ?? style);
          if (child.name === 'h') return this.parts({ ...item, children: [child] });
          const text = this.text(child).trim();
          const frames = this.#frames(child);
          if (text === '') return frames;
          const own: FlowPart = first
            ? { kind: 'item', text, level, ...(numbered ? { marker: `${number}.` } : {}) }
            : paragraph(text);
          first = false;
          return [own, ...frames];
        });
      });
  }

  #rows(table: MarkupElement): MarkupElement[] {
    return elementsOf(table).flatMap((element) =>
      element.name === 'table-row'
        ? [element]
        : /^table-(?:header-)?row(?:s|-group)$/.test(element.name)
          ? this.#rows(element)
          : [],
    );
  }

  #table(table: MarkupElement): FlowTable {
    const rows = this.#rows(table).map((row) =>
      elementsOf(row)
        .filter(({ name }) => name === 'table-cell')
        .flatMap((cell): FlowCell[] => {
          const placed: FlowCell = {
            text: this.parts(cell).map(flatText).join('\n'),
            colSpan: count(cell.attributes['number-columns-spanned'], 64),
            rowSpan: count(cell.attributes['number-rows-spanned'], 1000),
          };
          return Array.from({ length: count(cell.attributes['number-columns-repeated'], 64) }, () => placed);
        }),
    );
    return { kind: 'table', rows };
  }

  /** Cells that hold something; repeated empty ones only move the place on. */
  sheetCells(table: MarkupElement, budget: number): SheetCell[] {
    const cells: SheetCell[] = [];
    let row = 0;
    for (const element of this.#rows(table)) {
      const rowRepeats = Math.max(1, Number(element.attributes['number-rows-repeated'] ?? 1) || 1);
      let col = 0;
      for (const cell of elementsOf(element)) {
        const repeats = Math.max(1, Number(cell.attributes['number-columns-repeated'] ?? 1) || 1);
        const text = cell.name === 'table-cell' ? this.parts(cell).map(flatText).join('\n') : '';
        if (text !== '')
          for (let r = 0; r < Math.min(rowRepeats, 1000); r++)
            for (let c = 0; c < Math.min(repeats, 1000) && cells.length < budget; c++)
              cells.push({
                row: row + r,
                col: col + c,
                text,
                rowSpan: count(cell.attributes['number-rows-spanned'], 1000),
                colSpan: count(cell.attributes['number-columns-spanned'], 1000),
              });
        col += repeats;
      }
      row += rowRepeats;
    }
    return cells;
  }
}

/** @throws document_unreadable for a damaged file, or one beyond the limits */
export function readOpenDocumentFormat(parts: PackageParts): Flow {
  const flow = emptyFlow();
  const root = parts.readXml('content.xml');
  const content = childNamed(root ?? undefined, 'document-content');
  const body = childNamed(content, 'body');
  const reader = new OdfReader([root, parts.readXml('styles.xml')]);
  const text = childNamed(body, 'text');
  if (text) flow.sections.push({ kind: 'text', parts: [...reader.parts(text), ...notesOf(text, reader)] });
  const sheets = childNamed(body, 'spreadsheet');
  let budget = maxSheetCells;
  for (const table of sheets ? elementsOf(sheets).filter(({ name }) => name === 'table') : []) {
    const cells = reader.sheetCells(table, budget);
    budget -= cells.length;
    flow.sections.push({
      kind: 'sheet',
      parts: [heading(table.attributes.name ?? '', 2), ...toSheetParts(cells)],
    });
  }
  if (budget <= 0)
    flow.warnings.push(`The workbook has more than ${maxSheetCells} filled cells: only so many were read.`);
  const slides = descend(body, 'presentation');
  for (const slide of slides ? elementsOf(slides).filter(({ name }) => name === 'page') : [])
    flow.sections.push({ kind: 'slide', parts: reader.parts(slide) });
  flow.active.push(...officeActiveParts(parts));
  return flow;
}

const notesOf = (text: MarkupElement, reader: OdfReader): FlowPart[] =>
  [...allNamed(text, 'note-body')].flatMap((note) => reader.parts(note));
