/**
 * Rubber stamps: colored ink inside a frame of the same ink, round, oval or rectangular, as large as a stamp is.
 */

import { findComponents, type InkImage } from '../../vision/components.ts';
import { type Box, centreX, centreY, contains, heightOf, widthOf } from '../../vision/geometry.ts';
import type { GrayImage } from '../../vision/images.ts';
import { isColored } from '../../vision/tint.ts';

export interface Stamp {
  /** In points. */
  box: Box;
  confidence: number;
}

/** In points. */
const [minSide, maxSide] = [32, 210];
const rays = 72;
/** Share of the directions in which the frame must be there: stamps print unevenly. */
const minOutline = 0.62;
/** Logos and pictures are filled; a stamp is mostly paper. */
const [minInk, maxInk] = [0.05, 0.55];

/** Colored pixels; gaps of a pixel or two between them are closed, as stamps print in patches. */
function coloredInk(tint: GrayImage, scale: number): InkImage {
  const { width, height } = tint;
  const step = Math.max(1, Math.round(scale));
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const data = new Uint8Array(columns * rows);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / step) * columns;
    for (let x = 0, at = y * width; x < width; x++, at++)
      if (isColored(tint.data[at]!)) data[row + Math.floor(x / step)] = 1;
  }
  return { width: columns, height: rows, data };
}

const isInk = ({ width, height, data }: InkImage, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;

/** Share of the rays from the centre that meet ink in the outermost part of an ellipse. */
function roundOutline(ink: InkImage, box: Box): number {
  let met = 0;
  for (let ray = 0; ray < rays; ray++) {
    const angle = (2 * Math.PI * ray) / rays;
    for (let share = 0.88; share <= 1.02; share += 0.02) {
      const x = Math.floor(centreX(box) + (Math.cos(angle) * widthOf(box) * share) / 2);
      const y = Math.floor(centreY(box) + (Math.sin(angle) * heightOf(box) * share) / 2);
      if (!isInk(ink, x, y)) continue;
      met++;
      break;
    }
  }
  return met / rays;
}

/** The least covered side of a rectangle. */
function straightOutline(ink: InkImage, [x0, y0, x1, y1]: Box): number {
  const depth = Math.max(2, Math.round(0.06 * Math.min(x1 - x0, y1 - y0)));
  const side = (length: number, at: (along: number, inward: number) => [number, number]): number => {
    let met = 0;
    for (let along = 0; along < length; along++)
      for (let inward = 0; inward < depth; inward++)
        if (isInk(ink, ...at(along, inward))) {
          met++;
          break;
        }
    return met / length;
  };
  return Math.min(
    side(x1 - x0, (along, inward) => [x0 + along, y0 + inward]),
    side(x1 - x0, (along, inward) => [x0 + along, y1 - 1 - inward]),
    side(y1 - y0, (along, inward) => [x0 + inward, y0 + along]),
    side(y1 - y0, (along, inward) => [x1 - 1 - inward, y0 + along]),
  );
}

function inkWithin(ink: InkImage, [x0, y0, x1, y1]: Box): number {
  let count = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) count += ink.data[y * ink.width + x]!;
  return count / ((x1 - x0) * (y1 - y0));
}

/** `tint`: a picture that is dark where the page is colorful. `scale`: its pixels a point. */
export function findStamps(tint: GrayImage, scale: number): Stamp[] {
  const ink = coloredInk(tint, scale);
  const step = Math.max(1, Math.round(scale));
  const toPoints = (box: Box): Box => box.map((value) => (value * step) / scale) as Box;
  const found = findComponents(ink).flatMap(({ box }): Stamp[] => {
    const place = toPoints(box);
    const [width, height] = [widthOf(place), heightOf(place)];
    if (Math.min(width, height) < minSide * 0.6 || Math.max(width, height) < minSide) return [];
    if (Math.max(width, height) > maxSide || Math.max(width, height) > 4.5 * Math.min(width, height))
      return [];
    const share = inkWithin(ink, box);
    if (share < minInk || share > maxInk) return [];
    const outline = Math.max(roundOutline(ink, box), straightOutline(ink, box));
    if (outline < minOutline) return [];
    return [{ box: place, confidence: Math.round((0.45 + 0.45 * outline) * 100) / 100 }];
  });
  return found.filter(
    ({ box }) =>
      !found.some(
        (other) => other.box !== box && contains(other.box, box) && widthOf(other.box) > widthOf(box),
      ),
  );
}
