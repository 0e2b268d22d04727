/** Long runs of ridge pixels along the rows of a picture. */

import type { GrayImage } from '../images.ts';

export interface PixelRun {
  row: number;
  from: number;
  /** Exclusive. */
  to: number;
}

export interface LineRunOptions {
  /** Ridges lower than this are noise, in levels of 255. */
  minContrast: number;
  minLength: number;
  /** Holes of this many pixels do not end a run: dots, dust, thin toner. */
  maxHole: number;
  /** Nor does ink this wide that stands across it: crossing lines, text that touches. */
  maxCrossing: number;
}

/** Pixels as dark as the line itself, give or take, at its crossings. */
const crossingTolerance = 40;

/** Share of a run that must be ridge. Stems make up more of a row of text; only long runs may cross a lot. */
const minRidgeShare = (length: number, minLength: number): number => (length < 5 * minLength ? 0.8 : 0.62);

export function ridgeRuns(image: GrayImage, ridges: Uint8Array, options: LineRunOptions): PixelRun[] {
  const { width, height, data } = image;
  const { minContrast, minLength, maxHole, maxCrossing } = options;
  const runs: PixelRun[] = [];
  for (let row = 0; row < height; row++) {
    const start = row * width;
    let from = -1;
    let last = -1;
    let ridge = 0;
    let tone = 0;
    let crossing = 0;
    const close = (): void => {
      const length = last + 1 - from;
      if (from >= 0 && length >= minLength && ridge >= minRidgeShare(length, minLength) * length)
        runs.push({ row, from, to: last + 1 });
      from = -1;
    };
    for (let x = 0; x < width; x++) {
      const at = start + x;
      if (ridges[at]! >= minContrast) {
        if (from < 0) [from, ridge, tone] = [x, 0, data[at]!];
        ridge++;
        crossing = 0;
        tone += (data[at]! - tone) / 8;
        last = x;
      } else if (from >= 0) {
        if (data[at]! <= tone + crossingTolerance) crossing++;
        if (x - last - crossing > maxHole || crossing > maxCrossing) close();
      }
    }
    close();
  }
  return runs;
}
