/**
 * Reading order over columns.
 *
 * A page is cut at gutters: vertical whitespace with running text on both sides. Lines that cross a gutter (titles,
 * wide tables) cut the page into bands; inside a band the left column is read before the right one. Columns of numbers
 * or short labels are never cut apart, as those belong to tables and forms, which are read row by row.
 */

import { unionBox, widthOf } from '../../vision/geometry.ts';
import type { Segment } from '../document.ts';
import { median } from './median.ts';

export interface LayoutRegion {
  segments: Segment[];
}

const minLinesBeside = 6;
const minGutterWidth = 7;
const maxDepth = 4;
const binWidth = 2;
/** The widest page of ISO 32000-1 (annex C) has 14,400 points; damaged files place text anywhere. */
const maxBins = 14_400 / binWidth;

/** Rows of running text beside tables and headings of the same column: so many, and such shares of its rows and letters. */
const [minProseRows, proseRows, proseLetters] = [4, 0.3, 0.4];
/** Letters of a row of running text; ideographs count twice. */
const minRowLetters = 24;

const lettersOf = ({ text }: Segment): number => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);

/** Segments of one baseline together. */
function rowsOf(segments: Segment[]): Segment[][] {
  const rows: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const last = rows.at(-1);
    if (last && segment.baseline - last[0]!.baseline < 0.4 * segment.size) last.push(segment);
    else rows.push([segment]);
  }
  return rows;
}

/** Rows that are one long segment each. */
const isProseRow = (row: Segment[], wide: number): boolean =>
  row.length === 1 && widthOf(row[0]!.box) > 0.6 * wide && lettersOf(row[0]!) >= minRowLetters;

/** A column of running text with tables, lists or headings in it. */
function isMixed(column: Segment[]): boolean {
  const segments = column.filter(({ text }) => text !== '');
  if (segments.length < minProseRows) return false;
  const rows = rowsOf(segments);
  const wide = widthOf(unionBox(segments.map(({ box }) => box)));
  const prose = rows.filter((row) => isProseRow(row, wide));
  const letters = (list: Segment[]): number => list.reduce((sum, segment) => sum + lettersOf(segment), 0);
  return (
    prose.length >= Math.max(minProseRows, proseRows * rows.length) &&
    letters(prose.flat()) >= proseLetters * letters(segments)
  );
}

/** Running text fills its column: most lines are long and nearly as wide as the widest. */
function isProse(column: Segment[]): boolean {
  const segments = column.filter(({ text }) => text !== '');
  if (segments.length < minLinesBeside) return false;
  if (isMixed(segments)) return true;
  const widths = segments.map((segment) => widthOf(segment.box));
  const wide = widths.toSorted((a, b) => b - a)[Math.floor(widths.length / 10)]!;
  const filled = widths.filter((width) => width > 0.6 * wide).length;
  const letters = median(segments.map((segment) => segment.text.length));
  return filled >= 0.5 * segments.length && letters >= 18 && wide > 9 * median(segments.map((s) => s.size));
}

/** Lines of a letterhead down the side of a letter: so many, most between the lines of the text beside them. */
const [minSideRows, besideRows] = [5, 0.5];

function isSidebar(segments: Segment[], text: Segment[]): boolean {
  const rows = rowsOf(segments);
  if (rows.length < minSideRows || rows.some((row) => row.length > 1)) return false;
  const apart = segments.filter(({ baseline, size }) =>
    text.every((line) => Math.abs(line.baseline - baseline) > 0.25 * size),
  );
  return apart.length >= besideRows * segments.length;
}

/** Columns beside each other, each of running text. */
const areMixed = (left: Segment[], right: Segment[]): boolean =>
  (isMixed(left) || hasColumns(left)) && (isMixed(right) || hasColumns(right));

/** Two columns of one side of a gutter. */
const hasColumns = (segments: Segment[]): boolean =>
  findGutter(segments, (left, right) => isMixed(left) && isMixed(right)) !== null;

/** True where both sides of a gutter are columns of their own. */
const areColumns = (left: Segment[], right: Segment[]): boolean =>
  (isProse(left) && isProse(right)) ||
  areMixed(left, right) ||
  (isMixed(right) && isSidebar(left, right)) ||
  (isMixed(left) && isSidebar(right, left));

interface Gutter {
  at: number;
}

