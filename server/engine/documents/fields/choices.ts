/** The boxes that belong to a question: behind it on its row, or in a list under it. */

import { type Box, centreY, heightOf, overlap } from '../../vision/geometry.ts';
import type { CheckboxElement } from '../document.ts';

import type { PlacedSegment } from './reading.ts';

/** Rows of a list are at most this many heights of their boxes apart. */
const maxPitch = 3;
const indent = 4;
/** Print further left than this belongs to another column. */
const maxLabelReach = 60;

const sameRow = (a: Box, b: Box): boolean =>
  overlap(a[1], a[3], b[1], b[3]) > 0.3 * Math.min(heightOf(a), heightOf(b));

/** `Gender: ☐ Female ☒ Male`, where `label` is the place of the question's own words. */
export function choicesBehind(piece: PlacedSegment, label: Box, boxes: CheckboxElement[]): CheckboxElement[] {
  const onRow = boxes
    .filter(({ page, box }) => page === piece.page && sameRow(box, label) && box[0] > label[2] - 2)
    .sort((a, b) => a.box[0] - b.box[0]);
  const first = onRow[0];
  // Words between the question and the first box are an answer in writing.
  const between = piece.page.words.some(
    (word) => first && sameRow(word.box, label) && word.box[0] > label[2] && word.box[2] < first.box[0] + 1,
  );
  return between ? [] : onRow;
}

/** A row of print between two boxes, such as the next question. */
function hasTextBetween({ page }: PlacedSegment, upper: Box, lower: Box): boolean {
  return page.words.some(
    ({ box, turned }) =>
      !turned &&
      centreY(box) > upper[3] + 1 &&
      centreY(box) < lower[1] - 1 &&
      box[0] < lower[2] &&
      lower[0] - box[2] < maxLabelReach,
  );
}

/** The list that begins right under a question. */
export function choicesUnder(piece: PlacedSegment, boxes: CheckboxElement[]): CheckboxElement[] {
  const below = boxes
    .filter(({ page, box }) => page === piece.page && box[1] > piece.box[3] - 3 && box[0] < piece.box[2])
    .sort((a, b) => a.box[1] - b.box[1]);
  const list: CheckboxElement[] = [];
  for (const choice of below) {
    const last = list.at(-1)?.box ?? piece.box;
    const next = choice.box[1] - last[3] < maxPitch * heightOf(choice.box);
    const aligned = list.length === 0 || Math.abs(choice.box[0] - list[0]!.box[0]) < indent;
    if (!next || (list.length > 0 && hasTextBetween(piece, last, choice.box))) break;
    if (aligned) list.push(choice);
  }
  const first = list[0];
  // Another line of text between them has its own claim to the list.
  const between = piece.page.words.some(
    (word) =>
      first &&
      !word.turned &&
      word.box[1] > piece.box[3] - 2 &&
      word.box[3] < first.box[1] + 2 &&
      overlap(word.box[0], word.box[2], piece.box[0], piece.box[2]) > 0,
  );
  return between ? [] : list;
}
