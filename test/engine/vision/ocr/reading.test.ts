import { describe, expect, test } from 'vitest';
import { quadAngle, quadHeight, quadWidth } from '../../../../server/engine/vision/geometry.ts';
import { type ReadCharacter, readCharacters } from '../../../../server/engine/vision/ocr/ctc.ts';
import { parseLexicon } from '../../../../server/engine/vision/ocr/lexicon.ts';
import { cropLine, toDetectorPixels } from '../../../../server/engine/vision/ocr/line-crop.ts';
import { inkSpan, measureInk, widestGap } from '../../../../server/engine/vision/ocr/line-ink.ts';
import { topK } from '../../../../server/engine/vision/ocr/models/text-models.ts';
import { resolveConfusables } from '../../../../server/engine/vision/ocr/resolve-confusables.ts';
import { wordEnds } from '../../../../server/engine/vision/ocr/spacing.ts';
import { findTextRegions } from '../../../../server/engine/vision/ocr/text-regions.ts';

const lexicon = parseLexicon('');
/** Classes of a tiny dictionary: nothing, a, b, blank. */
const characters = ['', 'a', 'b', ' '];

/** One crop whose best class at each timestep is given. */
function readings(best: number[], blanks: number[] = best.map(() => 0)) {
  const classes = new Int32Array(best.length * topK);
  const scores = new Float32Array(best.length * topK);
  for (const [timestep, value] of best.entries()) {
    classes[timestep * topK] = value;
    classes[timestep * topK + 1] = value === 1 ? 2 : 1;
    scores[timestep * topK] = 0.9;
    scores[timestep * topK + 1] = 0.05;
  }
  return { timesteps: best.length, classes, scores, blanks: Float32Array.from(blanks) };
}

const textOf = (best: number[], filled = 1): string =>
  readCharacters(readings(best), characters, { index: 0, filled })
    .characters.map(({ text }) => text)
    .join('');

describe('characters of a crop', () => {
  test('repeats are one character unless nothing stands between them', () => {
    expect(textOf([0, 1, 1, 0, 1, 2, 2])).toBe('aab');
    expect(textOf([0, 0])).toBe('');
  });

  test('padding is not read', () => expect(textOf([1, 0, 0, 2], 0.5)).toBe('a'));

  test('what else a place could be', () => {
    const [first] = readCharacters(readings([1]), characters, { index: 0, filled: 1 }).characters;
    expect(first).toMatchObject({ text: 'a', from: 0, to: 0, others: [{ text: 'b' }] });
  });
});

describe('words', () => {
  const ink = { columns: new Uint16Array(64).fill(5), rows: new Uint16Array(48).fill(5) };
  ink.columns.fill(0, 24, 36);

  test('end where a blank was considered and the ink has a gap', () => {
    const read = readCharacters(
      readings([1, 0, 2, 0, 0, 1, 0, 2], [0, 0, 0, 0.3, 0.4, 0, 0, 0]),
      characters,
      { index: 0, filled: 1 },
    );
    expect(wordEnds(read, ink, 48, lexicon)).toEqual([1]);
  });

  test('do not end where none was', () => {
    const read = readCharacters(readings([1, 0, 2, 0, 1, 0, 2]), characters, { index: 0, filled: 1 });
    expect(wordEnds(read, { ...ink, columns: new Uint16Array(56).fill(5) }, 48, lexicon)).toEqual([]);
  });
});

