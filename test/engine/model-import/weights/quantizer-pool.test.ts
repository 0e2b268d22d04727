import { expect, it } from 'vitest';
import { quantizeRows } from '../../../../server/engine/model-import/weights/quantize.ts';
import { QuantizerPool } from '../../../../server/engine/model-import/weights/quantizer-pool.ts';

const cols = 192;
const rows = 6001;
const weights = Float32Array.from(
  { length: rows * cols },
  (_, at) => Math.sin(at * 12.9898) * (1 + (at % 7)),
);

it.each([
  { bits: 4, block: 64 },
  { bits: 8, block: 64 },
  // Three zero points of half a byte a row, where the last shares its byte with none.
  { bits: 4, block: 128 },
] as const)(
  'gives the same numbers from three threads as from one: $bits bits, block $block',
  async (options) => {
    const alone = quantizeRows(weights, cols, options);
    const quantizers = new QuantizerPool(3);
    try {
      const together = await quantizers.quantize(weights, cols, options);
      expect(Buffer.compare(together.codes, alone.codes)).toBe(0);
      expect(together.scales).toEqual(alone.scales);
      expect(Buffer.compare(together.zeroPoints, alone.zeroPoints)).toBe(0);
      expect(together.squaredNorm).toBeCloseTo(alone.squaredNorm, 0);
    } finally {
      await quantizers.close();
    }
  },
);
