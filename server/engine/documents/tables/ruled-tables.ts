/** Tables that are drawn with lines. */

import { type Box, centreX, centreY, contains } from '../../vision/geometry.ts';
import type { Cell, Page, PageTable, Word } from '../document.ts';
import { median } from '../layout/median.ts';

import { toRows } from '../layout/segments.ts';

import { compact } from './compact.ts';
import { findGrids, type Grid } from './grid.ts';
import { addTextColumns } from './hybrid-columns.ts';

/** Index of the interval that holds a position; the outer ones reach half a point further. */
function intervalAt(borders: number[], position: number): number {
  const last = borders.length - 2;
  if (position < borders[0]! - 0.5 || position > borders[last + 1]! + 0.5) return -1;
  const next = borders.findIndex((border) => border > position);
  return Math.min(last, Math.max(0, (next < 0 ? borders.length : next) - 1));
}

function fillCells(grid: Grid, words: Word[]): Cell[] {
  const cells: Cell[] = grid.cells.map((cell) => ({ ...cell, words: [] }));
  const cols = grid.xs.length - 1;
  const owner = new Map<number, Cell>();
  for (const cell of cells)
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++)
      for (let col = cell.col; col < cell.col + cell.colSpan; col++) owner.set(row * cols + col, cell);
  for (const word of words) {
    const row = intervalAt(grid.ys, centreY(word.box));
    const col = intervalAt(grid.xs, centreX(word.box));
    if (row >= 0 && col >= 0) owner.get(row * cols + col)?.words.push(word);
  }
  return cells;
}

/**
 * A cell that holds the lines of several rows: tables that rule their columns but not their rows. Two or more columns
 * with the same baselines, of which one has a number on every line, show rows that no line parts.
 */
function hiddenBaselines(cells: Cell[]): number[] {
  const columns = cells
    .filter((cell) => cell.words.length > 1 && cell.rowSpan === 1 && cell.colSpan === 1)
    .map((cell) => toRows(cell.words))
    .filter((lines) => lines.length > 1);
  const numeric = columns.filter((lines) =>
    lines.every((line) => isNumeric(line.map((word) => word.text).join(''))),
  );
  if (columns.length < 2 || numeric.length === 0) return [];
  const anchor = numeric.sort((a, b) => b.length - a.length)[0]!;
  const baselines = anchor.map((line) => line[0]!.baseline);
  const agrees = (lines: Word[][]): boolean =>
    baselines.every((at) => lines.some((line) => Math.abs(line[0]!.baseline - at) < 0.4 * line[0]!.size));
  return columns.filter(agrees).length >= 2 ? baselines : [];
}

const isNumeric = (text: string): boolean =>
  /\d/.test(text) && /^[\s\d.,:%()€$£¥+\-–−/'’A-Z]*$/.test(text) && text.length < 18;

/** Splits grid rows at hidden baselines; the lines of a longer cell go to the baseline at or above them. */
function splitRows(cells: Cell[], rowCount: number): { cells: Cell[]; rowCount: number } {
  let added = 0;
  const split: Cell[] = [];
  const byRow = Map.groupBy(cells, (cell) => cell.row);
  for (let row = 0; row < rowCount; row++) {
    const own = byRow.get(row) ?? [];
    const baselines = hiddenBaselines(own);
    const pieces = Math.max(1, baselines.length);
    for (const cell of own) {
      if (pieces === 1 || cell.rowSpan > 1)
        split.push({
          ...cell,
          row: row + added,
          rowSpan: cell.rowSpan + (cell.rowSpan > 1 ? pieces - 1 : 0),
        });
      else split.push(...sliceCell(cell, baselines, row + added));
    }
    if (pieces === 1) continue;
    for (const cell of split)
      if (cell.row < row + added && cell.row + cell.rowSpan > row + added) cell.rowSpan += pieces - 1;
    added += pieces - 1;
  }
  return { cells: split, rowCount: rowCount + added };
}

function sliceCell(cell: Cell, baselines: number[], row: number): Cell[] {
  const margin = 0.5 * (median(cell.words.map((word) => word.size)) || 8);
  return baselines.map((at, index) => {
    const top = index === 0 ? cell.box[1] : at - 2 * margin;
    const bottom = index === baselines.length - 1 ? cell.box[3] : baselines[index + 1]! - 2 * margin;
    const box: Box = [cell.box[0], top, cell.box[2], bottom];
    const from = index === 0 ? Number.NEGATIVE_INFINITY : at - margin;
    const to = index === baselines.length - 1 ? Number.POSITIVE_INFINITY : baselines[index + 1]! - margin;
    const words = cell.words.filter((word) => word.baseline >= from && word.baseline < to);
    return { ...cell, row: row + index, box, words };
  });
}

function toTable(page: Page, grid: Grid, words: Word[]): PageTable | null {
  const wide = addTextColumns(fillCells(grid, words), grid);
  const { cells, rowCount } = splitRows(wide.cells, grid.ys.length - 1);
  const table = compact({
    page,
    box: [grid.xs[0]!, grid.ys[0]!, grid.xs.at(-1)!, grid.ys.at(-1)!],
    rowCount,
    colCount: wide.colCount,
    cells,
    confidence: 0.95,
  });
  const drawn = grid.cells.length;
  const filled = table.cells.filter((cell) => cell.words.length > 0);
  const rows = new Set(filled.map((cell) => cell.row)).size;
  const cols = new Set(filled.map((cell) => cell.col)).size;
  if (rows < 2 || cols < 2 || filled.length < 4) return null;
  // Bars and boxes of a drawing enclose many fields and name few.
  if (drawn >= 40 && filled.length < 0.2 * drawn) return null;
  return table;
}

/** Ruled tables, and the words that they leave over. */
export function findRuledTables(page: Page): { tables: PageTable[]; rest: Word[] } {
  let rest = page.words;
  const tables: PageTable[] = [];
  // Inner grids first: a form that is framed as a whole must not swallow the tables inside.
  const area = (grid: Grid): number => (grid.xs.at(-1)! - grid.xs[0]!) * (grid.ys.at(-1)! - grid.ys[0]!);
  for (const grid of findGrids(page).sort((a, b) => area(a) - area(b))) {
    const box: Box = [grid.xs[0]!, grid.ys[0]!, grid.xs.at(-1)!, grid.ys.at(-1)!];
    const inside = rest.filter((word) => contains(box, word.box));
    const table = inside.length > 3 ? toTable(page, grid, inside) : null;
    if (!table) continue;
    tables.push(table);
    const used = new Set(inside);
    rest = rest.filter((word) => !used.has(word));
  }
  return { tables, rest };
}
