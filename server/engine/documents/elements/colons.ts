/** Colons that stand apart from their label: two dots are too little for text detection. */

import type { Component } from '../../vision/components.ts';
import { type Box, centreX, centreY, heightOf, overlap, widthOf } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';

/** Of a dot, its distance from the other and how far the two may be out of line, in font sizes. */
const [minDot, maxDot] = [0.07, 0.3];
const [minApart, maxApart] = [0.22, 0.62];
const maxAside = 0.12;
/** Width of the paper around: nothing else of the row is nearer, in font sizes. */
const minClearanceEm = 0.25;
/** A page of noise is full of dots. */
const maxColons = 80;

interface Print {
  components: Component[];
  words: Word[];
  scale: number;
}

/** The colons as words of their rows. */
export function findColons({ components, words, scale }: Print): Word[] {
  const level = words.filter((word) => !word.turned);
  const pieces = components.map(({ box }) => box.map((value) => value / scale) as Box);
  const colons: Word[] = [];
  for (const row of rowsOf(level)) {
    const { size, box } = row;
    const inRow = pieces.filter((piece) => centreY(piece) > box[1] && centreY(piece) < box[3]);
    const isDot = (piece: Box): boolean =>
      [widthOf(piece), heightOf(piece)].every((side) => side > minDot * size && side < maxDot * size);
    for (const upper of inRow.filter(isDot)) {
      const lower = inRow.find((other) => isDot(other) && isBelow(upper, other, size));
      if (!lower) continue;
      const [left, right] = [Math.min(upper[0], lower[0]), Math.max(upper[2], lower[2])];
      const isNear = (other: Box): boolean =>
        other !== upper &&
        other !== lower &&
        overlap(other[0], other[2], left, right) > -minClearanceEm * size;
      const inWord = level.some(
        (word) => isNear(word.box) && overlap(word.box[1], word.box[3], box[1], box[3]) > 0,
      );
      if (inWord || inRow.some(isNear)) continue;
      colons.push({ ...row, text: ':', box: [left, box[1], right, box[3]], confidence: 0.9, source: 'ink' });
    }
  }
  return colons.length <= maxColons ? colons : [];
}

function isBelow(upper: Box, lower: Box, size: number): boolean {
  const apart = (centreY(lower) - centreY(upper)) / size;
  const aside = Math.abs(centreX(lower) - centreX(upper)) / size;
  return apart > minApart && apart < maxApart && aside < maxAside && heightOf(lower) < 2 * heightOf(upper);
}

/** One word for each row of print. */
function rowsOf(words: Word[]): Word[] {
  const rows: Word[] = [];
  for (const word of words)
    if (!rows.some((row) => Math.abs(centreY(row.box) - centreY(word.box)) < 0.4 * word.size))
      rows.push(word);
  return rows;
}
