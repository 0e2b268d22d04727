import { describe, expect, test } from 'vitest';
import { type ReadCrop, readCharacters } from '../../../../server/engine/vision/ocr/ctc.ts';
import { hasWord, parseLexicon, shippedLexicon } from '../../../../server/engine/vision/ocr/lexicon.ts';
import { beamSearchLexicon } from '../../../../server/engine/vision/ocr/lexicon-search.ts';
import { topK } from '../../../../server/engine/vision/ocr/models/text-models.ts';
import { restoreAccents } from '../../../../server/engine/vision/ocr/restore-accents.ts';
import { restorePunctuation } from '../../../../server/engine/vision/ocr/restore-punctuation.ts';
import { wordEnds } from '../../../../server/engine/vision/ocr/spacing.ts';

const characters = ['', ...'éabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:()|', ' '];

/** A timestep a character: what it was read as with its probability, then other readings. */
type Timestep = Record<string, number>;

const best = (timestep: Timestep): [string, number][] => Object.entries(timestep).sort((a, b) => b[1] - a[1]);

function crop(timesteps: Timestep[], blanks: number[] = timesteps.map(() => 0)): ReadCrop {
  const classes = new Int32Array(timesteps.length * topK);
  const scores = new Float32Array(timesteps.length * topK);
  for (const [timestep, readings] of timesteps.entries())
    for (const [rank, [text, score]] of best(readings).entries()) {
      classes[timestep * topK + rank] = characters.indexOf(text);
      scores[timestep * topK + rank] = score;
    }
  const readings = { timesteps: timesteps.length, classes, scores, blanks: Float32Array.from(blanks) };
  return readCharacters(readings, characters, { index: 0, filled: 1 });
}

/** Letters read surely, with nothing between them; a timestep of `other` readings in place of some. */
const spelt = (text: string, other: Record<number, Timestep> = {}): Timestep[] =>
  [...text].flatMap((char, at): Timestep[] => [
    other[at] ?? { [char]: 0.98, '': 0.02 },
    { '': 0.98, [char]: 0.01 },
  ]);

const lexicon = parseLexicon('total bhd\n\nrestaurant rest aunt\n\nobsidian');

const respelt = (timesteps: Timestep[]): string => {
  const read = crop(timesteps);
  return beamSearchLexicon(read, [0, read.characters.length - 1], lexicon)
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
    const timesteps = spelt(text);
    const blanks = timesteps.map((_, timestep) => (timestep === 2 * at + 1 ? blank : 0));
    return wordEnds(crop(timesteps, blanks), ink, 48, lexicon);
  };

  test('a colon behind a label parts, one of a time does not', () => {
    expect(joined('NO:12', 2, 0.2)).toEqual([2]);
    expect(joined('12:30', 2, 0.2)).toEqual([]);
    expect(joined('www.shop', 3, 0.9)).toEqual([]);
  });

  test('a blank that clearly won parts where print seldom has one', () => {
    expect(joined('6.00(', 3, 0.9)).toEqual([3]);
    expect(joined('1.15.', 3, 0.9)).toEqual([3]);
    expect(joined('1.15.', 3, 0.3)).toEqual([]);
  });

  test('a word is not parted, two words are not joined', () => {
    expect(joined('RESTAURANT', 3, 0.25)).toEqual([]);
    expect(joined('RESTTOTAL', 3, 0.02)).toEqual([3]);
    expect(joined('RESTXQ', 3, 0.25)).toEqual(joined('QXTREST', 3, 0.25));
  });
});

test('an accent that was considered is one', () => {
  const accented = (e: Timestep): string =>
    restoreAccents(crop(spelt('Vedial', { 1: e })).characters)
      .map(({ text }) => text)
      .join('');
  expect(accented({ e: 0.7, é: 0.2 })).toBe('Védial');
  expect(accented({ e: 0.9, é: 0.04 })).toBe('Vedial');
  expect(accented({ e: 0.7, c: 0.2 })).toBe('Vedial');
});

describe('signs that were passed over', () => {
  const text = (timesteps: Timestep[]): string =>
    restorePunctuation(crop(timesteps))
      .characters.map((character) => character.text)
      .join('');
  const between = (left: string, sign: Timestep, right: string): Timestep[] => [
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
    const point: Timestep = { '.': 0.6, ',': 0.25 };
    expect(text(spelt('12.Jalan', { 2: point }))).toBe('12,Jalan');
    expect(text(spelt('12.50', { 2: point }))).toBe('12.50');
    expect(text(spelt('Jalan.', { 5: point }))).toBe('Jalan.');
  });

  test('a colon behind a label, the end of a bracket', () => {
    expect(text([...spelt('Total'), { '': 0.6, ':': 0.35 }])).toBe('Total:');
    expect(text([...spelt('Total'), { '': 0.8, ':': 0.1 }])).toBe('Total');
    expect(text([...spelt('(RM'), { '': 0.8, ')': 0.15 }])).toBe('(RM)');
    expect(text([{ '': 0.8, '(': 0.15 }, { '': 0.98 }, ...spelt('Effi)')])).toBe('(Effi)');
    expect(text([{ '': 0.8, '(': 0.15 }, { '': 0.98 }, ...spelt('Effi')])).toBe('Effi');
  });
});
