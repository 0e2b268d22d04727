import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { ModelRunner, type RunRow } from '../../../../server/engine/chat/runners/model-runner.ts';
import type { KernelFamily } from '../../../../server/engine/engine.ts';
import type * as ChainSupport from '../../../../server/engine/onnx/kernels/chain-support.ts';
import type * as Open from '../../../../server/engine/onnx/open.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { tinyConfigs } from '../../../support/chat/tiny-decoder.ts';
import { writeTinyPack } from '../../../support/chat/tiny-pack.ts';

const seen = vi.hoisted(() => ({ refusal: null as string | null, chains: [] as number[] }));
vi.mock('../../../../server/engine/onnx/kernels/chain-support.ts', async (original) => {
  const support = await original<typeof ChainSupport>();
  return {
    ...support,
    chainRefusal: async (family: KernelFamily) => seen.refusal ?? (await support.chainRefusal(family)),
  };
});
vi.mock('../../../../server/engine/onnx/open.ts', async (original) => {
  const open = await original<typeof Open>();
  return {
    ...open,
    openSession: (...given: Parameters<typeof open.openSession>) => {
      seen.chains.push(given[1]?.kernels?.chains?.length ?? 0);
      return open.openSession(...given);
    },
  };
});

const root = mkdtempSync(join(tmpdir(), 'lokal-open-graph-'));
afterAll(() => rmSync(root, { recursive: true }));

const serving = await servingFamilies();
const family = (['amx', 'avx512_vnni', 'avx2'] as const).find((each) => serving.includes(each));
const { signal } = new AbortController();
const tokens = Array.from({ length: 40 }, (_, at) => (at * 37 + 11) % 96);

/** Logits of a prompt, then of three sequences beside each other. */
async function logits(path: string, threads: number): Promise<Float32Array[]> {
  const runner = await ModelRunner.open(path, { threads, customKernels: family! });
  runner.allocate({ slots: 3, positions: 100 });
  const run = (slot: number, rows: RunRow[]) =>
    runner.run({ slot, rows, wanted: rows.map((row, at) => at * row.tokens.length) }, signal);
  const found = [0, 1, 2].map((slot) => run(slot, [{ tokens: tokens.slice(slot), past: 0 }]));
  const first = [await found[0]!, await found[1]!, await found[2]!];
  const rows = [40, 39, 38].map((past) => ({ tokens: [7], past }));
  const all = [...first, await run(0, rows)].map((each) => each.slice());
  await runner.close();
  return all;
}

describe.skipIf(!family)('a decoder in chains', () => {
  it.each(Object.keys(tinyConfigs))(
    'of %s gives what its operators give, to the last bit',
    async (name) => {
      const { folder } = await writeTinyPack(root, { config: tinyConfigs[name]!, preset: 'quality' });
      const path = join(folder, 'model.onnx');
      seen.refusal = 'told so';
      const alone = await logits(path, 1);
      expect(seen.chains.at(-1)).toBe(0);
      seen.refusal = null;
      for (const threads of [1, 2, 5]) expect(await logits(path, threads)).toEqual(alone);
      expect(seen.chains.at(-1)! > 0).toBe(!name.startsWith('gemma'));
    },
    60_000,
  );
});
