/** A found table in the page's reading frame, and how it leaves in the answer. */

import type { Cell, PageTable, Segment } from '../document.ts';
import { toRows, toSegment } from '../layout/segments.ts';
import type { ParsedTable } from '../types.ts';

/** Lines of a cell from top to bottom. */
export const cellLines = (cell: Cell): Segment[] => toRows(cell.words).map(toSegment);

/** The dots that lead from a label to its number are drawing, not text. */
const dotLeader = /(\s?[.·…_]){4,}\s*$/;

export const cellText = (cell: Cell): string =>
  cell.text ??
  cellLines(cell)
    .map((line) => line.text.replace(dotLeader, ''))
    .join('\n');

export function toParsedTable(table: PageTable): ParsedTable {
  const rows = Array.from({ length: table.rowCount }, () => new Array<string>(table.colCount).fill(''));
  const cells = table.cells.map((cell) => {
    const text = cellText(cell);
    rows[cell.row]![cell.col] = text;
    const { row, col, rowSpan, colSpan } = cell;
    return { row, col, rowSpan, colSpan, text, bbox: table.page.toView(cell.box) };
  });
  return {
    page: table.page.number,
    rows,
    bbox: table.page.toView(table.box),
    confidence: Math.round(table.confidence * 100) / 100,
    cells,
  };
}
