/**
 * Thin dark strokes of a picture, whatever they are drawn on.
 *
 * The black top-hat of morphology with an upright line as its element: a pixel is on a ridge if it is darker than what
 * a grey-scale closing of that height leaves in its place (Serra, Image Analysis and Mathematical Morphology, 1982).
 * Rules on white and on shaded cells are found alike; areas, text stems and their edges are not.
 */

import type { GrayImage } from '../../media/gray-image.ts';

type Pick = (a: number, b: number) => number;
const higher: Pick = (a, b) => (a > b ? a : b);
const lower: Pick = (a, b) => (a < b ? a : b);

/** Running maximum or minimum down each column over `size` rows around each pixel (odd), by van Herk's two passes. */
function columnFilter({ width, height, data }: GrayImage, size: number, pick: Pick): Uint8Array {
  const out = new Uint8Array(data.length);
  const half = size >> 1;
  const forward = new Uint8Array(data.length);
  const backward = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const first = y % size === 0;
    for (let at = y * width, end = at + width; at < end; at++)
      forward[at] = first ? data[at]! : pick(forward[at - width]!, data[at]!);
  }
  for (let y = height - 1; y >= 0; y--) {
    const last = y === height - 1 || (y + 1) % size === 0;
    for (let at = y * width, end = at + width; at < end; at++)
      backward[at] = last ? data[at]! : pick(backward[at + width]!, data[at]!);
  }
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - half) * width;
    const below = Math.min(height - 1, y + half) * width;
    const at = y * width;
    for (let x = 0; x < width; x++) out[at + x] = pick(backward[above + x]!, forward[below + x]!);
  }
  return out;
}

/** How much darker each pixel is than the closing: 0 where there is no thin stroke across. */
export function horizontalRidges(image: GrayImage, maxThickness: number): Uint8Array {
  const size = 2 * Math.ceil((maxThickness + 1) / 2) + 1;
  const { width, height, data } = image;
  const widened = columnFilter(image, size, higher);
  const closed = columnFilter({ width, height, data: widened }, size, lower);
  for (let at = 0; at < closed.length; at++) closed[at]! -= data[at]!;
  return closed;
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
