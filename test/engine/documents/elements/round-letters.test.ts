import { expect, test } from 'vitest';
import type { Word } from '../../../../server/engine/documents/document.ts';
import { findRasterCheckboxes } from '../../../../server/engine/documents/elements/checkboxes-raster.ts';

import { binarize } from '../../../../server/engine/vision/binarize.ts';
import { findComponents } from '../../../../server/engine/vision/components.ts';
import { detectStrokes } from '../../../../server/engine/vision/lines/line-detection.ts';

const scale = 2;
const [width, height] = [600, 200];

/**
 * A page with a ring of 8 points at x = 50, as radio buttons and round letters are, and a word over or beside it; with a
 * solid square of the same size where asked.
 */
function boxesBeside(
  words: { text: string; from: number; to: number; confidence: number }[],
  { solidAt, radius = 7.5 }: { solidAt?: number; radius?: number } = {},
) {
  const data = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (Math.abs(Math.hypot(x - 108, y - 100) - radius) < 1.2) data[y * width + x] = 0;
  if (solidAt !== undefined)
    for (let y = 92; y < 108; y++) data.fill(0, y * width + solidAt, y * width + solidAt + 16);
  // The other letters of a word that begins with the ring, as far from it as from each other.
  for (const { from, to } of words.filter((word) => word.from === 50 && word.to > 58))
    for (let left = scale * (from + 9.5); left < scale * to - 3; left += 7)
      for (let y = 92; y < 107; y++) data.fill(0, y * width + left, y * width + left + 4);
  const image = { width, height, data };
  const ink = binarize(image);
  const page = {
    ...{ image, ink, scale },
    strokes: detectStrokes(image, scale),
    components: findComponents(ink),
    words: words.map(({ text, from, to, confidence }): Word => {
      const box: Word['box'] = [from, 45, to, 55];
      return {
        text,
        box,
        baseline: 53,
        size: 9,
        bold: false,
        turned: false,
        source: 'recognition',
        confidence,
      };
    }),
  };
  const { boxes, words: left } = findRasterCheckboxes(page);
  return [boxes.map(({ label }) => label), left.map(({ text }) => text)];
}

test('a ring beside a word is a radio button, also where it was read as a letter', () => {
  const yes = { text: 'Yes', from: 64, to: 80, confidence: 0.98 };
  expect(boxesBeside([yes])).toEqual([['Yes'], ['Yes']]);
  expect(boxesBeside([{ text: 'O', from: 50, to: 58, confidence: 0.9 }, yes])).toEqual([['Yes'], ['Yes']]);
});

test.each([
  ['an amount', [{ text: '0.75', from: 50, to: 70, confidence: 0.95 }]],
  ['a quarter of a year', [{ text: 'Q1', from: 50, to: 70, confidence: 0.99 }]],
  ['a share', [{ text: '8%', from: 50, to: 66, confidence: 0.95 }]],
  ['a listed word', [{ text: 'ORDER', from: 50, to: 92, confidence: 0.95 }]],
  [
    'a letter-spaced word',
    [
      { text: 'DU', from: 50, to: 70, confidence: 0.95 },
      { text: 'MARCHÉ', from: 80, to: 140, confidence: 0.95 },
    ],
  ],
  ['an ampersand', [{ text: '&', from: 49, to: 59, confidence: 0.97 }]],
  ['care of', [{ text: 'c/o', from: 44, to: 59, confidence: 0.8 }]],
  [
    'a price',
    [
      { text: '@', from: 50, to: 58, confidence: 0.95 },
      { text: '6%', from: 62, to: 74, confidence: 0.95 },
    ],
  ],
])('the round letter of %s is none', (_name, words) => {
  expect(boxesBeside(words)).toEqual([[], words.map(({ text }) => text)]);
});

test('a frame behind its label that the word took in; a last letter as far from the others as they are is none', () => {
  const data = new Uint8Array(width * height).fill(255);
  const stroke = ([x0, y0, x1, y1]: [number, number, number, number]): void => {
    for (let y = y0; y < y1; y++) data.fill(0, y * width + x0, y * width + x1);
  };
  const frame = (x: number, y: number): void => {
    for (const side of [
      [x, y, x + 22, y + 2],
      [x, y + 20, x + 22, y + 22],
      [x, y, x + 2, y + 22],
      [x + 20, y, x + 22, y + 22],
    ] as const)
      stroke([...side]);
  };
  // Letters, then a frame after a wide gap; below, letters as far from each other as the frame is from them.
  for (const x of [60, 68, 76, 84]) stroke([x, 44, x + 5, 56]);
  frame(98, 39);
  for (const x of [50, 66, 82]) stroke([x, 124, x + 5, 136]);
  frame(98, 119);
  const image = { width, height, data };
  const ink = binarize(image);
  const word = (text: string, box: Word['box']): Word => ({
    ...{
      text,
      box,
      baseline: box[3] - 2,
      size: 10,
      bold: false,
      turned: false,
      source: 'recognition',
      confidence: 0.98,
    },
  });
  const { boxes, words } = findRasterCheckboxes({
    ...{ image, ink, scale },
    strokes: detectStrokes(image, scale),
    components: findComponents(ink),
    words: [word('Male', [29.5, 20, 60, 30]), word('FORM', [24.5, 60, 60, 70])],
  });
  expect(boxes.map(({ label, checked }) => [label, checked])).toEqual([['Male', false]]);
  expect(words.map(({ text, box }) => [text, Math.round(box[2])])).toEqual([
    ['Male', 49],
    ['FORM', 60],
  ]);
});

test('a solid mark as large as a round letter is no box to tick, as large as a radio button it is', () => {
  const [mark, word] = [{ solidAt: 300 }, { text: 'Pos', from: 160, to: 180, confidence: 0.95 }];
  const order = { text: 'ORDER', from: 50, to: 92, confidence: 0.95 };
  expect(boxesBeside([order, word], mark)[0]).toEqual([]);
  const yes = { text: 'Yes', from: 64, to: 80, confidence: 0.98 };
  expect(boxesBeside([yes, word], mark)[0]).toEqual(['Yes', 'Pos']);
});

test('the last letter of a word, set apart from the others, is no radio button', () => {
  const words = [
    { text: 'payto', from: 30, to: 57.2, confidence: 0.8 },
    { text: 'Maybank', from: 60, to: 90, confidence: 0.9 },
  ];
  expect(boxesBeside(words, { radius: 4.3 })).toEqual([[], ['payto', 'Maybank']]);
});
