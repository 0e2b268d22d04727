/**
 * Ends of words. The recognizer reads letters well and blanks badly: it was trained mostly on Chinese. But where a
 * blank stands it is at least considered, so the probability it had between two characters tells far better than
 * whether it won; with the gap in the ink and what the two characters are, a logistic regression decides.
 */

import type { ReadCrop } from './ctc.ts';
import { hasWord, type Lexicon } from './lexicon.ts';
import { type Ink, widestGap } from './line-ink.ts';

export const isIdeograph = (text: string): boolean =>
  /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/.test(text);

export interface Gap {
  /** Highest probability of a blank between the two characters. */
  blank: number;
  /** Widest run without ink between their centres, as a share of the line's height. */
  ink: number;
  /** Distance of their centres, as a multiple of the line's median. */
  pitch: number;
}

/** Gap between each character and the next. */
export function gapsOf(crop: ReadCrop, ink: Ink, height: number): Gap[] {
  const { characters, blanks, timesteps } = crop;
  const pxPerTimestep = ink.columns.length / Math.max(1, timesteps);
  const centres = characters.map(({ from, to }) => (from + to) / 2);
  const distances = centres.slice(1).map((centre, index) => centre - centres[index]!);
  const sorted = distances.toSorted((a, b) => a - b);
  const median = Math.max(1, sorted[Math.floor(sorted.length / 2)] ?? 1);
  return distances.map((distance, index) => {
    const [left, right] = [characters[index]!, characters[index + 1]!];
    let blank = 0;
    for (let timestep = left.to; timestep <= right.from; timestep++)
      blank = Math.max(blank, blanks[timestep]!);
    const [from, to] = [(left.to + 0.5) * pxPerTimestep, (right.from + 0.5) * pxPerTimestep];
    return { blank, ink: widestGap(ink, from, to) / height, pitch: distance / median };
  });
}

/** Fitted on drawn lines of print: models/recipes/recognizer-spacing. */
const bias = -9.17;
// biome-ignore format: rows of numbers
const weights = [
  1.632, 0.157, 7.474, -7.275, 3.118, -2.673, 1.381, -0.595, 0.263,
  0.307, 0.571, -0.489, -1.358, 4.452, -0.716, -0.601, 0.037, 0.832,
  -0.625, -2.036, 0.791, 5.503, -2.856, -0.067, -0.734, 6.496, 5.001,
  6.154, -1.238, 5.189, 0.637, -39.154, 3.715, -9.052,
];
/** Missing a blank costs as much as inventing one where about one gap in four of this probability is one. */
const minProbability = 0.25;

/** A blank that clearly won is one, also where the drawn lines have none, such as before a percent sign. */
const wonBlank = 0.7;

const narrow = /[iIl1jtfr.,:;!'|()[\]]/;
const kindCount = 8;

/** Digit, upper, lower, stop, colon, opening, closing, sign. */
function kindOf(text: string): number {
  if (/\p{Nd}/u.test(text)) return 0;
  if (/\p{L}/u.test(text)) return text === text.toLowerCase() ? 2 : 1;
  const place = ['.,;!?', ':', '([{', ')]}%'].findIndex((signs) => signs.includes(text));
  return place < 0 ? 7 : 3 + place;
}

const oneOf = (kind: number, value = 1): number[] =>
  Array.from({ length: kindCount }, (_, index) => (index === kind ? value : 0));

function featuresOf(gap: Gap, [before, left, right]: [string, string, string]): number[] {
  const blank = Math.log10(Math.max(gap.blank, 1e-5)) + 2;
  const [ink, pitch] = [Math.min(gap.ink, 1), Math.min(gap.pitch, 4)];
  const [leftKind, rightKind] = [kindOf(left), kindOf(right)];
  const decimal = kindOf(before) === 0 && left === '.' && rightKind === 0;
  return [
    ...[blank, blank * blank, ink, ink * ink, pitch, blank * ink, blank * pitch],
    ...[...oneOf(leftKind), Number(narrow.test(left)), ...oneOf(rightKind), Number(narrow.test(right))],
    ...[...oneOf(rightKind, ink), Number(decimal)],
  ];
}

/** Log odds that a word ends here, against those at which it is taken to. */
function oddsOf(gap: Gap, texts: [string, string, string]): number {
  // Ideographs stand apart anyway; there a blank must have won.
  if (isIdeograph(texts[1]) && isIdeograph(texts[2])) return gap.blank > 0.3 ? sure : -sure;
  const sum = featuresOf(gap, texts).reduce((total, value, index) => total + value * weights[index]!, bias);
  const odds = sum + signOdds(texts) - Math.log(minProbability / (1 - minProbability));
  return gap.blank >= wonBlank ? Math.max(odds, 1) : odds;
}

/**
 * Habits of print that the drawn lines lack: a colon behind a label is followed by a blank, and dashes and the like
 * stand apart from numbers more often. Their ink is small, so a blank beside them is seen worse than elsewhere.
 */
function signOdds([before, left, right]: [string, string, string]): number {
  const [leftKind, rightKind] = [kindOf(left), kindOf(right)];
  if (left === ':') return kindOf(before) !== 0 && rightKind < 3 ? 5 : 0;
  return rightKind === 7 || (leftKind === 7 && rightKind === 0) ? 3 : 0;
}

const sure = 100;
/** Log odds that the two sides are a word together, or that each is one. */
const oneWordOdds = 3;
/** Letters; initials stay apart. */
const minJoined = 4;
const isLetter = (text: string | undefined): boolean =>
  text !== undefined && /^\p{L}$/u.test(text) && !isIdeograph(text);

/** For and against a blank between two letters: which of the sides, and both together, are listed words. */
function wordOdds(texts: string[], odds: number[], at: number, lexicon: Lexicon): number {
  let [from, to] = [at, at + 1];
  while (from > 0 && isLetter(texts[from - 1]) && odds[from - 1]! <= 0) from--;
  while (to + 1 < texts.length && isLetter(texts[to + 1]) && odds[to]! <= 0) to++;
  const [left, right] = [texts.slice(from, at + 1), texts.slice(at + 1, to + 1)].map((side) =>
    side.join('').toLowerCase(),
  );
  const one = left!.length + right!.length >= minJoined && hasWord(lexicon, left! + right!);
  const two = hasWord(lexicon, left!) && hasWord(lexicon, right!);
  return one === two ? 0 : two ? oneWordOdds : -oneWordOdds;
}

/** Positions after which a word ends. */
export function wordEnds(crop: ReadCrop, ink: Ink, height: number, lexicon: Lexicon): number[] {
  const texts = crop.characters.map(({ text }) => text);
  const odds = gapsOf(crop, ink, height).map((gap, index) =>
    oddsOf(gap, [texts[index - 1] ?? '', texts[index]!, texts[index + 1]!]),
  );
  for (const [index, odd] of odds.entries())
    if (Math.abs(odd) < oneWordOdds && isLetter(texts[index]) && isLetter(texts[index + 1]))
      odds[index] = odd + wordOdds(texts, odds, index, lexicon);
  // Addresses of the web hold no blanks.
  for (const index of odds.keys())
    if (/www\.$/i.test(texts.slice(Math.max(0, index - 3), index + 1).join(''))) odds[index] = -sure;
  return odds.flatMap((odd, index) => (odd > 0 ? [index] : []));
}
