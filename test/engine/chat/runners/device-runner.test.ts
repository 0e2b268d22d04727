import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChatPack } from '../../../../server/engine/chat/pack.ts';
import { DeviceRunner } from '../../../../server/engine/chat/runners/device-runner.ts';
import { ModelRunner } from '../../../../server/engine/chat/runners/model-runner.ts';
import {
  objection,
  type Runner,
  runValidation,
  selectProvider,
} from '../../../../server/engine/chat/runners/provider-selection.ts';
import { cosine } from '../../../support/chat/reference.ts';
import { tinyConfigs } from '../../../support/chat/tiny-decoder.ts';
import { type TinyPack, writeTinyPack } from '../../../support/chat/tiny-pack.ts';

let root: string;
let pack: TinyPack;
let onDevice: DeviceRunner;
let plain: ModelRunner;
const { signal } = new AbortController();
const limits = { slots: 3, positions: 64 };

/**
 * The processor stands in for a device: its memory is asked for in the same way. LOKAL_TEST_PROVIDER=webgpu (or another)
 * takes a real one.
 */
const provider = process.env.LOKAL_TEST_PROVIDER ?? 'cpu';
/** Rows that run together differ in the last bit from single ones; a device does not round to 8 bits as the processor does. */
const near = (found: Float32Array, expected: Float32Array) => {
  expect(found.length).toBe(expected.length);
  expect(cosine(found, expected)).toBeGreaterThan(provider === 'cpu' ? 0.99999 : 0.97);
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lokal-device-'));
  pack = await writeTinyPack(root, { config: tinyConfigs.qwen3!, preset: 'speed' });
  const path = join(pack.folder, 'model.onnx');
  onDevice = await DeviceRunner.open(path, { provider, threads: 1 });
  // The stand-in multiplies by the runtime's kernels.
  plain = await ModelRunner.open(path, { threads: 1, customKernels: false });
  plain.allocate(limits);
});
afterAll(async () => {
  await onDevice.close();
  await plain.close();
  rmSync(root, { recursive: true });
});

const tokens = Array.from({ length: 40 }, (_, at) => (at * 37 + 11) % 96);
const chunk = (from: number, to: number) => ({ tokens: tokens.slice(from, to), past: from });
const logits = async (runner: Runner, slot: number, rows: ReturnType<typeof chunk>[], wanted: number[]) =>
  (await runner.run({ slot, rows, wanted }, signal)).slice();

describe('keys and values in the memory of a device', () => {
  it('give the same answers, however a prompt is cut', async () => {
    onDevice.allocate(limits);
    for (const [from, to] of [
      [0, 20],
      [20, 24],
      [24, 25],
    ] as const) {
      const wanted = [...chunk(from, to).tokens.keys()].slice(-3);
      const expected = await logits(plain, 1, [chunk(from, to)], wanted);
      near(await logits(onDevice, 1, [chunk(from, to)], wanted), expected);
    }
  });

  it('serve several rows at once, and rows of which nothing is wanted', async () => {
    onDevice.allocate(limits);
    for (const runner of [plain, onDevice]) {
      await logits(runner, 0, [chunk(0, 10)], []);
      await logits(runner, 1, [chunk(0, 6)], [5]);
    }
    const rows = [chunk(10, 11), chunk(6, 7)];
    for (const wanted of [[1, 0], [1]])
      near(await logits(onDevice, 0, rows, wanted), await logits(plain, 0, rows, wanted));
  });

  it('can be copied and exchanged between slots, before anything else is computed', async () => {
    const cache = onDevice.allocate(limits);
    for (const runner of [plain, onDevice]) await logits(runner, 0, [chunk(0, 12)], [11]);
    cache.copy(0, 1);
    cache.swap(1, 2);
    const expected = await logits(plain, 0, [chunk(12, 16)], [3]);
    const other = { tokens: [5, 6, 7], past: 4 };
    // The first slot goes another way; the copy does not.
    await logits(onDevice, 0, [other], [2]);
    near(await logits(onDevice, 2, [chunk(12, 16)], [3]), expected);
  });
});

describe('where a decoder runs', () => {
  it('is where its trial gave the same answers sooner', async () => {
    const processor = await ModelRunner.open(join(pack.folder, 'model.onnx'), {
      threads: 1,
      customKernels: false,
    });
    const [expected, same] = [await runValidation(processor), await runValidation(onDevice)];
    await processor.close();
    for (const [place, row] of same.logits.entries()) near(row, expected.logits[place]!);
    expect(objection({ ...expected, time: 2 }, { ...same, time: 1 })).toBeNull();
    expect(objection({ ...expected, time: 1 }, { ...same, time: 2 })).toContain('slower');
    const late = expected.logits.with(
      -1,
      expected.logits.at(-1)!.map((value) => -value),
    );
    expect(objection({ ...expected, time: 2 }, { logits: late, time: 1 })).toContain('differs');
    const broken = expected.logits.with(0, expected.logits[0]!.with(3, Number.NaN));
    expect(objection({ ...expected, time: 2 }, { logits: broken, time: 1 })).toContain('differs');
  });

  it('leaves nothing of the trial behind', async () => {
    const processor = await ModelRunner.open(join(pack.folder, 'model.onnx'), {
      threads: 1,
      customKernels: false,
    });
    await runValidation(processor);
    processor.allocate(limits);
    const rows = [chunk(10, 11), chunk(6, 7)];
    for (const runner of [plain, processor]) {
      await logits(runner, 0, [chunk(0, 10)], [9]);
      await logits(runner, 1, [chunk(0, 6)], [5]);
    }
    expect(await logits(processor, 0, rows, [0, 1])).toEqual(await logits(plain, 0, rows, [0, 1]));
    await processor.close();
  });

  it('is the processor where a device is missing, which says why', async () => {
    const chat = await readChatPack(pack.folder, pack.manifest);
    const placed = await selectProvider(chat, { providers: ['cuda', 'cpu'], threads: 1 });
    await placed.runner.close();
    if (placed.provider === 'cuda') return;
    expect(placed.refused).toEqual([{ provider: 'cuda', detail: expect.any(String) }]);
  });
});
