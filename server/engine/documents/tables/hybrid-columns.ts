/**
 * Columns that a ruled table shows by whitespace only: lines that part the rows, or part the header but not the body.
 */

import type { Box } from '../../vision/geometry.ts';
import type { Cell, Segment, Word } from '../document.ts';

import { toRows, toSegments } from '../layout/segments.ts';

import { findColumnBorders } from './columns.ts';
import type { Grid } from './grid.ts';

const cellSegments = (cell: Cell): Segment[] => toRows(cell.words).flatMap((row) => toSegments(row));

const straddles = (segment: Segment, x: number): boolean =>
  segment.box[0] < x - 0.2 * segment.size && segment.box[2] > x + 0.2 * segment.size;

function cutCell(cell: Cell, cuts: { x: number; col: number }[]): Cell[] {
  const pieces: Cell[] = [];
  const ends = [...cuts.map((cut) => ({ ...cut })), { x: cell.box[2], col: cell.col + cell.colSpan }];
  let [left, col] = [cell.box[0], cell.col];
  for (const end of ends) {
    const inside = (word: Word): boolean => {
      const centre = (word.box[0] + word.box[2]) / 2;
      return centre >= left && (centre < end.x || end.col === cell.col + cell.colSpan);
    };
    const box: Box = [left, cell.box[1], end.x, cell.box[3]];
    pieces.push({ ...cell, col, colSpan: end.col - col, words: cell.words.filter(inside), box });
    [left, col] = [end.x, end.col];
  }
  return pieces;
}

/** Cuts spanning cells at the grid's own columns where several of their lines keep to the columns. */
function cutSpans(cells: Cell[], grid: Grid): Cell[] {
  const alike = Map.groupBy(cells, (cell) => `${cell.col}+${cell.colSpan}`);
  return [...alike.values()].flatMap((group) => {
    const { col, colSpan } = group[0]!;
    if (colSpan === 1) return group;
    const lines = new Map(group.map((cell) => [cell, toRows(cell.words).map((row) => toSegments(row))]));
    const all = [...lines.values()].flat();
    const borders = Array.from({ length: colSpan - 1 }, (_, index) => ({
      x: grid.xs[col + index + 1]!,
      col: col + index + 1,
    }));
    const cuts = borders.filter(({ x }) => {
      const parted = all.filter(
        (line) => line.some((s) => s.box[2] <= x + 1) && line.some((s) => s.box[0] >= x - 1),
      );
      const crossed = all.filter((line) => line.some((segment) => straddles(segment, x)));
      return parted.length >= 2 && crossed.length <= parted.length / 4;
    });
    const isFree = (cell: Cell, x: number): boolean =>
      !lines.get(cell)!.some((line) => line.some((segment) => straddles(segment, x)));
    return group.flatMap((cell) =>
      cutCell(
        cell,
        cuts.filter(({ x }) => isFree(cell, x)),
      ),
    );
  });
}

/** Borders inside one grid column that most of its rows show by a gap. */
function innerBorders(cells: Cell[], col: number): number[] {
  const own = cells.filter((cell) => cell.col === col && cell.colSpan === 1 && cell.words.length > 0);
  const rows = own.flatMap((cell) => toRows(cell.words).map((row) => toSegments(row)));
  const parted = rows.filter((row) => row.length > 1);
  if (parted.length < 3 || parted.length < 0.6 * rows.length) return [];
  return findColumnBorders(parted);
}

/** A grid with the columns that whitespace shows added to those that lines show. */
export function addTextColumns(cells: Cell[], grid: Grid): { cells: Cell[]; colCount: number } {
  let current = cutSpans(cells, grid);
  let colCount = grid.xs.length - 1;
  for (let col = grid.xs.length - 2; col >= 0; col--) {
    const borders = innerBorders(current, col);
    if (borders.length === 0) continue;
    current = current.flatMap((cell): Cell[] => {
      if (cell.col > col) return [{ ...cell, col: cell.col + borders.length }];
      if (cell.col + cell.colSpan - 1 < col) return [cell];
      if (cell.colSpan > 1) return [{ ...cell, colSpan: cell.colSpan + borders.length }];
      const segments = cellSegments(cell);
      const free = borders
        .map((x, index) => ({ x, col: col + index + 1 }))
        .filter(({ x }) => !segments.some((s) => straddles(s, x)));
      return cutCell({ ...cell, colSpan: borders.length + 1 }, free);
    });
    colCount += borders.length;
  }
  return { cells: current, colCount };
}
