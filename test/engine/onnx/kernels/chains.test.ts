import { describe, expect, it } from 'vitest';
import {
  chainRefusal,
  type LayerRun,
  type LayerSizes,
  runLayers,
} from '../../../../server/engine/onnx/kernels/chain-support.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { random } from '../../../support/chat/tiny-decoder.ts';

const families = (await servingFamilies()).filter((family) => !family.startsWith('neon'));

describe.each(families)('chains of operators: %s', (family) => {
  const next = random(9);
  const upTo = (most: number) => 1 + Math.floor(next() * most);
  const one = <Of>(...choices: Of[]): Of => choices[Math.floor(next() * choices.length)]!;

  const randomSizes = (): LayerSizes => {
    const kvHeads = upTo(3);
    return {
      ...{ hidden: 32 * upTo(8), heads: kvHeads * upTo(3), kvHeads, headDim: 16 * upTo(4) },
      ...{ ffn: 16 * upTo(20), layers: upTo(5), bits: one(4, 8), block: one(32, 64, 128, 256) },
      window: one(0, 0, 20),
    };
  };
  const randomRun = (): LayerRun => {
    const rows = one(1, 1, 2, 4, 9, 16, 19);
    return { rows, tokens: one(1, 1, 1, upTo(4), upTo(40)), past: one(0, upTo(60), upTo(600)) };
  };

  it('serve', async () => {
    expect(await chainRefusal(family)).toBeNull();
  });

  it('give to the last bit what their operators give, on any count of threads', async () => {
    for (let each = 0; each < 12; each += 1) {
      const [sizes, run] = [randomSizes(), randomRun()];
      const threads = one(1, 2, 2, 3, 5);
      const alone = await runLayers(sizes, run, { family, threads: 1, chained: false });
      const chained = await runLayers(sizes, run, { family, threads, chained: true });
      expect(chained.equals(alone), JSON.stringify({ sizes, run, threads })).toBe(true);
    }
  }, 240_000);
});
