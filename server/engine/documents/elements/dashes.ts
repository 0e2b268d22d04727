/**
 * Dashes that stand alone, as tables have them for "none": text recognition overlooks them.
 *
 * A dash is a short flat piece of ink with paper around it, halfway up the print of its row. A page that uses them has
 * several; one alone may be dirt.
 */

import type { Component, InkImage } from '../../vision/components.ts';
import { type Box, heightOf } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';

import { inkShare } from './checkbox-contours.ts';

/** In points. */
const [minLength, maxLength, maxThickness] = [1.7, 10, 1.9];
const margin = 2.2;
const minDashes = 3;

interface Print {
  ink: InkImage;
  components: Component[];
  words: Word[];
  scale: number;
}

function isDash({ box, area }: Component, { ink, scale }: Print): boolean {
  const [length, thickness] = [(box[2] - box[0]) / scale, (box[3] - box[1]) / scale];
  if (length < minLength || length > maxLength || thickness > maxThickness || length < 1.6 * thickness)
    return false;
  if (area < 0.6 * (box[2] - box[0]) * (box[3] - box[1])) return false;
  const far = margin * scale;
  const [x0, y0, x1, y1] = box;
  const around: Box[] = [
    [x0 - far, y0 - far, x1 + far, y0 - 1],
    [x0 - far, y1 + 1, x1 + far, y1 + far],
    [x0 - far, y0 - 1, x0 - 1, y1 + 1],
    [x1 + 1, y0 - 1, x1 + far, y1 + 1],
  ];
  return around.every((part) => inkShare(ink, part) < 0.02);
}

/** The dashes as words of their rows; none where the page has only one or two. */
export function findDashes(print: Print): Word[] {
  const { components, words, scale } = print;
  const dashes = components
    .filter((component) => isDash(component, print))
    .flatMap(({ box }): Word[] => {
      const [x0, x1, y] = [box[0] / scale, box[2] / scale, (box[1] + box[3]) / 2 / scale];
      const inWord = words.some(
        ({ box: b }) => x1 > b[0] - 1 && x0 < b[2] + 1 && y > b[1] - 1 && y < b[3] + 1,
      );
      const row = words.find(
        ({ box: b, turned }) => !turned && y > b[1] + 0.3 * heightOf(b) && y < b[3] - 0.2 * heightOf(b),
      );
      if (inWord || !row) return [];
      return [
        {
          text: '-',
          box: [x0, row.box[1], x1, row.box[3]],
          baseline: row.baseline,
          size: row.size,
          bold: false,
          turned: false,
          confidence: 0.9,
          source: 'ink',
        },
      ];
    });
  return dashes.length >= minDashes ? dashes : [];
}
