/** Whether a page shows more than the text that its text layer has. */

import type { RgbImage } from '../../media/rgb-image.ts';
import type { Page } from '../layout/page.ts';
import { toGray } from './upright.ts';

/** Share of a page's pixels that differ from its background before it is worth reading: a line of text has more. */
const minShare = 0.0015;
const contrast = 60;

/** `image` is the page at any resolution. */
export function hasInkBeside(page: Page, image: RgbImage): boolean {
  const { width, height, data } = toGray(image);
  const histogram = new Uint32Array(256);
  for (const value of data) histogram[value]!++;
  const background = histogram.indexOf(Math.max(...histogram));
  const covered = new Uint8Array(width * height);
  for (const word of page.words) {
    const [x0, y0, x1, y1] = page.toView(word.box);
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
  return ink > minShare * data.length;
}
