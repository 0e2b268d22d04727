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

/** Running text fills its column: most lines are long and nearly as wide as the widest. */
function isProse(segments: Segment[]): boolean {
  if (segments.length < minLinesBeside) return false;
  const widths = segments.map((segment) => widthOf(segment.box));
  const wide = widths.toSorted((a, b) => b - a)[Math.floor(widths.length / 10)]!;
  const filled = widths.filter((width) => width > 0.6 * wide).length;
  const letters = median(segments.map((segment) => segment.text.length));
  return filled >= 0.5 * segments.length && letters >= 18 && wide > 9 * median(segments.map((s) => s.size));
}

interface Gutter {
  at: number;
}

function findGutter(segments: Segment[]): Gutter | null {
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
    if (isProse(left) && isProse(right) && (!best || crossing < best.crossing)) best = { at, crossing };
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

/** Regions in reading order. A page without columns is one region. */
export function toRegions(segments: Segment[], depth = 0): LayoutRegion[] {
  const gutter = depth < maxDepth ? findGutter(segments) : null;
  if (!gutter) return [{ segments }];
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
