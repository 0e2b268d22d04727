/** Lines that are parts of letters, told by the words around them. */

import { heightOf, overlap, type Ruling } from '../../vision/geometry.ts';
import type { Lines } from '../../vision/lines/line-detection.ts';
import type { Word } from '../document.ts';

/** When a row of letters touches, their feet and heads make a line too. Underlines lie at the lower edge. */
function isInText(ruling: Ruling, words: Word[]): boolean {
  let covered = 0;
  for (const { box } of words) {
    const margin = 0.06 * heightOf(box);
    if (ruling.at > box[1] + margin && ruling.at < box[3] - margin)
      covered += Math.max(0, overlap(ruling.from, ruling.to, box[0], box[2]));
  }
  return covered > 0.6 * (ruling.to - ruling.from);
}

/** The same for stems and for the sides of large letters. */
function isStem(ruling: Ruling, words: Word[]): boolean {
  return words.some(
    ({ box }) =>
      ruling.at > box[0] &&
      ruling.at < box[2] &&
      overlap(ruling.from, ruling.to, box[1], box[3]) > 0.7 * (ruling.to - ruling.from),
  );
}

/** Leaves out the lines that are parts of letters. */
export function withoutLetters<L extends Lines>(lines: L, words: Word[]): L {
  return {
    ...lines,
    horizontal: lines.horizontal.filter((ruling) => !isInText(ruling, words)),
    vertical: lines.vertical.filter((ruling) => !isStem(ruling, words)),
  };
}
