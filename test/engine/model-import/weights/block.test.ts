import { describe, expect, it } from 'vitest';
import type { Weight } from '../../../../server/engine/model-import/graph/model-shape.ts';
import { chooseBlock } from '../../../../server/engine/model-import/weights/block.ts';
import { quantizeRows } from '../../../../server/engine/model-import/weights/quantize.ts';
import { createRandom } from '../../../support/logs/random.ts';

const tolerance = 0.0125;

/** Normal numbers, every `outliers`-th of them many times as large. */
function matrix(cols: number, { outliers = 0, rows = 96 } = {}): Weight {
  const { next } = createRandom(7);
  const numbers = Float32Array.from({ length: rows * cols }, (_, at) => {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return outliers > 0 && at % outliers === 0 ? normal * 20 : normal;
  });
  return { rows, cols, read: async (first, count) => numbers.slice(first * cols, (first + count) * cols) };
}

const choose = async (parts: Weight[], whole = false) =>
  (await chooseBlock(parts, { bits: 4, block: 256, tolerance }, whole)).block;

describe('blocks', () => {
  it('are long where numbers are alike, and shorter the more of them stand out', async () => {
    expect(await choose([matrix(1024)])).toBe(256);
    const some = await choose([matrix(1024, { outliers: 997 })]);
    const many = await choose([matrix(1024, { outliers: 97 })]);
    expect(some).toBeLessThan(256);
    expect(many).toBeLessThanOrEqual(some);
    expect(many).toBe(32);
  });

  it('keep to the tolerance in every matrix of a stack', async () => {
    const parts = [matrix(1024), matrix(1024, { outliers: 997 })];
    const block = await choose(parts);
    expect(block).toBe(await choose([parts[1]!]));
    for (const { cols, read, rows } of parts) {
      const { squaredError, squaredNorm } = quantizeRows(await read(0, rows), cols, { bits: 4, block });
      expect(squaredError / squaredNorm).toBeLessThan(tolerance * 1.1);
    }
  });

  it('fill up little at the end of a row, and nothing in a table', async () => {
    expect(await choose([matrix(576)])).toBe(128); // 640, not 768
    expect(await choose([matrix(896)])).toBe(128);
    expect(await choose([matrix(576)], true)).toBe(64);
    expect((await chooseBlock([matrix(48)], { bits: 8, block: 256 }, true)).block).toBe(16);
  });
});
