/**
 * Grids from rulings: which straight lines belong together, and which cells they enclose.
 *
 * Lines that touch form one grid. Its columns and rows are the distinct positions of the lines; two neighbouring
 * fields without a line between them are one cell (a span). Outer borders may be missing: many tables have horizontal
 * lines that simply run past the last vertical one.
 */

import type { Box, Ruling } from '../../vision/geometry.ts';
import type { Page } from '../document.ts';
import { median } from '../layout/median.ts';

/** Greatest gap between two lines that still meet: rounded corners, thick borders. */
const touchTolerance = 3.5;
const maxColumns = 60;
const maxRows = 400;

export interface Grid {
  /** Column borders, left to right; row borders, top to bottom. */
  xs: number[];
  ys: number[];
  cells: GridCell[];
}

export interface GridCell {
  row: number;
  col: number;
  rowSpan: number;
  colSpan: number;
  box: Box;
}

interface LineGroup {
  horizontal: Ruling[];
  vertical: Ruling[];
}

class Groups {
  readonly #parent: number[];
  constructor(size: number) {
    this.#parent = Array.from({ length: size }, (_, index) => index);
  }
  find(index: number): number {
    let root = index;
    while (this.#parent[root] !== root) root = this.#parent[root]!;
    while (this.#parent[index] !== root) [this.#parent[index], index] = [root, this.#parent[index]!];
    return root;
  }
  join(a: number, b: number): void {
    this.#parent[this.find(a)] = this.find(b);
  }
}

const meets = (h: Ruling, v: Ruling): boolean =>
  v.at >= h.from - touchTolerance &&
  v.at <= h.to + touchTolerance &&
  h.at >= v.from - touchTolerance &&
  h.at <= v.to + touchTolerance;

/** Lines connected by crossing or touching. */
function lineGroups(page: Page): LineGroup[] {
  const { horizontal, vertical } = page;
  const groups = new Groups(horizontal.length + vertical.length);
  for (const [index, h] of horizontal.entries())
    for (const [other, v] of vertical.entries())
      if (meets(h, v)) groups.join(index, horizontal.length + other);
  const byRoot = new Map<number, LineGroup>();
  const groupOf = (index: number): LineGroup => {
    const root = groups.find(index);
    const group = byRoot.get(root) ?? { horizontal: [], vertical: [] };
    byRoot.set(root, group);
    return group;
  };
  for (const [index, h] of horizontal.entries()) groupOf(index).horizontal.push(h);
  for (const [index, v] of vertical.entries()) groupOf(horizontal.length + index).vertical.push(v);
  return [...byRoot.values()].filter((group) => group.horizontal.length > 1 && group.vertical.length > 0);
}

function positions(rulings: Ruling[]): number[] {
  const sorted = rulings.map((ruling) => ruling.at).sort((a, b) => a - b);
  const clusters: number[][] = [];
  for (const at of sorted) {
    const last = clusters.at(-1);
    if (last && at - last[0]! < touchTolerance) last.push(at);
    else clusters.push([at]);
  }
  return clusters.map(median);
}

/** Adds the outer positions that have no line of their own but where the crossing lines end. */
function withOpenEnds(at: number[], crossing: Ruling[]): number[] {
  const first = Math.min(...crossing.map((ruling) => ruling.from));
  const last = Math.max(...crossing.map((ruling) => ruling.to));
  const margin = 4 * touchTolerance;
  return [...(first < at[0]! - margin ? [first] : []), ...at, ...(last > at.at(-1)! + margin ? [last] : [])];
}

function hasBorder(rulings: Ruling[], at: number, [from, to]: [number, number]): boolean {
  let covered = 0;
  for (const ruling of rulings)
    if (Math.abs(ruling.at - at) < touchTolerance)
      covered += Math.max(0, Math.min(ruling.to, to) - Math.max(ruling.from, from));
  return covered > 0.6 * (to - from);
}

/** Cells of one group: fields joined where no line parts them. Joins that are no rectangle stay apart by row. */
function toCells(group: LineGroup, xs: number[], ys: number[]): GridCell[] {
  const cols = xs.length - 1;
  const rows = ys.length - 1;
  const fields = new Groups(rows * cols);
  for (let row = 0; row < rows; row++)
    for (let col = 0; col < cols; col++) {
      const field = row * cols + col;
      if (col + 1 < cols && !hasBorder(group.vertical, xs[col + 1]!, [ys[row]!, ys[row + 1]!]))
        fields.join(field, field + 1);
      if (row + 1 < rows && !hasBorder(group.horizontal, ys[row + 1]!, [xs[col]!, xs[col + 1]!]))
        fields.join(field, field + cols);
    }
  const members = new Map<number, number[]>();
  for (let field = 0; field < rows * cols; field++) {
    const root = fields.find(field);
    members.set(root, [...(members.get(root) ?? []), field]);
  }
  return [...members.values()]
    .flatMap((joined) => rectangles(joined, cols))
    .map((cell) => withBox(cell, xs, ys));
}

type Span = Omit<GridCell, 'box'>;

function rectangles(fields: number[], cols: number): Span[] {
  const span = spanOf(fields, cols);
  if (span.rowSpan * span.colSpan === fields.length) return [span];
  const byRow = Map.groupBy(fields, (field) => Math.floor(field / cols));
  return [...byRow.values()].flatMap((row) => runs(row).map((run) => spanOf(run, cols)));
}

function runs(fields: number[]): number[][] {
  const found: number[][] = [];
  for (const field of fields.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last && last.at(-1) === field - 1) last.push(field);
    else found.push([field]);
  }
  return found;
}

function spanOf(fields: number[], cols: number): Span {
  const rows = fields.map((field) => Math.floor(field / cols));
  const columns = fields.map((field) => field % cols);
  const row = Math.min(...rows);
  const col = Math.min(...columns);
  return { row, col, rowSpan: Math.max(...rows) - row + 1, colSpan: Math.max(...columns) - col + 1 };
}

const withBox = (span: Span, xs: number[], ys: number[]): GridCell => ({
  ...span,
  box: [xs[span.col]!, ys[span.row]!, xs[span.col + span.colSpan]!, ys[span.row + span.rowSpan]!],
});

export function findGrids(page: Page): Grid[] {
  return lineGroups(page).flatMap((group) => {
    const xs = withOpenEnds(positions(group.vertical), group.horizontal);
    const ys = withOpenEnds(positions(group.horizontal), group.vertical);
    if (xs.length < 2 || ys.length < 2 || xs.length > maxColumns || ys.length > maxRows) return [];
    return [{ xs, ys, cells: toCells(group, xs, ys) }];
  });
}
