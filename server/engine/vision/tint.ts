/** Colorfulness of a picture, pixel by pixel: stamps and pens are, print mostly is not. */

import type { GrayImage, RgbImage } from './images.ts';

/** As a picture whose brightness is 255 for gray and falls to 0 for pure colors. */
export function toTint({ width, height, data }: RgbImage): GrayImage {
  const tint = new Uint8Array(width * height);
  for (let index = 0, from = 0; index < tint.length; index++, from += 3) {
    const red = data[from]!;
    const green = data[from + 1]!;
    const blue = data[from + 2]!;
    tint[index] = 255 - Math.max(red, green, blue) + Math.min(red, green, blue);
  }
  return { width, height, data: tint };
}

/** Least difference of a pixel's brightest and darkest channel for it to count as colored. */
export const minColor = 48;

export const isColored = (tint: number): boolean => tint < 255 - minColor;

export function hasColor({ data }: GrayImage): boolean {
  for (let index = 0; index < data.length; index++) if (isColored(data[index]!)) return true;
  return false;
}
