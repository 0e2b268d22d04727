/** The question that boxes to tick answer: before them on their row, or above their list. */

import { type Box, centreX, heightOf, overlap } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';
import { toRows, toSegments } from '../layout/segments.ts';

export interface LabelledBox {
  box: Box;
  label: string;
}

/** Gap that parts a question from labels on its row, in font sizes. */
const gap = 1.2;
/** Rows of one list lie this many heights of its boxes apart at most. */
const maxPitch = 3;
const indent = 6;

const sameLine = (a: Box, b: Box): boolean =>
  overlap(a[1], a[3], b[1], b[3]) > 0.4 * Math.min(heightOf(a), heightOf(b));
const plain = (text: string): string => text.replace(/[\s:：.·…_-]+/gu, '');
const tidy = (text: string): string => text.replace(/[\s:：·…_]+$/u, '').trim();

/** Text of a row between two places that is no label of the boxes beside it. */
function questionBetween(words: Word[], labels: readonly string[]): string {
  const segments = toRows(words).flatMap((row) => toSegments(row, gap));
  const isLabel = ({ text }: { text: string }): boolean =>
    labels.some((label) => label !== '' && plain(label).startsWith(plain(text)));
  const [question] = segments.filter((segment) => !isLabel(segment)).slice(-1);
  return question && /\p{L}{2}/u.test(question.text) ? tidy(question.text) : '';
}

/** Boxes with the same left edge, each right under the one before, up to `first`. */
function topOfList(first: LabelledBox, boxes: readonly LabelledBox[]): LabelledBox {
  const above = boxes.find(
    ({ box }) =>
      Math.abs(box[0] - first.box[0]) < indent &&
      box[3] <= first.box[1] + 1 &&
      first.box[1] - box[3] < (maxPitch - 1) * heightOf(box),
  );
  return above ? topOfList(above, boxes) : first;
}

function questionAbove(first: LabelledBox, boxes: readonly LabelledBox[], words: Word[]): string {
  const top = topOfList(first, boxes);
  const near = words.filter(
    ({ box }) => box[3] <= top.box[1] + 2 && top.box[1] - box[3] < (maxPitch - 1) * heightOf(top.box),
  );
  const line = toRows(near).at(-1);
  const over =
    line &&
    toSegments(line, gap).find(
      ({ box }) => box[0] < top.box[2] && top.box[0] - box[0] < 10 * indent && box[2] > top.box[0],
    );
  if (!over || boxes.some(({ box }) => sameLine(box, over.box))) return '';
  const isList = top !== first || boxes.some((other) => other !== top && topOfList(other, boxes) === top);
  return isList || /[:：?？]\s*$/.test(over.text) ? tidy(over.text) : '';
}

/** The question of each box; empty where the page prints none. */
export function checkboxGroups(boxes: readonly LabelledBox[], allWords: Word[]): string[] {
  const words = allWords.filter(({ turned }) => !turned);
  const found = new Map<LabelledBox, string>();
  for (const one of boxes) {
    if (found.has(one)) continue;
    const row = boxes.filter(({ box }) => sameLine(box, one.box)).sort((a, b) => a.box[0] - b.box[0]);
    let question = '';
    for (const [at, item] of row.entries()) {
      const before = row[at - 1];
      const from = before ? before.box[2] : Number.NEGATIVE_INFINITY;
      const between = words.filter(
        ({ box }) => sameLine(box, item.box) && centreX(box) > from && centreX(box) < item.box[0],
      );
      question = questionBetween(between, [before?.label ?? '', item.label]) || question;
      found.set(item, question || questionAbove(item, boxes, words));
    }
  }
  return boxes.map((one) => found.get(one) ?? '');
}
