import { expect, test } from 'vitest';
import { correctDashes } from '../../../../server/engine/documents/elements/dashes.ts';
import { correctMisread } from '../../../../server/engine/documents/elements/misread-words.ts';
import { missedText } from '../../../../server/engine/documents/elements/missed-text.ts';
import type { Component } from '../../../../server/engine/vision/components.ts';
import type { Box } from '../../../../server/engine/vision/geometry.ts';
import { drawnWord as word } from '../../../support/documents/drawn-word.ts';

const piece = (box: Box): Component => ({ box, area: 20 });

test('borders of cells are no brackets, lone circles as high as digits are zeros', () => {
  const words = [
    word('[Male', [51, 100, 80, 110]),
    word('284]', [120, 100, 142, 110]),
    word('(12)', [120, 120, 141, 130]),
    word('[note]', [200, 100, 230, 110]),
    word('°', [300, 100, 306, 110]),
    word('o', [320, 100, 326, 110]),
    word('O', [340, 100, 346, 110]),
  ];
  const components = [piece([300, 101, 306, 108]), piece([320, 103, 325, 108]), piece([340, 101, 346, 108])];
  const vertical = [51, 142, 141].map((at) => ({ at, from: 90, to: 140 }));
  const texts = correctMisread(words, { vertical, components, scale: 1 }).map(({ text }) => text);
  expect(texts).toEqual(['Male', '284', '(12)', '[note]', '0', 'o', '0']);
});

test('letters on a row that no word covers are read again; dirt, frames and other rows are not', () => {
  const places = missedText({
    words: [word('Country', [50, 100, 90, 110]), word('Total', [50, 200, 80, 210])],
    components: [
      piece([120, 101, 125, 108]),
      piece([126.5, 101, 131, 108]),
      piece([60, 101, 65, 108]),
      piece([200, 104, 201, 105]),
      piece([250, 100, 260, 110]),
      piece([120, 151, 125, 158]),
    ],
    frames: [[249, 99, 261, 111]],
    scale: 1,
  });
  expect(places).toEqual([[117, 98, 134, 111]]);
});

test('a lone sign whose ink is a dash halfway up is one; points, letters and signs in words stay', () => {
  const words = [
    word('"', [50, 100, 60, 110]),
    word('.', [100, 100, 110, 110]),
    word('T', [150, 100, 160, 110]),
    word('"a', [200, 100, 212, 110]),
  ];
  const dash = (x: number, y: number): Component => ({ box: [x, y, x + 4, y + 1], area: 4 });
  const components = [dash(53, 105), dash(103, 108), dash(153, 105), dash(203, 105)];
  const ink = { width: 300, height: 200, data: new Uint8Array(300 * 200) };
  const texts = correctDashes(words, { ink, components, scale: 1 }).map(({ text }) => text);
  expect(texts).toEqual(['-', '.', 'T', '"a']);
});

test('straight quotes are curly where most of the page are', () => {
  const texts = (words: string[]): string[] =>
    correctMisread(
      words.map((text, index) => word(text, [50 + 40 * index, 100, 80 + 40 * index, 110])),
      { vertical: [], components: [], scale: 1 },
    ).map(({ text }) => text);
  expect(texts(['“at', 'first"', '"after,"', '5"', '"'])).toEqual(['“at', 'first”', '“after,”', '5"', '"']);
  expect(texts(['"one"', '"two"', '“three'])).toEqual(['"one"', '"two"', '“three']);
});
