/** Columns from whitespace: where the text of many rows leaves the same vertical stripes free. */

import { unionBox } from '../../vision/geometry.ts';
import type { Segment } from '../document.ts';

/** Narrowest stripe that parts two columns, in font sizes. */
const minStripe = 0.3;

/** Rows that have nearly as many segments as the fullest ones: they show the columns, headers and titles do not. */
function fullRows(rows: Segment[][]): Segment[][] {
  const counts = rows.map((row) => row.length).sort((a, b) => b - a);
  const most = counts[Math.min(counts.length - 1, Math.floor(rows.length / 8))] ?? 0;
  const full = rows.filter((row) => row.length >= Math.max(2, 0.55 * most));
  return full.length >= 2 ? full : rows;
}

interface Edge {
  x: number;
  step: 1 | -1;
}

/**
 * Middle of every free stripe between the first and the last column, left to right. A stripe may be crossed by one row
 * of twelve, since a single long cell must not glue two columns together.
 */
export function findColumnBorders(rows: Segment[][]): number[] {
  const full = fullRows(rows);
  const segments = full.flat();
  if (segments.length < 2) return [];
  const allowed = Math.floor(full.length / 12);
  const size = segments.reduce((sum, segment) => sum + segment.size, 0) / segments.length;
  const edges: Edge[] = segments.flatMap(({ box }): Edge[] => [
    { x: box[0], step: 1 },
    { x: box[2], step: -1 },
  ]);
  edges.sort((a, b) => a.x - b.x || b.step - a.step);
  const [left, , right] = unionBox(segments.map((segment) => segment.box));
  const borders: number[] = [];
  let covered = 0;
  let freeFrom: number | null = null;
  for (const { x, step } of edges) {
    const before = covered;
    covered += step;
    if (covered <= allowed && before > allowed) freeFrom = x;
    if (covered > allowed && before <= allowed && freeFrom !== null) {
      if (x - freeFrom > minStripe * size && freeFrom > left && x < right) borders.push((freeFrom + x) / 2);
      freeFrom = null;
    }
  }
  return borders;
}

/** Index of the first and last column that a segment touches by more than a sliver. */
export function columnRange(segment: Segment, borders: number[]): [number, number] {
  const sliver = 0.25 * segment.size;
  let first = 0;
  while (first < borders.length && borders[first]! < segment.box[0] + sliver) first++;
  let last = first;
  while (last < borders.length && borders[last]! < segment.box[2] - sliver) last++;
  return [first, last];
}
