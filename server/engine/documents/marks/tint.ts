/** How colourful a picture is, pixel by pixel: stamps and pens are, print mostly is not. */

import type { RgbImage } from '../../media/rgb-image.ts';

/** As a picture whose brightness is 255 for grey and falls to 0 for pure colours. */
export function toTint({ width, height, data }: RgbImage): RgbImage {
  const tint = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 3) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    tint.fill(255 - Math.max(red, green, blue) + Math.min(red, green, blue), at, at + 3);
  }
  return { width, height, data: tint };
}