describe('look-alikes', () => {
  const word = (text: string): ReadCharacter[] =>
    [...text].map((char, index) => ({ text: char, confidence: 0.9, from: index, to: index, others: [] }));
  test.each([
    ['T0TAL', 'TOTAL'],
    ['2O18', '2018'],
    ['5.O0', '5.00'],
    ['RMO.00', 'RM0.00'],
    ['NO.02', 'NO.02'],
    ['（RM）', '(RM)'],
    ['TD01167104', 'TD01167104'],
    ['B2', 'B2'],
    ['总计：', '总计：'],
    ['A', 'A'],
    ['O', 'O'],
    ['RMI.00', 'RM1.00'],
    ['RMS.90', 'RM5.90'],
    ['RMB', 'RMB'],
    ['RMI.66)', 'RM1.66)'],
    ['1PC', '1PC'],
    ['10KEPING', '10KEPING'],
    ['SET10', 'SET10'],
    ['CASH1', 'CASH1'],
    ['1ST', '1ST'],
    ['P0S01', 'POS01'],
    ['O%', '0%'],
  ])('%s is %s', (read, meant) => expect(resolveConfusables(word(read))).toBe(meant));

  test('a letter O beside a digit is the zero that it may be, unless it ends a word', () => {
    const read = (text: string, at: number): string => {
      const characters = word(text);
      characters[at]!.others.push({ text: '0', confidence: 0.2 });
      return resolveConfusables(characters);
    };
    expect(read('2X9OML', 3)).toBe('2X90ML');
    expect(read('JMO326', 2)).toBe('JM0326');
    expect(read('NO326', 1)).toBe('NO326');
    expect(resolveConfusables(word('JMO326'))).toBe('JMO326');
  });

  test('a lone zero behind letters and a dash is the letter that it may be', () => {
    const name = word('HAI-0');
    expect(resolveConfusables(name)).toBe('HAI-0');
    name[4]!.others.push({ text: 'O', confidence: 0.06 });
    expect(resolveConfusables(name)).toBe('HAI-O');
  });

  test('the letter of a price is the digit that was next in line', () => {
    const price = word('RMS.90');
    price[2]!.others.push({ text: '8', confidence: 0.3 });
    expect(resolveConfusables(price)).toBe('RM8.90');
  });
});

describe('regions of text', () => {
  const map = (width: number, height: number, inside: (x: number, y: number) => boolean) => ({
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, at) =>
      inside(at % width, Math.floor(at / width)) ? 0.9 : 0,
    ),
  });
  const options = { threshold: 0.3, minScore: 0.5, unclipRatio: 1.6 };

  test('a level line, grown beyond its map', () => {
    const [region, ...others] = findTextRegions(
      map(200, 60, (x, y) => x >= 20 && x < 180 && y >= 20 && y < 30),
      options,
    );
    expect(others).toEqual([]);
    expect(quadWidth(region!.quad)).toBeGreaterThan(170);
    expect(quadHeight(region!.quad)).toBeGreaterThan(20);
    expect(quadAngle(region!.quad)).toBeCloseTo(0);
    expect(region!.quad[0][0]).toBeLessThan(region!.quad[1][0]);
  });

  test('a line at an angle', () => {
    const [region] = findTextRegions(
      map(300, 300, (x, y) => x > 40 && x < 260 && Math.abs(y - 80 - 0.2 * x) < 6),
      options,
    );
    expect(quadAngle(region!.quad)).toBeCloseTo(Math.atan(0.2), 1);
  });

  test('two lines are two, specks are none', () => {
    const lines = map(
      200,
      100,
      (x, y) => (y > 20 && y < 30) || (y > 60 && y < 70 && x > 5) || (x === 3 && y === 90),
    );
    expect(findTextRegions(lines, options).length).toBe(2);
  });
});

describe('pixels', () => {
  const image = { width: 40, height: 20, data: new Uint8Array(3 * 40 * 20).fill(255) };
  for (let y = 5; y < 15; y++) image.data.fill(0, 3 * (y * 40 + 10), 3 * (y * 40 + 30));
  const quad = [
    [0, 0],
    [40, 0],
    [40, 20],
    [0, 20],
  ] as const;

  test('a crop is cut at its corners and its ink found', () => {
    const crop = cropLine(image, quad, { width: 80, height: 40 });
    const ink = measureInk(crop);
    expect(inkSpan(ink.columns, 0, 80)).toEqual([20, 60]);
    expect(inkSpan(ink.rows, 0, 40)).toEqual([10, 30]);
    expect(widestGap(ink, 0, 80)).toBe(20);
  });

  test('a ruling that reaches into a crop from above or below is no ink of its words', () => {
    const ruled = { ...image, data: image.data.slice() };
    for (let y = 18; y < 20; y++) ruled.data.fill(0, 3 * y * 40, 3 * (y * 40 + 38));
    const ink = measureInk(cropLine(ruled, quad, { width: 80, height: 40 }));
    expect(inkSpan(ink.columns, 0, 80)).toEqual([20, 60]);
    expect(inkSpan(ink.rows, 0, 40)).toEqual([10, 30]);
  });

  test('the detector sees blue first, by the figures it was trained with', () => {
    const red = {
      width: 2,
      height: 2,
      data: Uint8Array.from({ length: 12 }, (_, at) => (at % 3 === 0 ? 255 : 0)),
    };
    const pixels = toDetectorPixels(red, 2, 2);
    expect(pixels[0]).toBeCloseTo((0 - 0.485) / 0.229);
    expect(pixels[8]).toBeCloseTo((1 - 0.406) / 0.225);
  });
});
