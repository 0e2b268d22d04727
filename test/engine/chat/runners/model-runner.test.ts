import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ModelRunner, type RunRow } from '../../../../server/engine/chat/runners/model-runner.ts';
import type { CustomKernels } from '../../../../server/engine/engine.ts';
import { cosine } from '../../../support/chat/reference.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { tinyConfigs } from '../../../support/chat/tiny-decoder.ts';
import { writeTinyPack } from '../../../support/chat/tiny-pack.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-chat-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const family = (await servingFamilies()).find((each) => each === 'avx512_vnni');
const { signal } = new AbortController();
const tokens = Array.from({ length: 90 }, (_, at) => (at * 37 + 11) % 96);

async function open(name: string, customKernels: CustomKernels) {
  const config = { ...tinyConfigs[name]!, max_position_embeddings: 128 };
  const { folder } = await writeTinyPack(root, { config, preset: 'quality' });
  const runner = await ModelRunner.open(join(folder, 'model.onnx'), { threads: 2, customKernels });
  return { runner, slab: runner.allocate({ slots: 3, positions: 100 }) };
}

/** Logits of each row's last token. */
async function run(runner: ModelRunner, rows: RunRow[], slot = 0): Promise<Float32Array[]> {
  const steps = rows[0]!.tokens.length;
  const wanted = rows.map((_, row) => row * steps + steps - 1);
  const all = await runner.run({ slot, rows, wanted }, signal);
  return rows.map((_, row) => all.slice(row * runner.vocabulary, (row + 1) * runner.vocabulary));
}

describe.skipIf(!family)('a decoder with custom attention', () => {
  it.each(['llama', 'mistral', 'qwen3', 'phi3', 'gemma3'])(
    'of %s keeps half the memory, stays near, and does not depend on how a prompt is cut',
    async (name) => {
      const [{ runner: plain }, { runner: custom }] = [await open(name, false), await open(name, family!)];
      expect(custom.positionBytes * 2).toBe(plain.positionBytes);
      const [expected] = await run(plain, [{ tokens, past: 0 }]);
      const [whole] = await run(custom, [{ tokens, past: 0 }]);
      expect(cosine(whole!, expected!)).toBeGreaterThan(0.999);
      let last: Float32Array[] = [];
      for (const [past, count] of [
        [0, 70],
        [70, 18],
        [88, 1],
        [89, 1],
      ] as const)
        last = await run(custom, [{ tokens: tokens.slice(past, past + count), past }], 1);
      // A token alone has the numbers that it has in a prompt.
      expect(last).toEqual([whole]);
      for (const runner of [plain, custom]) await runner.close();
    },
  );

  it('goes on from a copied prefix, beside others, as if it had computed it', async () => {
    const { runner, slab } = await open('llama', family!);
    await run(runner, [{ tokens: tokens.slice(0, 80), past: 0 }]);
    slab.copy(0, 2, 71);
    await run(runner, [{ tokens: tokens.slice(0, 5), past: 0 }], 1);
    const rows = [80, 5, 71].map((past) => ({ tokens: [tokens[past]!], past }));
    const beside = await run(runner, rows);
    for (const slot of [0, 1, 2]) {
      const { past } = rows[slot]!;
      const [alone] = await run(runner, [{ tokens: tokens.slice(0, past + 1), past: 0 }], slot);
      expect(alone).toEqual(beside[slot]);
    }
    await runner.close();
  });

  it('leaves models whose scores are capped to the runtime', async () => {
    const { runner } = await open('gemma2', family!);
    const { runner: plain } = await open('gemma2', false);
    expect(runner.positionBytes).toBe(plain.positionBytes);
    for (const each of [runner, plain]) await each.close();
  });
});
