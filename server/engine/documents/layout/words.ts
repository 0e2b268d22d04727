/**
 * Joins glyphs into words.
 *
 * Glyphs mostly come in writing order, so one pass joins neighbours; a second pass over the sorted words joins what a
 * producer drew out of order (kerned pieces, right-to-left runs) and drops text that was drawn twice to look bold.
 */

import type { Box } from '../../vision/geometry.ts';
import type { Word } from '../document.ts';
import type { Glyph } from '../pdf/page-content.ts';

import { logicalOrder, plainForms } from './bidi.ts';

/** Share of the font size that ends a word when no blank was drawn: half of a narrow blank. */
const wordGap = 0.17;
/** Pieces closer than this are one word even if they were drawn apart. */
const joinGap = 0.09;

/** A word with the place where its last letter ends. */
type Spread = Word & { end: number };

function startWord(glyph: Glyph): Spread {
  return {
    text: glyph.text,
    box: [...glyph.box],
    baseline: glyph.y,
    size: glyph.size,
    bold: glyph.bold,
    turned: false,
    source: 'text_layer',
    end: glyph.x + glyph.advance,
  };
}

function extend(box: Box, other: Box): void {
  if (other[0] < box[0]) box[0] = other[0];
  if (other[1] < box[1]) box[1] = other[1];
  if (other[2] > box[2]) box[2] = other[2];
  if (other[3] > box[3]) box[3] = other[3];
}

function continues(word: Spread, glyph: Glyph): boolean {
  const gap = glyph.x - word.end;
  return (
    Math.abs(glyph.y - word.baseline) < 0.2 * word.size &&
    gap < wordGap * word.size &&
    gap > -0.45 * word.size &&
    glyph.size > 0.6 * word.size &&
    glyph.size < 1.67 * word.size
  );
}

/** CJK has no blanks: its runs are cut at gaps of half a character instead. */
const isIdeograph = (text: string): boolean => /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/.test(text);

function joinInDrawingOrder(glyphs: Glyph[]): Spread[] {
  const words: Spread[] = [];
  let current: Spread | null = null;
  for (const glyph of glyphs) {
    if (glyph.blank) {
      current = null;
    } else if (current && continues(current, glyph)) {
      current.text += glyph.text;
      extend(current.box, glyph.box);
      current.end = glyph.x + glyph.advance;
      current.bold &&= glyph.bold;
    } else {
      current = startWord(glyph);
      words.push(current);
    }
  }
  return words;
}

function joinNeighbours(words: Spread[]): Spread[] {
  const sorted = words.sort((a, b) =>
    Math.abs(a.baseline - b.baseline) < 0.1 * Math.min(a.size, b.size)
      ? a.box[0] - b.box[0]
      : a.baseline - b.baseline,
  );
  const joined: Spread[] = [];
  for (const word of sorted) {
    const last = joined.at(-1);
    const sameLine = last && Math.abs(last.baseline - word.baseline) < 0.1 * word.size;
    if (sameLine && isDrawnTwice(last, word)) continue;
    const gap = sameLine ? word.box[0] - last.end : Number.POSITIVE_INFINITY;
    const limit = isIdeograph(word.text) && last && isIdeograph(last.text) ? 0.4 : joinGap;
    if (last && gap < limit * word.size && gap > -0.3 * word.size && word.size < 1.5 * last.size) {
      last.text += word.text;
      extend(last.box, word.box);
      last.end = Math.max(last.end, word.end);
    } else joined.push(word);
  }
  return joined;
}

const isDrawnTwice = (a: Word, b: Word): boolean =>
  a.text === b.text &&
  Math.abs(a.box[0] - b.box[0]) < 0.25 * a.size &&
  Math.abs(a.box[2] - b.box[2]) < 0.25 * a.size;

/** Letters of a word set apart: as many pieces at least, and the gaps between, in font sizes. */
const minSpaced = 4;
const maxSpacedGap = 0.6;
/** A gap between such words is wider than those between their letters. */
const spacedBreak = 1.5;
const spacedPiece = /^[\p{Lu}\d&.'’]{1,2}$/u;

const gapsOf = (run: readonly Spread[]): number[] =>
  run.slice(1).map((word, at) => word.box[0] - run[at]!.end);

const middleGap = (run: readonly Spread[]): number =>
  gapsOf(run).sort((a, b) => a - b)[(run.length - 1) >> 1]!;

/** A run of letters as the words that they spell. */
function spelled(run: Spread[]): Spread[] {
  const gaps = gapsOf(run);
  const middle = middleGap(run);
  const words: Spread[] = [{ ...run[0]!, box: [...run[0]!.box] }];
  for (const [at, word] of run.slice(1).entries()) {
    const last = words.at(-1)!;
    if (gaps[at]! > spacedBreak * middle) words.push({ ...word, box: [...word.box] });
    else {
      last.text += word.text;
      extend(last.box, word.box);
      last.end = word.end;
    }
  }
  return words;
}

/** `I N V O I C E   T O`: capitals set wide apart are words; in the order of their lines. */
function joinSpaced(words: Spread[]): Spread[] {
  const joined: Spread[] = [];
  let run: Spread[] = [];
  const close = (): void => {
    const letters = run.filter(({ text }) => text.length === 1).length;
    const isSpaced =
      run.length >= minSpaced && letters > run.length / 2 && middleGap(run) < maxSpacedGap * run[0]!.size;
    joined.push(...(isSpaced ? spelled(run) : run));
    run = [];
  };
  for (const word of words) {
    const last = run.at(-1);
    const goesOn =
      last &&
      Math.abs(last.baseline - word.baseline) < 0.1 * word.size &&
      Math.abs(last.size - word.size) < 0.1 * word.size &&
      word.box[0] > last.end &&
      word.box[0] - last.end < 2 * maxSpacedGap * word.size;
    if (!goesOn || !spacedPiece.test(word.text)) close();
    if (spacedPiece.test(word.text)) run.push(word);
    else joined.push(word);
  }
  close();
  return joined;
}

/** Words of upright glyphs (writing direction left to right in the given frame). */
export function uprightWords(glyphs: Glyph[]): Word[] {
  return joinSpaced(joinNeighbours(joinInDrawingOrder(glyphs))).map(
    ({ text, box, baseline, size, bold, turned, source }) => ({
      text: logicalOrder(plainForms(text)),
      box,
      baseline,
      size,
      bold,
      turned,
      source,
    }),
  );
}
