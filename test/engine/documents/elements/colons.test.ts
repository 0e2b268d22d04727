import { expect, test } from 'vitest';
import { findColons } from '../../../../server/engine/documents/elements/colons.ts';
import type { Component } from '../../../../server/engine/vision/components.ts';
import type { Box } from '../../../../server/engine/vision/geometry.ts';
import { drawnWord as word } from '../../../support/documents/drawn-word.ts';

const dot = (x: number, y: number): Component => ({ box: [x, y, x + 1.5, y + 1.5], area: 2 });

test('two dots of a row, one above the other and alone, are a colon', () => {
  const words = [word('Total', [50, 100, 80, 110]), word('Rounding', [50, 200, 90, 210])];
  const found = findColons({
    words,
    components: [
      ...[dot(100, 102), dot(100, 106)],
      // One dot, two side by side, dots of a word, dots beside a letter, dots between rows.
      ...[dot(120, 106), dot(140, 106), dot(144, 106), dot(70, 202), dot(70, 206)],
      ...[dot(150, 202), dot(150, 206), { box: [152, 200, 158, 209] as Box, area: 30 }],
      ...[dot(60, 150), dot(60, 154)],
    ],
    scale: 1,
  });
  expect(found.map(({ text, box }) => [text, box])).toEqual([[':', [100, 100, 101.5, 110]]]);
});
