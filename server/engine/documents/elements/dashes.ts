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
/** One sign that is no dash, letter or digit. */
const otherSign = /^[^\p{L}\p{N}\p{Pd}−]$/u;

interface Print {
  ink: InkImage;
  components: Component[];
  words: Word[];
  scale: number;
}

function isDash({ box, area }: Component, { ink, scale }: Pick<Print, 'ink' | 'scale'>): boolean {
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

const isAround = ({ box: b }: Word, { box }: Component, scale: number): boolean => {
  const [x0, x1, y] = [box[0] / scale, box[2] / scale, (box[1] + box[3]) / 2 / scale];
  return x1 > b[0] - 1 && x0 < b[2] + 1 && y > b[1] - 1 && y < b[3] + 1;
};

/** The word on whose row a dash lies halfway up. */
const rowOf = ({ box }: Component, words: Word[], scale: number): Word | undefined => {
  const y = (box[1] + box[3]) / 2 / scale;
  return words.find(
    ({ box: b, turned }) => !turned && y > b[1] + 0.3 * heightOf(b) && y < b[3] - 0.2 * heightOf(b),
  );
};

/** Words of one other sign whose ink is a dash alone: recognition gives quotation marks and points for it. */
export function correctDashes(words: Word[], print: Omit<Print, 'words'>): Word[] {
  const { components, scale } = print;
  return words.map((word) => {
    if (!otherSign.test(word.text)) return word;
    const dash = components.find((component) => isAround(word, component, scale) && isDash(component, print));
    if (!dash) return word;
    // Text detection may have seen nothing but the dash, whose height tells nothing of the row.
    const others = words.filter((other) => other !== word && other.size >= word.size);
    const row = rowOf(dash, others, scale);
    if (!row) return word;
    const box: Box = [word.box[0], row.box[1], word.box[2], row.box[3]];
    return { ...word, text: '-', box, baseline: row.baseline, size: row.size };
  });
}

/** The dashes as words of their rows; none where the page has only one or two. */
export function findDashes(print: Print): Word[] {
  const { components, words, scale } = print;
  const dashes = components
    .filter((component) => isDash(component, print))
    .filter((component) => !words.some((word) => isAround(word, component, scale)))
    .flatMap((component): Word[] => {
      const { box } = component;
      const row = rowOf(component, words, scale);
      if (!row) return [];
      const [x0, x1] = [box[0] / scale, box[2] / scale];
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
