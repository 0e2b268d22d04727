/** A sheet's cells as tables: what touches is one, without its empty columns. */

import { type FlowPart, type FlowTable, paragraph } from './flow.ts';

export interface SheetCell {
  row: number;
  col: number;
  text: string;
  rowSpan: number;
  colSpan: number;
}

/** Rows or columns that are left of a span. */
const span = (from: number, length: number, all: readonly number[]): number =>
  length === 1 ? 1 : Math.max(1, all.filter((at) => at >= from && at < from + length).length);

/** Cells that touch, corners too, and what touches these: places of one table. In the order of their first cells. */
function touching(cells: readonly SheetCell[]): SheetCell[][] {
  const at = new Map<string, number>();
  const parent = cells.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root]!;
    for (let next = index; parent[next] !== root; ) [next, parent[next]] = [parent[next]!, root];
    return root;
  };
  /** A span counts by its edge: what lies inside has no cells. */
  const places = ({ row, col, rowSpan, colSpan }: SheetCell): [number, number][] => {
    const [rows, cols] = [Math.min(rowSpan, 200), Math.min(colSpan, 200)];
    return Array.from({ length: rows * cols }, (_, index) => [
      row + Math.floor(index / cols),
      col + (index % cols),
    ]);
  };
  cells.forEach((cell, index) => {
    for (const [row, col] of places(cell)) at.set(`${row},${col}`, index);
  });
  cells.forEach((cell, index) => {
    for (const [row, col] of places(cell))
      for (const [r, c] of [
        [row, col + 1],
        [row + 1, col - 1],
        [row + 1, col],
        [row + 1, col + 1],
      ] as const) {
        const other = at.get(`${r},${c}`);
        if (other !== undefined) parent[rootOf(other)] = rootOf(index);
      }
  });
  return [...Map.groupBy(cells, (_, index) => rootOf(index)).values()];
}

export function toSheetParts(cells: readonly SheetCell[]): FlowPart[] {
  const filled = cells
    .filter(({ text }) => text.trim() !== '')
    .toSorted((a, b) => a.row - b.row || a.col - b.col);
  return touching(filled).map((group) => (group.length === 1 ? paragraph(group[0]!.text) : toTable(group)));
}

function toTable(cells: readonly SheetCell[]): FlowTable {
  const columns = [...new Set(cells.map(({ col }) => col))].toSorted((a, b) => a - b);
  const rowNumbers = [...new Set(cells.map(({ row }) => row))].toSorted((a, b) => a - b);
  const columnOf = new Map(columns.map((col, index) => [col, index]));
  const rowOf = new Map(rowNumbers.map((row, index) => [row, index]));
  const covered = new Set<number>();
  const key = (row: number, col: number): number => row * columns.length + col;
  const byPlace = new Map<number, SheetCell>();
  for (const cell of cells) {
    const [row, col] = [rowOf.get(cell.row)!, columnOf.get(cell.col)!];
    byPlace.set(key(row, col), cell);
    const rows = span(cell.row, cell.rowSpan, rowNumbers);
    const cols = span(cell.col, cell.colSpan, columns);
    for (let r = row; r < row + rows; r++)
      for (let c = col; c < col + cols; c++) if (r !== row || c !== col) covered.add(key(r, c));
  }
  return {
    kind: 'table',
    rows: rowNumbers.map((_, row) =>
      columns.flatMap((__, col) => {
        if (covered.has(key(row, col))) return [];
        const cell = byPlace.get(key(row, col));
        return [
          {
            text: cell?.text ?? '',
            rowSpan: cell ? span(cell.row, cell.rowSpan, rowNumbers) : 1,
            colSpan: cell ? span(cell.col, cell.colSpan, columns) : 1,
          },
        ];
      }),
    ),
  };
}
