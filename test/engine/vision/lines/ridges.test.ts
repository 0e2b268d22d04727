import { expect, test } from 'vitest';
import { horizontalRidges } from '../../../../server/engine/vision/lines/ridges.ts';

/** Gray-scale closing by its definition, column by column. */
function ridgesByDefinition(width: number, height: number, data: Uint8Array, half: number): Uint8Array {
  const most = (of: (at: number) => number) =>
    Uint8Array.from(data, (_, at) => {
      const rows = Array.from({ length: 2 * half + 1 }, (_, index) => Math.floor(at / width) + index - half);
      return Math.max(...rows.filter((y) => y >= 0 && y < height).map((y) => of(y * width + (at % width))));
    });
  const widened = most((at) => data[at]!);
  const closed = most((at) => 255 - widened[at]!);
  return Uint8Array.from(data, (value, at) => 255 - closed[at]! - value);
}

test.each([
  [13, 31],
  [16, 20],
  [3, 40],
])('ridges of noise, %i by %i pixels, are what the closing leaves', (width, height) => {
  let seed = 7;
  const data = Uint8Array.from({ length: width * height }, () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed >> 16;
  });
  // At the edges the windows are cut.
  const inner = (ridges: Uint8Array) => ridges.subarray(4 * width, (height - 4) * width);
  const found = horizontalRidges({ width, height, data }, 3);
  expect(inner(found)).toEqual(inner(ridgesByDefinition(width, height, data, 2)));
});
