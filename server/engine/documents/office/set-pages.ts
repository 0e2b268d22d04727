/**
 * Sets a flow on pages of its own: A4 for running text, a page as large as its content for slides and sheets. Widths are
 * those of an ordinary face, so that boxes stand where the drawn page (draw-page.ts) shows the words.
 */

import { EngineError } from '../../engine.ts';
import { type Box, unionBox } from '../../vision/geometry.ts';
import type { Cell, FlowBlock, Page, PageTable, TextBlock } from '../document.ts';
import { maxFlowCharacters } from '../limits.ts';
import { isHead } from '../tables/heads.ts';
import type { ConcealedWord, FlowPart, FlowSection, FlowTable, FlowText } from './flow.ts';
import { lineWords, longestWord, textWidth, wrapText } from './text-metrics.ts';

export interface SetPage {
  page: Page;
  tables: PageTable[];
  concealed: ConcealedWord[];
}

const a4 = { width: 595, height: 842 };
const slide = { width: 842, height: 595 };
const margin = 40;
/** Rows of a sheet's page are as many as fit. */
const sheetHeight = 2800;
const bodySize = 10;
const headingSizes = [20, 16, 13, 12, 11, 10.5];
const lineFactor = 1.3;
const gap = 5;
const indent = 18;
const cellPadding = 4;
const widestColumn = 240;

class PageSetter {
  readonly pages: SetPage[] = [];
  readonly #kind: FlowSection['kind'];
  readonly #first: number;
  #blocks: FlowBlock[] = [];
  #y = margin;
  #width: number;

  constructor(kind: FlowSection['kind'], first: number) {
    this.#kind = kind;
    this.#first = first;
    this.#width = kind === 'slide' ? slide.width : a4.width;
    this.#open();
  }

  get #bottom(): number {
    if (this.#kind === 'slide') return Number.POSITIVE_INFINITY;
    return (this.#kind === 'sheet' ? sheetHeight : a4.height) - margin;
  }

  get #current(): SetPage {
    return this.pages.at(-1)!;
  }

