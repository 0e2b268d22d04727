import { expect, test } from 'vitest';
import { binarize } from '../../../server/engine/vision/binarize.ts';

/** A gray page of 96 by 40 pixels with a darker left half and a stroke of ink across both. */
function shaded(): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [96, 40];
  const data = Uint8Array.from({ length: width * height }, (_, at) => (at % width < 48 ? 200 : 254));
  for (let x = 8; x < 88; x++) data[20 * width + x] = x < 48 ? 110 : 215;
  return { width, height, data };
}

test('ink is darker than what lies around it, on gray paper and on white', () => {
  const page = shaded();
  const { data } = binarize(page);
  const inked = [...data.entries()].filter(([, ink]) => ink === 1).map(([at]) => at);
  expect(inked.every((at) => Math.floor(at / page.width) === 20)).toBe(true);
  expect(inked.length).toBeGreaterThan(70);
});
