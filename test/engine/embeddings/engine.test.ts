import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../../../server/engine/embeddings/engine.ts';
import type { EmbedParams, EmbedResult } from '../../../server/engine/embeddings/types.ts';
import { type Engine, EngineError } from '../../../server/engine/engine.ts';
import { writeEmbeddingPack } from '../../support/onnx/embedding-pack.ts';
import { randomNumbers } from '../../support/onnx/random.ts';
import { madeUpWords } from '../../support/onnx/word-piece.ts';

const size = 1024;
const options = { threads: 2, providers: ['cpu'] };

let folder: string;
let engine: Engine<'embeddings'>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-embed-'));
  const encoder = { prefixes: { query: 'ba ke ' } };
  engine = await openEngine(await writeEmbeddingPack(join(folder, 'tiny'), { encoder }), options);
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

function embed(params: EmbedParams, signal = new AbortController().signal): Promise<EmbedResult> {
  return engine.methods.embed(params, { signal });
}

const words = madeUpWords(60);
const random = randomNumbers(11);
const text = (length: number) =>
  Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
const rowsOf = ({ vectors }: EmbedResult) =>
  Array.from({ length: vectors.length / size }, (_, row) => vectors.subarray(row * size, (row + 1) * size));
const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0);

describe('embed', () => {
  test('unit vectors of 1,024 numbers in the order of the texts, one token count each', async () => {
    const texts = [text(3), text(20), text(1)];
    const result = await embed({ texts });
    expect(result.vectors).toHaveLength(3 * size);
    for (const row of rowsOf(result)) expect(Math.hypot(...row)).toBeCloseTo(1, 5);
    const single = await embed({ texts: [texts[1]!] });
    expect(cosine(rowsOf(result)[1]!, rowsOf(single)[0]!)).toBeGreaterThanOrEqual(0.99999);
    expect(result.tokens[1]).toBe(single.tokens[0]);
    expect(cosine(rowsOf(result)[0]!, rowsOf(result)[1]!)).toBeLessThan(0.9999);
  });

  test('a text has the same vector alone, in a batch and among concurrent calls', async () => {
    const texts = Array.from({ length: 96 }, (_, index) => text(1 + (index % 25)));
    const together = rowsOf(await embed({ texts }));
    const alone = await Promise.all(
      texts.map(async (single) => rowsOf(await embed({ texts: [single] }))[0]!),
    );
    const cosines = together.map((row, index) => cosine(row, alone[index]!));
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.99999);
  });

  test('the prefix of the task is part of the text', async () => {
    const query = await embed({ texts: ['lo mi'], task: 'query' });
    const document = await embed({ texts: ['lo mi', 'ba ke lo mi'], task: 'document' });
    const [plain, prefixed] = rowsOf(document);
    expect(cosine(rowsOf(query)[0]!, prefixed!)).toBeGreaterThanOrEqual(0.99999);
    expect(cosine(rowsOf(query)[0]!, plain!)).toBeLessThan(0.9999);
    expect(query.tokens[0]).toBe(document.tokens[1]);
  });

  test('a text of no task is a document, unless the pack has a form for it', async () => {
    const document = await embed({ texts: ['lo mi'], task: 'document' });
    expect((await embed({ texts: ['lo mi'] })).vectors).toEqual(document.vectors);
  });

  test.each([
    ['an empty text', ['a', 'b', ''], 'invalid_value', 'input[2]'],
    ['a text over the window', ['a', text(200)], 'input_too_long', 'input[1]'],
  ])('%s is refused by its index', async (_name, texts, code, param) => {
    const error = await embed({ texts }).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code, param });
  });

  test('a text of exactly the window is taken', async () => {
    // 62 single-token words, [CLS] and [SEP]: 64, the positions of the tiny encoder.
    const { tokens } = await embed({ texts: [Array.from({ length: 62 }, () => words[0]).join(' ')] });
    expect(tokens).toEqual([64]);
    await expect(
      embed({ texts: [Array.from({ length: 63 }, () => words[0]).join(' ')] }),
    ).rejects.toMatchObject({
      code: 'input_too_long',
    });
  });

  test.each([
    ['lone surrogates', '\ud800 \udfff a'],
    ['control characters', '\u0000\u0007\ufffd'],
    ['combining marks', `e${'\u0301'.repeat(30)}`],
    ['white space', ' \t\n\u3000'],
    ['special tokens', '[CLS] [MASK] [SEP]'],
  ])('%s give a vector', async (_name, strange) => {
    const [row] = rowsOf(await embed({ texts: [strange] }));
    expect(Math.hypot(...row!)).toBeCloseTo(1, 5);
  });

  test('an aborted call ends with its reason; others go on', async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    const texts = Array.from({ length: 96 }, () => text(25));
    const aborted = embed({ texts }, controller.signal);
    const other = embed({ texts: texts.slice(0, 3) });
    setImmediate(() => controller.abort(reason));
    await expect(aborted).rejects.toBe(reason);
    expect((await other).vectors).toHaveLength(3 * size);
    await expect(embed({ texts }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
