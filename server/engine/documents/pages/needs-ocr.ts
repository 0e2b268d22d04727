/** Tells if a page shows more than its own text and drawing: pictures, or letters drawn as shapes. */

import { toGray } from '../../vision/deskew.ts';
import { type Box, heightOf, widthOf } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import type { Page } from '../document.ts';

/** Low resolution is enough to see whether a page shows more than its text. */
export const probeDotsPerInch = 60;
const contrast = 60;

/** Areas larger than this share of the page may lie behind a picture. */
const maxFillShare = 0.04;

/** Places of the page's text, and of the lines and bars that it draws itself; slanted shapes may be letters. */
const knownBoxes = ({ words, horizontal, vertical, fills, width, height }: Page): Box[] => [
  ...words.map((word) => word.box),
  ...horizontal.map(({ at, from, to }): Box => [from, at, to, at]),
  ...vertical.map(({ at, from, to }): Box => [at, from, at, to]),
  ...fills.filter((box) => widthOf(box) * heightOf(box) < maxFillShare * width * height),
];

/** Share of the page's pixels that differ from its background where nothing is known to be. `image` is the page at any resolution. */
export function uncoveredInkRatio(page: Page, image: RgbImage): number {
  const { width, height, data } = toGray(image);
  const histogram = new Uint32Array(256);
  for (const value of data) histogram[value]!++;
  const background = histogram.indexOf(Math.max(...histogram));
  const covered = new Uint8Array(width * height);
  for (const box of knownBoxes(page)) {
    const [x0, y0, x1, y1] = page.toView(box);
    const [left, right] = [
      Math.max(0, Math.floor(x0 * width) - 1),
      Math.min(width, Math.ceil(x1 * width) + 1),
    ];
    for (let y = Math.max(0, Math.floor(y0 * height) - 1); y < Math.min(height, y1 * height + 1); y++)
      covered.fill(1, y * width + left, y * width + right);
  }
  let ink = 0;
  for (let index = 0; index < data.length; index++)
    if (!covered[index] && Math.abs(data[index]! - background) > contrast) ink++;
  return ink / data.length;
}
