import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../server/engine/chat/engine.ts';
import { cacheScales } from '../../../server/engine/chat/int8-kv-cache/scales.ts';
import { ModelRunner } from '../../../server/engine/chat/runners/model-runner.ts';
import type { Engine } from '../../../server/engine/engine.ts';
import { ask, paramsOf } from '../../support/chat/ask.ts';
import { cosine } from '../../support/chat/reference.ts';
import { tinyConfigs } from '../../support/chat/tiny-decoder.ts';
import { type TinyPack, writeTinyPack } from '../../support/chat/tiny-pack.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'lokal-chat-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const { signal } = new AbortController();
const tokens = Array.from({ length: 40 }, (_, at) => (at * 37 + 11) % 96);
/** Another text than the one that is judged. */
const shown = Array.from({ length: 48 }, (_, at) => (at * 29 + 5) % 96);

async function open({ folder }: TinyPack, int8KvCache: boolean): Promise<ModelRunner> {
  const runner = await ModelRunner.open(join(folder, 'model.onnx'), { threads: 1, int8KvCache });
  runner.allocate({ slots: 2, positions: 64 });
  await runner.calibrate(shown);
  return runner;
}

/** Logits of every token, fed in chunks of these lengths. */
async function logits(runner: ModelRunner, lengths: readonly number[]): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (const length of lengths) {
    const past = rows.length;
    const chunk = tokens.slice(past, past + length);
    const run = { slot: 0, rows: [{ tokens: chunk, past }], wanted: chunk.map((_, at) => at) };
    const all = await runner.run(run, signal);
    const width = runner.vocabulary;
    rows.push(...chunk.map((_, at) => all.slice(at * width, (at + 1) * width)));
  }
  return rows;
}

describe('keys and values in 8 bits', () => {
  // Keys packed, normed by head, turned in part, seen through a window.
  it.each(['llama', 'qwen3', 'phi3', 'gemma3'])(
    'of %s take a quarter of the memory, stay near, and do not depend on how a prompt is cut',
    async (name) => {
      const pack = await writeTinyPack(root, { config: tinyConfigs[name]! });
      const [plain, small] = [await open(pack, false), await open(pack, true)];
      expect(small.positionBytes * 4).toBe(plain.positionBytes);
      const [right, whole] = [await logits(plain, [40]), await logits(small, [40])];
      const least = Math.min(...whole.map((row, at) => cosine(row, right[at]!)));
      expect(least).toBeGreaterThan(0.995);
      expect(await logits(small, [10, 20, 2, 8])).toEqual(whole);
      for (const runner of [plain, small]) await runner.close();
    },
  );

  const sampled = { temperature: 1, topP: 0.95, seed: 42, maxTokens: 30 };
  const seeded = async (engine: Engine<'chat'>) =>
    (await ask(engine, paramsOf('Tell me the thing', sampled))).choices;
  const questions = Array.from({ length: 5 }, (_, at) => `Question ${at}: ${'in the thing '.repeat(at)}?`);

  it.each(['float32', 'speed'] as const)(
    'a seed gives the same text alone, in company and in a fresh engine (%s)',
    async (preset) => {
      const config = { max_position_embeddings: 256 };
      const pack = await writeTinyPack(root, { config, preset, chat: { int8_kv_cache: true } });
      const openSmall = () => openEngine(pack, { threads: 2, providers: ['cpu'] });
      const [engine, fresh] = [await openSmall(), await openSmall()];
      const alone = await seeded(engine);
      const others = questions.map((content) => ask(engine, paramsOf(content, { temperature: 1 })));
      expect(await seeded(engine)).toEqual(alone);
      await Promise.all(others);
      expect(await seeded(fresh)).toEqual(alone);
      for (const each of [engine, fresh]) await each.close();
    },
  );

  it('a second turn is answered as by a fresh engine', async () => {
    const config = { max_position_embeddings: 256 };
    const pack = await writeTinyPack(root, { config, chat: { int8_kv_cache: true } });
    const openSmall = () => openEngine(pack, { threads: 1, providers: ['cpu'] });
    const [engine, fresh] = [await openSmall(), await openSmall()];
    const first = await ask(engine, paramsOf(questions[3]!));
    const messages = [
      { role: 'user' as const, content: questions[3]! },
      { role: 'assistant' as const, content: first.choices[0]!.text },
      { role: 'user' as const, content: 'And then?' },
    ];
    const ofBoth = [engine, fresh].map((each) => ask(each, paramsOf('', { messages })));
    const [second, unremembered] = await Promise.all(ofBoth);
    expect(second).toEqual(unremembered);
    for (const each of [engine, fresh]) await each.close();
  });
});

describe('scales', () => {
  const sizes = { heads: 1, headDim: 4, rows: 2 };

  it('of keys have room for any turn of a pair; of values for the largest', () => {
    const keys = Float32Array.of(3, 0, 0, 1, 0, 1, -4, 2);
    const values = Float32Array.of(1, -2, 0, 0, -1, 1, 0, 5);
    const tap = { layer: '0', outputs: ['k', 'v'], rotaryDims: 4 };
    const { key, value } = cacheScales(tap, [keys, values], sizes);
    const inRange = (each: number) => (each * 127) / 1.25;
    expect(Array.from(key, inRange).map(Math.fround)).toEqual(
      [5, Math.sqrt(5), 5, Math.sqrt(5)].map((each) => expect.closeTo(each, 4)),
    );
    expect(Array.from(value, inRange)).toEqual(
      [1, 2, expect.closeTo(0, 3), 5].map((each) =>
        typeof each === 'number' ? expect.closeTo(each, 4) : each,
      ),
    );
  });

  it('of numbers that positions do not turn are their own', () => {
    const tap = { layer: '0', outputs: ['packed'], rotaryDims: 2 };
    // A query of four numbers, a key, a value; one row.
    const packed = Float32Array.of(9, 9, 9, 9, 3, 4, 7, 8, 1, 1, 1, 1);
    const { key } = cacheScales(tap, [packed], { ...sizes, rows: 1 });
    expect(Array.from(key, (each) => (each * 127) / 1.25)).toEqual(
      [5, 5, 7, 8].map((each) => expect.closeTo(each, 4)),
    );
  });
});