  #open(): void {
    this.#blocks = [];
    this.#y = margin;
    const { width, height } = this.#kind === 'slide' ? slide : a4;
    const page: Page = {
      number: this.#first + this.pages.length,
      width,
      height,
      words: [],
      horizontal: [],
      vertical: [],
      frames: [],
      fills: [],
      slants: [],
      blocks: this.#blocks,
      toView: ([x0, y0, x1, y1]) => {
        const unit = (value: number, length: number): number =>
          Math.round(Math.min(1, Math.max(0, value / length)) * 10_000) / 10_000;
        return [unit(x0, page.width), unit(y0, page.height), unit(x1, page.width), unit(y1, page.height)];
      },
    };
    this.pages.push({ page, tables: [], concealed: [] });
  }

  /** A new page where the rest of this one is too low, unless it is empty. */
  #need(height: number): void {
    if (this.#y + height > this.#bottom && this.#y > margin) {
      this.#fit();
      this.#open();
    }
  }

  /** A sheet's or slide's page is as high as it is filled; any page as wide as its widest table. */
  #fit(): void {
    const { page } = this.#current;
    if (this.#kind === 'sheet') page.height = this.#y + margin;
    if (this.#kind === 'slide') page.height = Math.max(slide.height, this.#y + margin);
    page.width = Math.max(page.width, ...this.#current.tables.map(({ box }) => box[2] + margin));
  }

  finish(): SetPage[] {
    this.#fit();
    return this.pages;
  }

  add(part: FlowPart): void {
    for (const { text, how } of part.concealed ?? []) {
      this.#need(bodySize);
      const box: Box = [margin, this.#y, this.#width - margin, this.#y + bodySize];
      this.#current.concealed.push({ text, how, box });
    }
    if (part.kind === 'table') this.#table(part);
    else if (part.text !== '') this.#text(part);
  }

  #text(part: FlowText): void {
    const isHeading = part.kind === 'heading';
    const size = isHeading ? (headingSizes[part.level - 1] ?? bodySize) : bodySize;
    const left = margin + (part.kind === 'item' ? indent * part.level : 0);
    const marker = part.kind === 'item' ? (part.marker ?? '•') : null;
    const from = marker === null ? left : left + Math.max(indent * 0.8, textWidth(marker, size) + 0.4 * size);
    const lines = wrapText(part.text, this.#width - margin - from, size);
    const height = lines.length * size * lineFactor;
    if (height < this.#bottom - margin) this.#need(height);
    let first = true;
    while (lines.length > 0) {
      this.#need(size * lineFactor);
      const room = Math.max(1, Math.floor((this.#bottom - this.#y) / (size * lineFactor)));
      const here = lines.splice(0, Math.min(lines.length, room));
      const words = here.flatMap((line, row) =>
        lineWords(line, {
          x: from,
          y: this.#y + row * size * lineFactor,
          size,
          width: this.#width - margin - from,
          bold: isHeading,
        }),
      );
      if (marker !== null && first) {
        const [sign] = lineWords(marker, { x: left, y: this.#y, size, width: from - left, bold: false });
        if (sign) words.unshift(sign);
      }
      this.#y += here.length * size * lineFactor;
      if (words.length === 0) continue;
      this.#current.page.words.push(...words);
      const whole = first && lines.length === 0;
      const block: TextBlock = {
        kind: first || part.kind === 'paragraph' ? part.kind : 'paragraph',
        text: whole ? part.text : here.join(part.isCode ? '\n' : ' '),
        level: part.level,
        ...(part.marker && first ? { marker: part.marker } : {}),
        box: unionBox(words.map(({ box }) => box)),
        ...asideOf(part),
        ...(part.isCode ? { isCode: true } : {}),
      };
      this.#blocks.push(block);
      first = false;
    }
    this.#y += gap;
  }

  #table(table: FlowTable): void {
    const grid = toGrid(table.rows);
    if (grid.columns === 0) return;
    const head = headTexts(grid);
    const available = this.#kind === 'sheet' ? Number.POSITIVE_INFINITY : this.#width - 2 * margin;
    const widths = columnWidths(grid, available);
    const edges = [margin];
    for (const width of widths) edges.push(edges.at(-1)! + width);
    let open: PageTable | null = null;
    let top = 0;
    for (const [row, cells] of grid.rows.entries()) {
      const laid = cells.map((cell) => {
        const [x0, x1] = [edges[cell.col]!, edges[cell.col + cell.colSpan]!];
        return { cell, x0, x1, lines: wrapText(cell.text, x1 - x0 - 2 * cellPadding, bodySize) };
      });
      const height =
        Math.max(1, ...laid.map(({ cell, lines }) => Math.ceil(lines.length / cell.rowSpan))) *
          bodySize *
          lineFactor +
        cellPadding;
      const before = this.#current;
      this.#need(height);
      if (!open || before !== this.#current) {
        top = row;
        open = {
          page: this.#current.page,
          box: [margin, this.#y, edges.at(-1)!, this.#y],
          rowCount: 0,
          colCount: grid.columns,
          cells: [],
          confidence: 1,
          told: { of: table, row, head },
        };
        this.#current.tables.push(open);
        this.#blocks.push({ kind: 'table', table: open, box: open.box, ...asideOf(table) });
      }
      for (const { cell, x0, x1, lines } of laid) {
        const words = lines.flatMap((line, at) =>
          lineWords(line, {
            x: x0 + cellPadding,
            y: this.#y + at * bodySize * lineFactor,
            size: bodySize,
            width: x1 - x0 - 2 * cellPadding,
            bold: row === 0,
          }),
        );
        this.#current.page.words.push(...words);
        open.cells.push({
          row: row - top,
          col: cell.col,
          rowSpan: cell.rowSpan,
          colSpan: cell.colSpan,
          words,
          box: [x0, this.#y, x1, this.#y + height],
          text: cell.text,
        });
      }
      open.rowCount++;
      this.#y += height;
      open.box[3] = this.#y;
    }
    for (const { tables } of this.pages)
      for (const table of tables)
        for (const cell of table.cells) cell.rowSpan = Math.min(cell.rowSpan, table.rowCount - cell.row);
    this.#y += gap;
  }
}

const asideOf = ({ isAside }: FlowPart): { isAside?: boolean } => (isAside ? { isAside } : {});

type GridCell = Pick<Cell, 'col' | 'colSpan' | 'rowSpan'> & { text: string };

interface Grid {
  columns: number;
  rows: GridCell[][];
}

/** The first row, where it names the columns of rows below it. */
function headTexts({ columns, rows }: Grid): string[] | null {
  const texts = new Array<string>(columns).fill('');
  for (const { col, text } of rows[0] ?? []) texts[col] = text.replace(/\s+/g, ' ').trim();
  return rows.length > 1 && isHead(texts) ? texts : null;
}

/** Cells at their columns: those that a span from above covers are passed over. */
function toGrid(rows: FlowTable['rows']): Grid {
  /** Rows that each column is still covered for. */
  const covered: number[] = [];
  let columns = 0;
  const placed = rows.map((row) => {
    let col = 0;
    const cells = row.map(({ text, colSpan, rowSpan }) => {
      while ((covered[col] ?? 0) > 0) col++;
      const cell = { col, colSpan, rowSpan, text };
      for (let at = col; at < col + colSpan; at++) covered[at] = Math.max(covered[at] ?? 0, rowSpan);
      col += colSpan;
      return cell;
    });
    columns = Math.max(columns, col, covered.findLastIndex((count) => count > 0) + 1);
    for (let at = 0; at < covered.length; at++) covered[at] = Math.max(0, (covered[at] ?? 0) - 1);
    return cells;
  });
  return { columns, rows: placed };
}

/** As wide as their longest line, less where that is more than there is, never less than their longest word. */
function columnWidths({ columns, rows }: Grid, available: number): number[] {
  const natural = new Array<number>(columns).fill(24);
  const least = new Array<number>(columns).fill(24);
  for (const { col, colSpan, text } of rows.flat()) {
    const share = (width: number): number => Math.min(widestColumn, width / colSpan + 2 * cellPadding + 1);
    const wide = share(Math.max(0, ...text.split('\n').map((line) => textWidth(line, bodySize))));
    const narrow = share(longestWord(text, bodySize));
    for (let at = col; at < col + colSpan; at++) {
      natural[at] = Math.max(natural[at]!, wide);
      least[at] = Math.max(least[at]!, narrow);
    }
  }
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
  const over = sum(natural) - available;
  if (over <= 0) return natural;
  const slack = sum(natural) - sum(least);
  const share = slack > 0 ? Math.min(1, over / slack) : 0;
  return natural.map((width, at) => width - share * (width - least[at]!));
}

const lengthOf = (part: FlowPart): number =>
  part.kind === 'table'
    ? part.rows.reduce((sum, row) => sum + row.reduce((all, { text }) => all + text.length + 1, 0), 0)
    : part.text.length + 1;

/** @throws document_unreadable for more text than is read */
export function setPages(sections: readonly FlowSection[]): SetPage[] {
  const pages: SetPage[] = [];
  let left = maxFlowCharacters;
  for (const { kind, parts } of sections) {
    const setter = new PageSetter(kind, pages.length + 1);
    for (const part of parts) {
      left -= lengthOf(part);
      if (left < 0)
        throw new EngineError(
          'document_unreadable',
          'the document has more text than is read of one file',
          'file',
        );
      setter.add(part);
    }
    pages.push(...setter.finish());
  }
  return pages.length > 0 ? pages : new PageSetter('text', 1).finish();
}
