import { expect, test } from 'vitest';
import { cropLine } from '../../../../server/engine/vision/ocr/line-crop.ts';

/** Red grows from left to right, green from top to bottom, blue is even. */
const [width, height] = [60, 40];
const data = new Uint8Array(3 * width * height);
for (let y = 0; y < height; y++)
  for (let x = 0; x < width; x++) data.set([4 * x, 6 * y, 90], 3 * (y * width + x));
const image = { width, height, data };

test('a level line is cut out as it stands, blue first, in -1..1', () => {
  const crop = cropLine(
    image,
    [
      [10, 5],
      [30, 5],
      [30, 15],
      [10, 15],
    ],
    { width: 20, height: 10 },
  );
  const at = (plane: number, x: number, y: number): number => crop.data[plane * 200 + y * 20 + x]!;
  for (const [x, y] of [
    [0, 0],
    [7, 3],
    [19, 9],
  ] as const) {
    expect(at(0, x, y)).toBeCloseTo(90 / 127.5 - 1, 5);
    expect(at(1, x, y)).toBeCloseTo((6 * (5 + y)) / 127.5 - 1, 5);
    expect(at(2, x, y)).toBeCloseTo((4 * (10 + x)) / 127.5 - 1, 5);
  }
});

test('a high line is averaged over its samples; beyond the edge the last pixels go on', () => {
  const high = cropLine(
    image,
    [
      [0, 0],
      [40, 0],
      [40, 40],
      [0, 40],
    ],
    { width: 20, height: 20 },
  );
  expect(high.data[800]).toBeCloseTo((4 * 0.5) / 127.5 - 1, 5);
  const beyond = cropLine(
    image,
    [
      [50, 30],
      [80, 30],
      [80, 60],
      [50, 60],
    ],
    { width: 30, height: 30 },
  );
  expect(beyond.data.at(-1)).toBeCloseTo((4 * 59) / 127.5 - 1, 5);
});
