/**
 * Tables that go on over the end of a page.
 *
 * The last table of a page and the first of the next are one where the first ends low, the second begins high, nothing
 * but running heads lies between, and their columns are the same.
 */

import type { Box } from '../../vision/geometry.ts';
import type { Page, PageTable } from '../document.ts';

/** Shares of a page's height. */
const lowest = 0.72;
const highest = 0.28;
/** Lines of text that a running head or foot has at most. */
const maxLines = 2;
/** In points. */
const tolerance = 8;

/** Left edges of the columns, by the cells that lie in one alone. */
function columnEdges({ cells, colCount }: PageTable): number[] {
  return Array.from({ length: colCount }, (_, col) =>
    Math.min(...cells.filter((cell) => cell.col === col && cell.colSpan === 1).map((cell) => cell.box[0])),
  );
}

const linesIn = (page: Page, [, from, , to]: Box): number =>
  new Set(
    page.words
      .filter((word) => word.box[1] >= from && word.box[3] <= to)
      .map((word) => Math.round(word.baseline / 4)),
  ).size;

const goesOnTold = (upper: PageTable, lower: PageTable): boolean =>
  lower.told !== undefined &&
  lower.told.row > 0 &&
  lower.told.of === upper.told?.of &&
  lower.told.row === upper.told.row + upper.rowCount;

function continues(upper: PageTable, lower: PageTable): boolean {
  // A file that tells its tables tells where each goes on.
  if (upper.told || lower.told) return goesOnTold(upper, lower);
  if (lower.page.number !== upper.page.number + 1 || upper.colCount !== lower.colCount) return false;
  if (upper.box[3] < lowest * upper.page.height || lower.box[1] > highest * lower.page.height) return false;
  const below = linesIn(upper.page, [0, upper.box[3], upper.page.width, upper.page.height]);
  const above = linesIn(lower.page, [0, 0, lower.page.width, lower.box[1]]);
  if (below > maxLines || above > maxLines) return false;
  const [left, right] = [columnEdges(upper), columnEdges(lower)];
  const alike = left.filter((edge, col) => Math.abs(edge - right[col]!) < tolerance).length;
  return alike >= Math.max(2, 0.8 * left.length);
}

/** For each table the index of the one that it continues; tables are in reading order, page by page. */
export function continuedTables(tables: PageTable[]): (number | null)[] {
  return tables.map((table, index) => {
    const previous = tables[index - 1];
    return previous && continues(previous, table) ? index - 1 : null;
  });
}
