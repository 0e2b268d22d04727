import { describe, expect, test } from 'vitest';
import { type ReadStrip, readCharacters } from '../../../../server/engine/vision/ocr/ctc.ts';
import { hasWord, parseLexicon, shippedLexicon } from '../../../../server/engine/vision/ocr/lexicon.ts';
import { respell } from '../../../../server/engine/vision/ocr/lexicon-search.ts';
import { withLostSigns } from '../../../../server/engine/vision/ocr/restore-punctuation.ts';
import { wordEnds } from '../../../../server/engine/vision/ocr/spacing.ts';
import { readingsPerStep } from '../../../../server/engine/vision/ocr/text-models.ts';

const characters = ['', ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:()|', ' '];

/** A step a character: what it was read as with its probability, then other readings. */
type Step = Record<string, number>;

const best = (step: Step): [string, number][] => Object.entries(step).sort((a, b) => b[1] - a[1]);

function strip(steps: Step[], blanks: number[] = steps.map(() => 0)): ReadStrip {
  const classes = new Int32Array(steps.length * readingsPerStep);
  const scores = new Float32Array(steps.length * readingsPerStep);
  for (const [step, readings] of steps.entries())
    for (const [rank, [text, score]] of best(readings).entries()) {
      classes[step * readingsPerStep + rank] = characters.indexOf(text);
      scores[step * readingsPerStep + rank] = score;
    }
  const readings = { steps: steps.length, classes, scores, blanks: Float32Array.from(blanks) };
  return readCharacters(readings, characters, { index: 0, filled: 1 });
}

/** Letters read surely, with nothing between them; a step of `other` readings in place of some. */
const spelt = (text: string, other: Record<number, Step> = {}): Step[] =>
  [...text].flatMap((char, at): Step[] => [
    other[at] ?? { [char]: 0.98, '': 0.02 },
    { '': 0.98, [char]: 0.01 },
  ]);

const lexicon = parseLexicon('total bhd\n\nrestaurant rest aunt\n\nobsidian');

const respelt = (steps: Step[]): string => {
  const read = strip(steps);
  return respell(read, [0, read.characters.length - 1], lexicon)
    .map(({ text }) => text)
    .join('');
};

describe('second thoughts on a word', () => {
  test('a wavering letter makes the listed word, in the case that was read', () => {
    expect(respelt(spelt('Totai', { 4: { i: 0.6, l: 0.35 } }))).toBe('Total');
    expect(respelt(spelt('BND', { 1: { N: 0.6, H: 0.35 } }))).toBe('BHD');
    expect(respelt(spelt('TOTA|', { 4: { '|': 0.6, L: 0.35 } }))).toBe('TOTA|');
    expect(respelt(spelt('T0TAL', { 1: { '0': 0.6, O: 0.35 } }))).toBe('TOTAL');
  });

  test('a letter that was passed over', () => {
    const lost = spelt('Total');
    lost[2] = { '': 0.7, o: 0.25 };
    expect(respelt(lost)).toBe('Total');
  });

  test('what is read surely stays, listed or not', () => {
    expect(respelt(spelt('Totai'))).toBe('Totai');
    expect(respelt(spelt('Jaafar', { 5: { r: 0.7, n: 0.2 } }))).toBe('Jaafar');
    expect(respelt(spelt('A4B8', { 3: { '8': 0.6, B: 0.35 } }))).toBe('A4B8');
  });

  test('the list that ships has words of trade, of English and of Malay', () => {
    for (const word of ['invoice', 'sdn', 'jalan', 'because', 'kerajaan'])
      expect(hasWord(shippedLexicon(), word)).toBe(true);
    expect(hasWord(shippedLexicon(), 'totai')).toBe(false);
  });
});

describe('blanks', () => {
  const ink = { columns: new Uint16Array(400).fill(5), rows: new Uint16Array(48).fill(5) };
  const joined = (text: string, at: number, blank: number): number[] => {
    const steps = spelt(text);
    const blanks = steps.map((_, step) => (step === 2 * at + 1 ? blank : 0));
    return wordEnds(strip(steps, blanks), ink, 48, lexicon);
  };

  test('a colon behind a label parts, one of a time does not', () => {
    expect(joined('NO:12', 2, 0.2)).toEqual([2]);
    expect(joined('12:30', 2, 0.2)).toEqual([]);
    expect(joined('www.shop', 3, 0.9)).toEqual([]);
  });

  test('a word is not parted, two words are not joined', () => {
    expect(joined('RESTAURANT', 3, 0.25)).toEqual([]);
    expect(joined('RESTTOTAL', 3, 0.02)).toEqual([3]);
    expect(joined('RESTXQ', 3, 0.25)).toEqual(joined('QXTREST', 3, 0.25));
  });
});

describe('signs that were passed over', () => {
  const text = (steps: Step[]): string =>
    withLostSigns(strip(steps))
      .characters.map((character) => character.text)
      .join('');
  const between = (left: string, sign: Step, right: string): Step[] => [
    ...spelt(left).slice(0, -1),
    { '': 0.98 },
    { '': 0.8, ...sign },
    { '': 0.98 },
    ...spelt(right),
  ];

  test('points of amounts and times', () => {
    expect(text(between('13', { '.': 0.15 }, '15'))).toBe('13.15');
    expect(text(between('16', { ':': 0.1 }, '57'))).toBe('16:57');
    expect(text(between('13', { '.': 0.02 }, '15'))).toBe('1315');
    expect(text(between('7831', { '.': 0.15 }, '2552'))).toBe('78312552');
    expect(text(between('4.90', { '.': 0.15 }, '98'))).toBe('4.9098');
  });

  test('a comma that faint print made a point', () => {
    const point: Step = { '.': 0.6, ',': 0.25 };
    expect(text(spelt('12.Jalan', { 2: point }))).toBe('12,Jalan');
    expect(text(spelt('12.50', { 2: point }))).toBe('12.50');
    expect(text(spelt('Jalan.', { 5: point }))).toBe('Jalan.');
  });

  test('a colon behind a label, the end of a bracket', () => {
    expect(text([...spelt('Total'), { '': 0.6, ':': 0.35 }])).toBe('Total:');
    expect(text([...spelt('Total'), { '': 0.8, ':': 0.1 }])).toBe('Total');
    expect(text([...spelt('(RM'), { '': 0.8, ')': 0.15 }])).toBe('(RM)');
  });
});
