/** Texts beside a box to tick: its label, and the words that are the box itself. */

import { type Box, centreX, centreY, contains, heightOf, overlap, widthOf } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';

import { toRows, toSegment, toSegments } from '../layout/segments.ts';

/** In points. */
const maxGap = 16;
/** Greatest distance between the starts of a wrapped label's lines. */
const indent = 3;

export const checkboxCharacters = /^[☐☑☒□■◻◼▢❏❑❒○◯◉●⦿◎]$/u;
/** Characters that recognition makes of an empty or ticked frame that touches its label. */
const misread = /^[口囗回曰日□☐☑☒■○◯〇●◎OoQD0@©®[(|]{1,2}[\])]?/u;

/** The same behind a label, where letters and digits are its own. */
const misreadBehind = /[口囗回曰日□☐☑☒■○◯〇●◎[(|]{1,2}[\])]?$/u;

const sameLine = (a: Box, b: Box): boolean =>
  overlap(a[1], a[3], b[1], b[3]) > 0.4 * Math.min(heightOf(a), heightOf(b));

/**
 * Words without the frames that recognition took for letters: a word inside a frame goes, a word that begins at a frame
 * begins behind it and loses the character that stood for it; a word that ends in a frame ends before it.
 */
export function withoutContours(words: Word[], frames: Box[]): Word[] {
  return words.flatMap((word) => {
    const frame = frames.find((box) => contains(word.box, box, 1) || contains(box, word.box, 1));
    if (!frame) return [word];
    const behind = frame[0] - word.box[0] > 0.8 * widthOf(frame);
    const ends = word.box[2] < frame[2] + 0.35 * widthOf(frame);
    if (ends && !behind) return [];
    if (ends) {
      const text = word.text.replace(misreadBehind, '') || word.text;
      return [{ ...word, text, box: [word.box[0], word.box[1], frame[0], word.box[3]] }];
    }
    const starts = centreX(frame) - word.box[0] < widthOf(frame);
    if (!starts) return [word];
    const text = word.text.replace(misread, '') || word.text;
    return [{ ...word, text, box: [frame[2], word.box[1], word.box[2], word.box[3]] }];
  });
}

interface Surroundings {
  words: Word[];
  /** All boxes of the page, this one too. */
  boxes: Box[];
}

/** The words right of a box up to the next box or a wide gap. */
function rightOf(box: Box, { words, boxes }: Surroundings): string {
  const nextBox = Math.min(
    Number.POSITIVE_INFINITY,
    ...boxes.filter((other) => sameLine(box, other) && other[0] > box[2]).map((other) => other[0]),
  );
  const beside = words.filter(
    (word) => sameLine(box, word.box) && centreX(word.box) > box[2] && word.box[2] <= nextBox + 1,
  );
  const first = toRows(beside)
    .flatMap((row) => toSegments(row))
    .sort((a, b) => Math.abs(centreY(a.box) - centreY(box)) - Math.abs(centreY(b.box) - centreY(box)))
    .find((segment) => segment.box[0] - box[2] < maxGap);
  if (!first) return '';
  return [first.text, ...linesBelow(first.box, first.size, { words, boxes })].join(' ');
}

/** A wrapped label goes on under its own first line, where no other box stands. */
function linesBelow(first: Box, size: number, { words, boxes }: Surroundings): string[] {
  const texts: string[] = [];
  let above = first;
  while (texts.length < 4) {
    const under = words.filter(
      (word) =>
        word.box[1] > centreY(above) &&
        word.box[1] - above[3] < 0.5 * size &&
        word.box[0] > first[0] - indent &&
        Math.abs(word.size - size) < 0.25 * size,
    );
    const row = toRows(under)[0];
    const line = row && toSegments(row)[0];
    if (!line || Math.abs(line.box[0] - first[0]) > indent) break;
    if (widthOf(above) < 0.8 * widthOf(line.box)) break;
    if (
      boxes.some((box) => sameLine(box, line.box) && box[2] <= first[0] + 1 && first[0] - box[2] < 2 * maxGap)
    )
      break;
    if (
      words.some(
        (word) => sameLine(word.box, line.box) && word.box[2] <= first[0] && first[0] - word.box[2] < maxGap,
      )
    )
      break;
    texts.push(line.text);
    above = line.box;
  }
  return texts;
}

function leftOf(box: Box, { words, boxes }: Surroundings): string {
  const lastBox = Math.max(
    Number.NEGATIVE_INFINITY,
    ...boxes.filter((other) => sameLine(box, other) && other[2] < box[0]).map((other) => other[2]),
  );
  const beside = words.filter(
    (word) => sameLine(box, word.box) && word.box[2] <= box[0] + 1 && word.box[0] >= lastBox - 1,
  );
  const row = toRows(beside)[0];
  const last = row && toSegments(row).at(-1);
  return last && box[0] - last.box[2] < maxGap ? last.text : '';
}

/** In a grid of answers: what heads the row, and what heads the column. */
function headings(box: Box, { words, boxes }: Surroundings): string {
  const firstInRow = Math.min(...boxes.filter((other) => sameLine(box, other)).map((other) => other[0]));
  const row = words.filter((word) => sameLine(box, word.box) && word.box[2] <= firstInRow + 1);
  const above = words.filter(
    (word) => word.box[3] <= box[1] + 1 && overlap(word.box[0], word.box[2], box[0] - 4, box[2] + 4) > 0,
  );
  const topBox = Math.min(
    ...boxes.filter((other) => Math.abs(centreX(other) - centreX(box)) < 4).map((other) => other[1]),
  );
  const column = toRows(above.filter((word) => word.box[3] <= topBox + 1)).at(-1);
  if (row.length === 0 || !column) return '';
  return `${toSegment(toRows(row)[0]!).text}: ${toSegment(column).text}`;
}

/**
 * The label of each box: right of it, as nearly all forms have it; on pages that print most labels to the left, left;
 * in a grid the headings of its row and column. Empty where there is none.
 */
export function labelCheckboxes(boxes: Box[], allWords: Word[]): string[] {
  const words = allWords.filter((word) => !word.turned && !checkboxCharacters.test(word.text));
  const surroundings = { words, boxes };
  const right = boxes.map((box) => rightOf(box, surroundings));
  const left = boxes.map((box) => leftOf(box, surroundings));
  const count = (labels: string[]): number => labels.filter((label) => label !== '').length;
  const onlyLeft = boxes.filter((_, index) => left[index] !== '' && right[index] === '').length;
  const preferLeft = count(left) > count(right) || (onlyLeft > 0 && count(left) === boxes.length);
  return boxes.map((box, index) => {
    const beside = preferLeft ? left[index] || right[index] : right[index] || left[index];
    return (beside || headings(box, surroundings)).replace(/^[\s:：.·…_-]+|[\s:：·…_]+$/gu, '');
  });
}
