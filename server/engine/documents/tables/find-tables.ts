/** All tables of a page, in reading order. */

import { contains } from '../../vision/geometry.ts';
import type { Page, PageTable } from '../document.ts';

import { findRuledTables } from './ruled-tables.ts';
import { cellText } from './table.ts';
import { findTextTables } from './text-tables.ts';

const minChartStrokes = 8;
const minSteps = 4;

/** Numbers that rise or fall by equal steps: the labels of an axis. */
function isScale(texts: string[]): boolean {
  const values = texts.map((text) => Number(text.replace(/[\s,%]/g, '')));
  if (values.length < minSteps || values.some((value) => !Number.isFinite(value))) return false;
  const step = values[1]! - values[0]!;
  return (
    step !== 0 &&
    values.every((value, index) => index === 0 || Math.abs(value - values[index - 1]! - step) < 1e-6)
  );
}

/** Charts have grids and numbers too: slanted strokes inside, or scales beside mostly nothing, tell them. */
function isChart(table: PageTable): boolean {
  const filled = table.cells.filter((cell) => cell.words.length > 0);
  const strokes = table.page.slants.filter((box) => contains(table.box, box)).length;
  if (strokes >= Math.max(minChartStrokes, filled.length / 2)) return true;
  if (filled.length >= 0.5 * table.rowCount * table.colCount) return false;
  const columns = Map.groupBy(filled, (cell) => cell.col);
  const texts = [...columns.values()].map((cells) => cells.toSorted((a, b) => a.row - b.row).map(cellText));
  const numeric = texts.map((column) => column.filter((text) => /^[-−]?[\d.,]+\s?%?$/.test(text)));
  const long = numeric.filter((column) => column.length >= minSteps);
  return long.length > 0 && long.every(isScale);
}

export function findTables(page: Page): PageTable[] {
  const { tables, rest } = findRuledTables(page);
  return [...tables, ...findTextTables(page, rest)]
    .filter((table) => !isChart(table))
    .sort((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0]);
}
