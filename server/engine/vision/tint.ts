/** Colorfulness of a picture, pixel by pixel: stamps and pens are, print mostly is not. */

import type { RgbImage } from './images.ts';

/** As a picture whose brightness is 255 for gray and falls to 0 for pure colors. */
export function toTint({ width, height, data }: RgbImage): RgbImage {
  const tint = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const red = data[at]!;
    const green = data[at + 1]!;
    const blue = data[at + 2]!;
    const value = 255 - Math.max(red, green, blue) + Math.min(red, green, blue);
    tint[at] = tint[at + 1] = tint[at + 2] = value;
  }
  return { width, height, data: tint };
}
