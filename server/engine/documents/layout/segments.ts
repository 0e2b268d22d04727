/** Groups words into baselines (rows) and cuts rows into segments at wide gaps. */

import { heightOf, overlap, unionBox } from '../../vision/geometry.ts';
import type { Segment, Word } from '../document.ts';
import { lineText } from './bidi.ts';

/** A gap of this many font sizes between two words ends a segment. A blank is about 0.28, justified text up to 0.8. */
export const segmentGap = 0.95;
/**
 * Of recognized letters that stand wide, as on tills, a gap of this many of them ends a segment: a blank has the width of one,
 * and a comma or an I leaves much of its own empty. Letters are wide up to a share of the font size.
 */
const letterGap = 1.7;
const maxLetter = 0.75;

/** Width of a letter of recognized words, as a share of their size; 0 for other rows, and for ideographs, which know no blanks. */
function letterWidth(row: readonly Word[]): number {
  const words = row.filter(({ text, source }) => text.length > 1 && source !== 'text_layer');
  if (words.some(({ text }) => /\p{Script=Han}/u.test(text))) return 0;
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const width = words.reduce((sum, { box, size }) => sum + (box[2] - box[0]) / size, 0);
  return letters === 0 ? 0 : Math.min(maxLetter, width / letters);
}

export function toSegment(words: Word[]): Segment {
  if (words.length === 1) {
    const { text, box, baseline, size } = words[0]!;
    return { words, text, box: [...box], baseline, size };
  }
  return {
    words,
    text: lineText(words.map((word) => word.text)),
    box: unionBox(words.map((word) => word.box)),
    baseline: words[0]!.baseline,
    size: Math.max(...words.map((word) => word.size)),
  };
}

const isSign = ({ text }: Word): boolean => !/[\p{L}\p{N}]/u.test(text);

const middleX = ({ box }: Word): number => (box[0] + box[2]) / 2;

/** Words of a row by their left edges; signs such as a colon by their middle, before the first word whose middle lies further right. */
function inOrder(row: Word[]): Word[] {
  const words = row.filter((word) => !isSign(word)).sort((a, b) => a.box[0] - b.box[0]);
  if (words.length === row.length) return words;
  const signs = row.filter(isSign).sort((a, b) => middleX(a) - middleX(b));
  const ordered: Word[] = [];
  let next = 0;
  for (const word of words) {
    while (next < signs.length && middleX(signs[next]!) < middleX(word)) ordered.push(signs[next++]!);
    ordered.push(word);
  }
  return [...ordered, ...signs.slice(next)];
}

/** Words on (nearly) one baseline, left to right; rows from top to bottom. */
export function toRows(words: Word[]): Word[][] {
  const sorted = words.toSorted((a, b) => a.baseline - b.baseline);
  const rows: { words: Word[]; baseline: number; top: number; bottom: number }[] = [];
  for (const word of sorted) {
    const row = rows.at(-1);
    const shared = row ? overlap(row.top, row.bottom, word.box[1], word.box[3]) : 0;
    if (
      row &&
      shared > 0.55 * Math.min(heightOf(word.box), row.bottom - row.top) &&
      word.baseline - row.baseline < 0.6 * word.size
    ) {
      row.words.push(word);
      row.top = Math.min(row.top, word.box[1]);
      row.bottom = Math.max(row.bottom, word.box[3]);
    } else rows.push({ words: [word], baseline: word.baseline, top: word.box[1], bottom: word.box[3] });
  }
  return rows.map((row) => inOrder(row.words));
}

/** Cuts a row at gaps wider than `gap` font sizes, or than letters that stand wide ask for, and between words that are told to be apart. */
export function toSegments(
  row: Word[],
  gap = segmentGap,
  areApart: (left: Word, right: Word) => boolean = () => false,
): Segment[] {
  const segments: Word[][] = [];
  const widest = Math.max(gap, letterGap * letterWidth(row));
  let right = Number.NEGATIVE_INFINITY;
  for (const word of row) {
    const last = segments.at(-1);
    const size = last ? Math.max(word.size, last.at(-1)!.size) : word.size;
    if (last && word.box[0] - right < widest * size && !areApart(last.at(-1)!, word)) last.push(word);
    else segments.push([word]);
    right = last ? Math.max(right, word.box[2]) : word.box[2];
  }
  return segments.map(toSegment);
}
