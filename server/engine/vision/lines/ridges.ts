/**
 * Thin dark strokes of a picture, whatever they are drawn on.
 *
 * The black top-hat of morphology with an upright line as its element: a pixel is on a ridge if it is darker than what
 * a gray-scale closing of that height leaves in its place (Serra, Image Analysis and Mathematical Morphology, 1982).
 * Rules on white and on shaded cells are found alike; areas, text stems and their edges are not.
 */

import type { GrayImage } from '../images.ts';

/** Running maximum down each column over `size` rows (odd) around each pixel, by van Herk's two passes. */
function columnMaximum({ width, height, data }: GrayImage, size: number): Uint8Array {
  const half = size >> 1;
  const forward = new Uint8Array(data);
  const backward = new Uint8Array(data);
  for (let y = 1; y < height; y++) {
    if (y % size === 0) continue;
    for (let at = y * width, end = at + width; at < end; at++)
      if (forward[at - width]! > forward[at]!) forward[at] = forward[at - width]!;
  }
  for (let y = height - 2; y >= 0; y--) {
    if ((y + 1) % size === 0) continue;
    for (let at = y * width, end = at + width; at < end; at++)
      if (backward[at + width]! > backward[at]!) backward[at] = backward[at + width]!;
  }
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - half) * width;
    const below = Math.min(height - 1, y + half) * width;
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const up = backward[above + x]!;
      const down = forward[below + x]!;
      out[at] = Math.max(up, down);
    }
  }
  return out;
}

/** Darkness of each pixel below the closing: 0 where there is no thin stroke across. */
export function horizontalRidges({ width, height, data }: GrayImage, maxThickness: number): Uint8Array {
  const size = 2 * Math.ceil((maxThickness + 1) / 2) + 1;
  const widened = columnMaximum({ width, height, data }, size);
  // The minimum is the maximum of the inverse.
  for (let at = 0; at < widened.length; at++) widened[at] = 255 - widened[at]!;
  const ridges = columnMaximum({ width, height, data: widened }, size);
  for (let at = 0; at < ridges.length; at++) ridges[at] = 255 - ridges[at]! - data[at]!;
  return ridges;
}

/** The picture with rows and columns exchanged, so that vertical lines are found by the code for horizontal ones. */
export function transpose({ width, height, data }: GrayImage): GrayImage {
  const out = new Uint8Array(data.length);
  const block = 32;
  for (let top = 0; top < height; top += block)
    for (let left = 0; left < width; left += block)
      for (let y = top; y < Math.min(height, top + block); y++)
        for (let x = left; x < Math.min(width, left + block); x++) out[x * height + y] = data[y * width + x]!;
  return { width: height, height: width, data: out };
}
