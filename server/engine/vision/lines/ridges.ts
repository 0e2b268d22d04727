/**
 * Thin dark strokes of a picture, whatever they are drawn on.
 *
 * The black top-hat of morphology with an upright line as its element: a pixel is on a ridge if it is darker than what
 * a gray-scale closing of that height leaves in its place (Serra, Image Analysis and Mathematical Morphology, 1982).
 * Rules on white and on shaded cells are found alike; areas, text stems and their edges are not.
 */

import type { GrayImage } from '../images.ts';

/** The upper bit of each of four bytes. */
const upperBits = 0x80808080 | 0;

/** The greater of each two of four bytes, without a branch, which the noise of scans would mispredict. */
function greaterBytes(a: number, b: number): number {
  const lower = (a | upperBits) - (b & ~upperBits);
  const isGreater = ((a & ~b) | (~(a ^ b) & lower)) & upperBits;
  return b ^ ((a ^ b) & ((isGreater << 1) - (isGreater >>> 7)));
}

/** Running maximum down each column over `size` rows (odd) around each pixel, by van Herk's two passes; four columns a number. */
function columnMaximum(data: Int32Array, { width, height }: { width: number; height: number }, size: number) {
  const half = size >> 1;
  const forward = new Int32Array(data);
  const backward = new Int32Array(data);
  for (let y = 1; y < height; y++) {
    if (y % size === 0) continue;
    for (let at = y * width, end = at + width; at < end; at++)
      forward[at] = greaterBytes(forward[at - width]!, forward[at]!);
  }
  for (let y = height - 2; y >= 0; y--) {
    if ((y + 1) % size === 0) continue;
    for (let at = y * width, end = at + width; at < end; at++)
      backward[at] = greaterBytes(backward[at + width]!, backward[at]!);
  }
  const out = new Int32Array(data.length);
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - half) * width;
    const below = Math.min(height - 1, y + half) * width;
    for (let x = 0, at = y * width; x < width; x++, at++)
      out[at] = greaterBytes(backward[above + x]!, forward[below + x]!);
  }
  return out;
}

/** Darkness of each pixel below the closing: 0 where there is no thin stroke across. */
export function horizontalRidges({ width, height, data }: GrayImage, maxThickness: number): Uint8Array {
  const size = 2 * Math.ceil((maxThickness + 1) / 2) + 1;
  const rows = { width: Math.ceil(width / 4), height };
  const pixels = new Uint8Array(4 * rows.width * height);
  for (let y = 0; y < height; y++) pixels.set(data.subarray(y * width, (y + 1) * width), 4 * rows.width * y);
  const widened = columnMaximum(new Int32Array(pixels.buffer), rows, size);
  // The minimum is the maximum of the inverse.
  for (let at = 0; at < widened.length; at++) widened[at] = ~widened[at]!;
  const closed = new Uint8Array(columnMaximum(widened, rows, size).buffer);
  const ridges = new Uint8Array(data.length);
  for (let y = 0, at = 0; y < height; y++)
    for (let from = 4 * rows.width * y, end = at + width; at < end; at++, from++)
      ridges[at] = 255 - closed[from]! - data[at]!;
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
