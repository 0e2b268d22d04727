/** Tells if a page shows more than its own text and drawing: pictures, or letters drawn as shapes. */

import type { InkImage } from '../../vision/components.ts';
import { toGray } from '../../vision/deskew.ts';
import { type Box, heightOf, unionBox, widthOf } from '../../vision/geometry.ts';
import type { RgbImage } from '../../vision/images.ts';
import { minColor } from '../../vision/tint.ts';
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

/** Pixels that differ from the page's background where nothing is known to be: 1. `image` is the page at any resolution. */
function uncoveredInk(page: Page, image: RgbImage): InkImage {
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
  for (let index = 0; index < data.length; index++)
    covered[index] = !covered[index] && Math.abs(data[index]! - background) > contrast ? 1 : 0;
  return { width, height, data: covered };
}

/** Share of the page's pixels that differ from its background where nothing is known to be. `image` is the page at any resolution. */
export function uncoveredInkRatio(page: Page, image: RgbImage): number {
  const { data } = uncoveredInk(page, image);
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}

/** Kinds of ink beside a page's text, by a probe of it. */
export interface InkEvidence {
  /** Share of the page's pixels. */
  ratio: number;
  /** Around all that stands as close as in codes and pictures, not as in handwriting: 0..1 of the page; null: nothing. */
  dense: Box | null;
  isColored: boolean;
}

/** Pixels of the probe: the smallest codes have two by two such cells, all well filled. */
const denseCell = 4;
/** Colors of a thin line are paler in the probe. */
const minProbeColor = minColor / 2;
const denseInk = denseCell ** 2 / 2;

/** @param image the page at `probeDotsPerInch` */
export function inkEvidence(page: Page, image: RgbImage): InkEvidence {
  const { width, height, data } = uncoveredInk(page, image);
  const columns = Math.ceil(width / denseCell);
  const cells = new Uint8Array(columns * Math.ceil(height / denseCell));
  const rgb = image.data;
  let [count, isColored] = [0, false];
  for (let index = 0; index < data.length; index++) {
    if (!data[index]) continue;
    count++;
    cells[
      columns * Math.floor(Math.floor(index / width) / denseCell) + Math.floor((index % width) / denseCell)
    ]!++;
    const [red, green, blue] = [rgb[3 * index]!, rgb[3 * index + 1]!, rgb[3 * index + 2]!];
    isColored ||= Math.max(red, green, blue) - Math.min(red, green, blue) >= minProbeColor;
  }
  const areas: Box[] = [];
  for (let at = 0; at + columns + 1 < cells.length; at++) {
    const [x, y] = [denseCell * (at % columns), denseCell * Math.floor(at / columns)];
    const isDense = [at, at + 1, at + columns, at + columns + 1].every((cell) => cells[cell]! >= denseInk);
    if (isDense && (at + 1) % columns !== 0) areas.push([x, y, x + 2 * denseCell, y + 2 * denseCell]);
  }
  const [x0, y0, x1, y1] = unionBox(areas);
  const dense: Box | null = areas.length > 0 ? [x0 / width, y0 / height, x1 / width, y1 / height] : null;
  return { ratio: count / data.length, dense, isColored };
}