function findGutter(segments: Segment[], areApart = areColumns): Gutter | null {
  if (segments.length === 0) return null;
  const bounds = unionBox(segments.map((segment) => segment.box));
  const bins = Math.ceil(widthOf(bounds) / binWidth);
  if (!(bins >= 20 && bins <= maxBins)) return null;
  const covered = new Array<number>(bins).fill(0);
  for (const { box } of segments) {
    const last = Math.min(bins - 1, Math.floor((box[2] - bounds[0]) / binWidth));
    for (let bin = Math.max(0, Math.floor((box[0] - bounds[0]) / binWidth)); bin <= last; bin++)
      covered[bin]!++;
  }
  let best: { at: number; crossing: number } | null = null;
  for (const [start, end] of valleys(covered, segments.length)) {
    const at = bounds[0] + ((start + end + 1) / 2) * binWidth;
    const left = segments.filter((segment) => segment.box[2] <= at);
    const right = segments.filter((segment) => segment.box[0] >= at);
    const crossing = segments.length - left.length - right.length;
    if (crossing > 0.6 * Math.min(left.length, right.length)) continue;
    if (areApart(left, right) && (!best || crossing < best.crossing)) best = { at, crossing };
  }
  return best;
}

/** Stretches of low coverage at least as wide as a gutter. */
function* valleys(covered: number[], lines: number): Generator<[number, number]> {
  const low = Math.max(1, 0.25 * lines);
  let start = -1;
  for (let bin = 0; bin <= covered.length; bin++) {
    const inside = bin < covered.length && covered[bin]! <= low;
    if (inside && start < 0) start = bin;
    if (!inside && start >= 0) {
      const floor = Math.min(...covered.slice(start, bin));
      const narrow = [start, bin - 1] as [number, number];
      while (covered[narrow[0]]! > floor) narrow[0]++;
      while (covered[narrow[1]]! > floor) narrow[1]--;
      if ((narrow[1] - narrow[0] + 1) * binWidth >= minGutterWidth && start > 0 && bin < covered.length)
        yield narrow;
      start = -1;
    }
  }
}

/** Blank bands that are tried on a page, the widest first, and the most segments of one that is. */
const [maxBands, maxBanded] = [16, 800];

/** Parts a page at a blank band above or below which it has columns that it has not all the way down. */
function atBand(segments: Segment[]): [Segment[], Segment[]] | null {
  if (segments.length > maxBanded) return null;
  const sorted = segments.toSorted((a, b) => a.box[1] - b.box[1]);
  const bands: { at: number; height: number }[] = [];
  let bottom = Number.POSITIVE_INFINITY;
  for (const [at, { box, size }] of sorted.entries()) {
    if (box[1] - bottom > 0.3 * size) bands.push({ at, height: box[1] - bottom });
    bottom = Math.max(at === 0 ? Number.NEGATIVE_INFINITY : bottom, box[3]);
  }
  const tried = bands.toSorted((a, b) => b.height - a.height).slice(0, maxBands);
  for (const { at } of tried) {
    const parts: [Segment[], Segment[]] = [sorted.slice(0, at), sorted.slice(at)];
    if (parts.some((part) => findGutter(part, areMixed))) return parts;
  }
  return null;
}

/** Regions in reading order. A page without columns is one region. */
export function toRegions(segments: Segment[], depth = 0): LayoutRegion[] {
  const gutter = depth < maxDepth ? findGutter(segments) : null;
  if (!gutter) {
    const parts = depth < maxDepth ? atBand(segments) : null;
    return parts ? parts.flatMap((part) => toRegions(part, depth + 1)) : [{ segments }];
  }
  const regions: LayoutRegion[] = [];
  let band: Segment[] = [];
  let wide: Segment[] = [];
  const flushBand = (): void => {
    const left = band.filter((segment) => segment.box[2] <= gutter.at);
    const right = band.filter((segment) => segment.box[2] > gutter.at);
    // A lone line or two beside the wide ones belongs to them (page headers, captions).
    if (left.length === 0 || right.length === 0 || band.length < 4) wide.push(...band);
    else {
      if (wide.length > 0) regions.push({ segments: wide });
      wide = [];
      regions.push(...toRegions(left, depth + 1), ...toRegions(right, depth + 1));
    }
    band = [];
  };
  for (const segment of segments.toSorted((a, b) => a.baseline - b.baseline)) {
    const crosses = segment.box[0] < gutter.at && segment.box[2] > gutter.at;
    if (crosses) {
      flushBand();
      wide.push(segment);
    } else band.push(segment);
  }
  flushBand();
  if (wide.length > 0) regions.push({ segments: wide });
  return regions;
}
