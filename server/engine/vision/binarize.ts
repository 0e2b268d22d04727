/**
 * Tells the pixels of a page that are ink.
 *
 * A pixel is ink if it is clearly darker than the mean around it (Bradley and Roth, "Adaptive thresholding using the
 * integral image", 2007): shadows and gray paper do not matter. Inside large dark areas that rule finds nothing, so what
 * is dark by the page's own measure is ink as well.
 */

import type { InkImage } from './components.ts';
import type { GrayImage } from './images.ts';

/** Window of the local mean, as a share of the page's width. */
const windowShare = 1 / 24;
/** Least contrast of ink with its surroundings. */
const contrast = 0.12;
/** Noise of scanners and JPEG that is no ink, in levels of 255. */
const minDifference = 14;

/** Brightness of the paper and of solid ink: the 90th and the 1st hundredth of all pixels. */
export function pageTones({ data }: GrayImage): { paper: number; ink: number } {
  const counts = new Uint32Array(256);
  for (let index = 0; index < data.length; index += 3) counts[data[index]!]!++;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number): number => {
    let seen = 0;
    for (let level = 0; level < 256; level++) {
      seen += counts[level]!;
      if (seen >= share * total) return level;
    }
    return 255;
  };
  return { paper: at(0.9), ink: at(0.01) };
}

/** @param rows [from, to) to look at; the others stay without ink */
export function binarize(
  image: GrayImage,
  [from, to]: readonly [number, number] = [0, image.height],
): InkImage {
  const { width, height, data } = image;
  const half = Math.max(4, Math.round((width * windowShare) / 2));
  const { paper, ink } = pageTones(image);
  const dark = ink + 0.3 * (paper - ink);
  // No mean is above white: brighter pixels, most of a page, need none.
  const bright = Math.max(dark, 255 * (1 - contrast));
  const out = new Uint8Array(width * height);
  const columnSums = new Uint32Array(width);
  const prefix = new Float64Array(width + 1);
  const addRow = (y: number, sign: 1 | -1): void => {
    const start = y * width;
    for (let x = 0; x < width; x++) columnSums[x]! += sign * data[start + x]!;
  };
  for (let y = Math.max(0, from - half); y < Math.min(from + half, height); y++) addRow(y, 1);
  for (let y = from; y < to; y++) {
    if (y + half < height) addRow(y + half, 1);
    if (y - half - 1 >= Math.max(0, from - half)) addRow(y - half - 1, -1);
    const rows = Math.min(height - 1, y + half) - Math.max(0, y - half) + 1;
    for (let x = 0; x < width; x++) prefix[x + 1] = prefix[x]! + columnSums[x]!;
    for (let x = 0; x < width; x++) {
      const value = data[y * width + x]!;
      if (value >= bright) continue;
      const left = x > half ? x - half : 0;
      const right = Math.min(x + half + 1, width);
      const mean = (prefix[right]! - prefix[left]!) / (rows * (right - left));
      const isInk = value < mean * (1 - contrast) && value < mean - minDifference;
      if (isInk || value < dark) out[y * width + x] = 1;
    }
  }
  return { width, height, data: out };
}
