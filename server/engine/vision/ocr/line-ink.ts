/** Places of the ink of a crop: tight boxes of words, and the gaps between characters. */

import type { LineCrop } from './line-crop.ts';

export interface Ink {
  /** Pixels of ink in each column and row. */
  columns: Uint16Array;
  rows: Uint16Array;
}

const levels = 64;

/** Brightness in 0..levels-1. */
function brightness({ width, height, data }: LineCrop): Uint8Array {
  const plane = width * height;
  const values = new Uint8Array(plane);
  for (let index = 0; index < plane; index++) {
    // Green weighs most (ITU-R BT.601); the crop holds -1..1.
    const gray = 0.114 * data[index]! + 0.587 * data[plane + index]! + 0.299 * data[2 * plane + index]!;
    values[index] = Math.min(levels - 1, Math.max(0, ((gray + 1) / 2) * levels));
  }
  return values;
}

/** The level that parts dark from bright best (Otsu 1979). */
export function otsuLevel(histogram: ArrayLike<number>): number {
  let [total, sum] = [0, 0];
  for (let level = 0; level < histogram.length; level++) {
    total += histogram[level]!;
    sum += level * histogram[level]!;
  }
  let [best, bestSpread, below, belowSum] = [0, -1, 0, 0];
  for (let level = 0; level < histogram.length - 1; level++) {
    below += histogram[level]!;
    belowSum += level * histogram[level]!;
    if (below === 0 || below === total) continue;
    const difference = belowSum / below - (sum - belowSum) / (total - below);
    const spread = below * (total - below) * difference * difference;
    if (spread > bestSpread) [best, bestSpread] = [level, spread];
  }
  return best;
}

/** Shares of a crop's height within which rulings above and below its text lie. */
const [topZone, bottomZone] = [0.25, 0.75];

/** Ends of the runs of ink in a row that are longer than any letter is wide: pieces of a ruling. */
function rulingRuns(row: Uint8Array, shortest: number): [number, number][] {
  const runs: [number, number][] = [];
  let from = 0;
  for (let x = 0; x <= row.length; x++) {
    if (row[x]) continue;
    if (x - from >= shortest) runs.push([from, x]);
    from = x + 1;
  }
  return runs;
}

/** The same with the ink itself, a byte a pixel. */
export interface InkMap extends Ink {
  data: Uint8Array;
}

/** Wipes out rulings that reach into a crop from above or below, with what lies beyond them. */
function wipeRulings({ data, columns, rows }: InkMap): void {
  const [width, height] = [columns.length, rows.length];
  const wipe = (y: number, [top, bottom]: [number, number]): void => {
    if (rows[y]! < height) return;
    for (const [from, to] of rulingRuns(data.subarray(y * width, (y + 1) * width), height))
      for (let row = Math.max(0, top); row < Math.min(height, bottom); row++)
        for (let x = from; x < to; x++) {
          const at = row * width + x;
          columns[x]! -= data[at]!;
          rows[row]! -= data[at]!;
          data[at] = 0;
        }
  };
  for (let y = Math.ceil(topZone * height) - 1; y >= 0; y--) wipe(y, [0, y + 2]);
  for (let y = Math.floor(bottomZone * height); y < height; y++) wipe(y, [y - 1, height]);
}

/** Ink is the rarer of dark and bright; rulings above and below are none. */
export function measureInk(crop: LineCrop): InkMap {
  const { width, height } = crop;
  const values = brightness(crop);
  const histogram = new Uint32Array(levels);
  for (const value of values) histogram[value]!++;
  const level = otsuLevel(histogram);
  let dark = 0;
  for (let index = 0; index <= level; index++) dark += histogram[index]!;
  const inkIsDark = dark <= values.length / 2;
  const columns = new Uint16Array(width);
  const rows = new Uint16Array(height);
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (values[at]! <= level !== inkIsDark) continue;
      data[at] = 1;
      columns[x]!++;
      rows[y]!++;
    }
  }
  const map = { data, columns, rows };
  wipeRulings(map);
  return map;
}

/** A column with this much ink is still a gap: specks of noise, the fringe of a blurred letter. */
const maxGapInk = 1;

/** Widest run of columns (nearly) without ink in [from, to), in pixels. */
export function widestGap({ columns }: Ink, from: number, to: number): number {
  let [widest, run] = [0, 0];
  for (let x = Math.max(0, Math.floor(from)); x < Math.min(columns.length, to); x++) {
    run = columns[x]! <= maxGapInk ? run + 1 : 0;
    if (run > widest) widest = run;
  }
  return widest;
}

/** The part of [from, to) that holds ink; the whole where there is none. */
export function inkSpan(profile: Uint16Array, from: number, to: number, least = 1): [number, number] {
  let [first, last] = [Math.max(0, Math.floor(from)), Math.min(profile.length, Math.ceil(to))];
  while (first < last && profile[first]! < least) first++;
  while (last > first && profile[last - 1]! < least) last--;
  return first < last ? [first, last] : [from, to];
}
