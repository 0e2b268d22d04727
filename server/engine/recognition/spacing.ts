/**
 * Where words end. The recogniser reads letters well and blanks badly: it was trained mostly on Chinese. But where a
 * blank stands it is at least considered, so the probability it had between two characters tells far better than
 * whether it won.
 */

import type { ReadCharacter, ReadStrip } from './ctc.ts';
import { type Ink, widestGap } from './ink.ts';

const isIdeograph = (text: string): boolean =>
  /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/.test(text);

export interface Gap {
  /** Highest probability of a blank between the two characters. */
  blank: number;
  /** Widest run without ink between their centres, as a share of the line's height. */
  ink: number;
  /** Distance of their centres, as a multiple of the line's median. */
  pitch: number;
}

/** What lies between each character and the next. */
export function gapsOf(strip: ReadStrip, ink: Ink, height: number): Gap[] {
  const { characters, blanks, steps } = strip;
  const perStep = ink.columns.length / Math.max(1, steps);
  const centres = characters.map(({ from, to }) => (from + to) / 2);
  const distances = centres.slice(1).map((centre, index) => centre - centres[index]!);
  const sorted = distances.toSorted((a, b) => a - b);
  const median = Math.max(1, sorted[Math.floor(sorted.length / 2)] ?? 1);
  return distances.map((distance, index) => {
    const [left, right] = [characters[index]!, characters[index + 1]!];
    let blank = 0;
    for (let step = left.to; step <= right.from; step++) blank = Math.max(blank, blanks[step]!);
    const [from, to] = [(left.to + 0.5) * perStep, (right.from + 0.5) * perStep];
    return { blank, ink: widestGap(ink, from, to) / height, pitch: distance / median };
  });
}

const endsWord = (gap: Gap, left: ReadCharacter, right: ReadCharacter): boolean => {
  if (isIdeograph(left.text) && isIdeograph(right.text)) return gap.blank > 0.3;
  return gap.blank > 0.03;
};

/** Positions after which a word ends. */
export function wordEnds(strip: ReadStrip, ink: Ink, height: number): number[] {
  const gaps = gapsOf(strip, ink, height);
  return gaps.flatMap((gap, index) =>
    endsWord(gap, strip.characters[index]!, strip.characters[index + 1]!) ? [index] : [],
  );
}
