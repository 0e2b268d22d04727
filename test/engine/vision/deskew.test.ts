import { expect, test } from 'vitest';
import { skewOf } from '../../../server/engine/vision/deskew.ts';
import type { Quad } from '../../../server/engine/vision/geometry.ts';

const line = (y: number, width: number, degrees: number): Quad => {
  const drop = width * Math.tan((degrees * Math.PI) / 180);
  return [
    [100, y],
    [100 + width, y + drop],
    [100 + width, y + drop + 25],
    [100, y + 25],
  ];
};
const degreesOf = (quads: Quad[]): number => (skewOf(quads) * 180) / Math.PI;

test('the long lines of a page tell its skew', () => {
  const lines = Array.from({ length: 20 }, (_, index) => line(100 + 30 * index, 500 + 9 * index, 0.7));
  expect(degreesOf(lines)).toBeCloseTo(0.7, 2);
});

test('a column of one short word whose last letter reaches down does not turn a level page', () => {
  const title = [line(50, 570, 0), line(90, 280, 0), line(120, 235, 0), line(150, 200, 0)];
  const words = Array.from({ length: 18 }, (_, index) => line(200 + 30 * index, 114, 1.5));
  expect(degreesOf([...title, ...words])).toBeCloseTo(0, 2);
});
