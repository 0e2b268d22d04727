/** Drops the rows and columns of a table in which nothing starts: doubled borders and decorative strips. */

import type { Cell, PageTable } from '../document.ts';

function keptIndices(count: number, used: (index: number) => boolean): Map<number, number> {
  const kept = new Map<number, number>();
  for (let index = 0; index < count; index++) if (used(index)) kept.set(index, kept.size);
  return kept;
}

const spanIn = (
  kept: Map<number, number>,
  start: number,
  span: number,
): { start: number; span: number } | null => {
  const inside: number[] = [];
  for (let index = start; index < start + span; index++) if (kept.has(index)) inside.push(kept.get(index)!);
  return inside.length === 0 ? null : { start: inside[0]!, span: inside.length };
};

/**
 * A row stays if some cell that has text lies in it alone or starts in it and cannot be told from a neighbouring row;
 * the same for columns. Spans shrink with what is dropped.
 */
export function compact(table: PageTable): PageTable {
  const filled = table.cells.filter((cell) => cell.words.length > 0);
  const rows = keptIndices(table.rowCount, (row) =>
    filled.some((cell) => cell.row === row && (cell.rowSpan === 1 || isFirstOnly(filled, cell, 'row'))),
  );
  const cols = keptIndices(table.colCount, (col) =>
    filled.some((cell) => cell.col === col && (cell.colSpan === 1 || isFirstOnly(filled, cell, 'col'))),
  );
  const cells = table.cells.flatMap((cell): Cell[] => {
    const row = spanIn(rows, cell.row, cell.rowSpan);
    const col = spanIn(cols, cell.col, cell.colSpan);
    if (!row || !col) return [];
    return [{ ...cell, row: row.start, rowSpan: row.span, col: col.start, colSpan: col.span }];
  });
  return { ...table, rowCount: rows.size, colCount: cols.size, cells };
}

/** True if no cell with text lies singly in any row (column) that the spanning cell covers. */
function isFirstOnly(filled: Cell[], cell: Cell, axis: 'row' | 'col'): boolean {
  const spanKey = axis === 'row' ? 'rowSpan' : 'colSpan';
  const end = cell[axis] + cell[spanKey];
  return !filled.some((other) => other[spanKey] === 1 && other[axis] >= cell[axis] && other[axis] < end);
}
