import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTextEncoder } from '../../../server/engine/embeddings/encoder/text-encoder.ts';
import { openEngine } from '../../../server/engine/embeddings/engine.ts';
import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { tinyBert } from '../../support/onnx/bert-graph.ts';
import { denseFile, type PackOptions, writeEmbeddingPack } from '../../support/onnx/embedding-pack.ts';
import { randomNumbers, randomWeights } from '../../support/onnx/random.ts';

const options = { threads: 1, providers: ['cpu'] };
const { signal } = new AbortController();

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-packs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What an import does: open, and ask for the smoke test. */
async function importCheck(pack: PackOptions): Promise<Record<string, unknown>> {
  const engine = await openEngine(await write(pack), options);
  try {
    await engine.check?.({ signal });
    return engine.info;
  } finally {
    await engine.close();
  }
}

const write = (pack: PackOptions) => writeEmbeddingPack(join(folder, `pack-${count++}`), pack);

/** Vectors of some texts through a pack. */
async function vectorsOf(pack: PackOptions, texts: string[]): Promise<Float32Array[]> {
  const { folder: place, manifest } = await write(pack);
  const encoder = await openTextEncoder(place, manifest, options);
  try {
    const { vectors } = await encoder.embed({ texts }, signal);
    const width = encoder.config.dimensions;
    return texts.map((_text, row) => vectors.slice(row * width, (row + 1) * width));
  } finally {
    await encoder.close();
  }
}

const cosine = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0);

/** A table of vectors by token, as its own graph: averaged over the real tokens, no normalization. */
function staticTable(build?: (graph: Graph, width: number) => void): Uint8Array {
  const { vocabulary } = tinyBert;
  const graph = createGraph('static');
  graph.input('input_ids', 'int64', ['rows', 'length']);
  graph.input('attention_mask', 'int64', ['rows', 'length']);
  const weights = randomWeights(randomNumbers(4), vocabulary * 1024, 1);
  graph.initializer('table', 'float32', [vocabulary, 1024], weights);
  graph.initializer('last', 'int64', [1], BigInt64Array.of(2n));
  graph.initializer('middle', 'int64', [1], BigInt64Array.of(1n));
  graph.node('Gather', ['table', 'input_ids'], ['gathered']);
  graph.node('Cast', ['attention_mask'], ['real'], { attributes: { to: 1 } });
  graph.node('Unsqueeze', ['real', 'last'], ['mask']);
  graph.node('Mul', ['gathered', 'mask'], ['kept']);
  graph.node('ReduceSum', ['kept', 'middle'], ['sum'], { attributes: { keepdims: 0 } });
  graph.node('ReduceSum', ['real', 'middle'], ['count'], { attributes: { keepdims: 1 } });
  graph.node('Div', ['sum', 'count'], ['sentence_embedding']);
  graph.output('sentence_embedding', 'float32', ['rows', 1024]);
  build?.(graph, 1024);
  return graph.toModel();
}

const texts = ['bake lomi', 'nura sita voye anerin orun bamike'];

test('a text far beyond the window is refused before it is tokenized', async () => {
  const error = await vectorsOf({}, ['a'.repeat(3_000_000)]).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'input_too_long', param: 'input[0]' });
});

describe('packs that serve', () => {
  test('a static table, already pooled, with pooling none', async () => {
    const pack = {
      encoder: { pooling: 'none' },
      files: { 'onnx/model.onnx': staticTable(), 'modules.json': null },
    };
    const [first, second] = await vectorsOf(pack, texts);
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
    expect(cosine(first!, second!)).toBeLessThan(0.99);
    expect(await importCheck(pack)).toMatchObject({ max_tokens: 64, provider: 'cpu' });
  });

  test('pooling by mean, class token and last token gives three different vectors', async () => {
    const shape = tinyBert;
    const byPooling = await Promise.all(
      ['mean', 'cls', 'last_token'].map(async (pooling) => {
        const encoder = { pooling, dimensions: shape.hidden };
        return vectorsOf({ shape, encoder }, texts);
      }),
    );
    const firsts = byPooling.map((vectors) => vectors[0]!);
    expect(cosine(firsts[0]!, firsts[1]!)).toBeLessThan(0.999);
    expect(cosine(firsts[1]!, firsts[2]!)).toBeLessThan(0.999);
  });

  test('left padding gives a static table the same vectors', async () => {
    const files = { 'onnx/model.onnx': staticTable(), 'modules.json': null };
    const right = await vectorsOf({ files }, texts);
    const left = await vectorsOf({ files, encoder: { padding_side: 'left', pad_token_id: 3 } }, texts);
    for (const [index, vector] of right.entries())
      expect(cosine(vector, left[index]!)).toBeGreaterThan(0.999999);
  });

  test('truncated dimensions are the first ones, normalized again', async () => {
    const shape = tinyBert;
    const whole = await vectorsOf({ shape, encoder: { dimensions: 64 } }, texts);
    const short = await vectorsOf({ shape, encoder: { dimensions: 16 } }, texts);
    const head = whole[0]!.slice(0, 16);
    const norm = Math.hypot(...head);
    expect(
      cosine(
        head.map((value) => value / norm),
        short[0]!,
      ),
    ).toBeCloseTo(1, 5);
  });

  test('prompts and limits of the Hugging Face files are read', async () => {
    const { folder: place, manifest } = await write({
      files: {
        'config_sentence_transformers.json': { prompts: { query: 'ba ', passage: 'ke ' } },
        'sentence_bert_config.json': { max_seq_length: 32 },
        'tokenizer_config.json': { model_max_length: 1e30, padding_side: 'left' },
        '1_Pooling/config.json': { pooling_mode: 'lasttoken' },
      },
    });
    const encoder = await openTextEncoder(place, manifest, options);
    expect(encoder.config).toMatchObject({
      maxTokens: 32,
      prefixes: { query: 'ba ', document: 'ke ' },
      paddingSide: 'left',
      pooling: 'last_token',
      denseFolders: ['2_Dense'],
    });
    await encoder.close();
  });

  test('a pack may name a form of its own for texts without a task', async () => {
    const prefixes = { query: 'ba ', document: 'ke ', similarity: '' };
    const { folder: place, manifest } = await write({ encoder: { prefixes } });
    const encoder = await openTextEncoder(place, manifest, options);
    const one = async (text: string, task?: 'document') =>
      (await encoder.embed({ texts: [text], ...(task ? { task } : {}) }, new AbortController().signal))
        .vectors;
    expect(await one('ke lo')).toEqual(await one('lo', 'document'));
    expect(await one('lo')).not.toEqual(await one('lo', 'document'));
    await encoder.close();
  });

  test('positions of RoBERTa start after the padding id', async () => {
    const { folder: place, manifest } = await write({
      files: {
        'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 42, pad_token_id: 1 },
        'tokenizer_config.json': {},
      },
    });
    const encoder = await openTextEncoder(place, manifest, options);
    expect(encoder.config.maxTokens).toBe(40);
    await encoder.close();
  });

  test('a graph whose batch changes its answers runs one text at a time', async () => {
    const model = staticTable((graph) => {
      // The largest length in the run leaks into every row, as one scale for a whole batch does.
      graph.node('Shape', ['input_ids'], ['shape']);
      graph.node('Cast', ['shape'], ['sizes'], { attributes: { to: 1 } });
      graph.node('ReduceMax', ['sizes'], ['most'], { attributes: { keepdims: 0 } });
      graph.node('Mul', ['most', 'sum'], ['scaled']);
      graph.node('Sin', ['scaled'], ['leaking']);
      graph.output('leaking', 'float32', ['rows', 1024]);
    });
    const files = { 'onnx/model.onnx': model, 'modules.json': null };
    const { folder: place, manifest } = await write({ files, encoder: { output: 'leaking' } });
    const encoder = await openTextEncoder(place, manifest, options);
    expect(encoder.limits.rows).toBe(1);
    await encoder.close();
  });
});

describe('packs that cannot serve', () => {
  const badDense = { 'modules.json': [{ path: '2_Dense', type: 'x.Dense' }] };
  test.each<[string, PackOptions, RegExp]>([
    ['vectors too short', { shape: tinyBert }, /vectors of 64 numbers where 1024/],
    ['other dimensions', { encoder: { dimensions: 512 } }, /encoder.dimensions is 512/],
    ['no graph', { files: { 'onnx/model.onnx': null } }, /no onnx\/model.onnx or model.onnx/],
    ['a damaged graph', { files: { 'onnx/model.onnx': new Uint8Array(50) } }, /damaged|not valid/],
    ['no tokenizer', { files: { 'tokenizer.json': null } }, /no tokenizer.json/],
    ['a tokenizer of no kind', { files: { 'tokenizer.json': { model: { type: 'Nope' } } } }, /not supported/],
    ['a file that is not JSON', { files: { 'config.json': new Uint8Array([1]) } }, /config.json is not JSON/],
    ['a path out of the pack', { encoder: { graph: '../model.onnx' } }, /outside the pack/],
    ['pooling of no name', { encoder: { pooling: 'max' } }, /encoder.pooling/],
    ['two poolings', { files: { '1_Pooling/config.json': { pooling_mode_max_tokens: true } } }, /pooling/],
    ['an output that is not there', { encoder: { output: 'nothing' } }, /no float output nothing/],
    ['pooling none over states', { encoder: { pooling: 'none' } }, /not one vector a text/],
    [
      'a dense layer that does not fit',
      { files: { '2_Dense/model.safetensors': denseFile(32, 1024) } },
      /2_Dense/,
    ],
    ['a dense layer that is not there', { files: { ...badDense, '2_Dense/config.json': null } }, /2_Dense/],
    [
      'the same vector for every text',
      {
        files: {
          'onnx/model.onnx': staticTable((graph) => {
            graph.initializer('nothing', 'float32', [], Float32Array.of(0));
            graph.initializer('something', 'float32', [], Float32Array.of(1));
            graph.node('Mul', ['sum', 'nothing'], ['zeros']);
            graph.node('Add', ['zeros', 'something'], ['constant']);
            graph.output('constant', 'float32', ['rows', 1024]);
          }),
        },
        encoder: { output: 'constant' },
      },
      /same vector/,
    ],
    [
      'vectors of zeros',
      {
        files: {
          'onnx/model.onnx': staticTable((graph) => {
            graph.initializer('nothing', 'float32', [], Float32Array.of(0));
            graph.node('Mul', ['sum', 'nothing'], ['zeros']);
            graph.output('zeros', 'float32', ['rows', 1024]);
          }),
        },
        encoder: { output: 'zeros' },
      },
      /without direction/,
    ],
  ])('%s', async (_name, pack, message) => {
    const error = (await importCheck(pack).catch((failure: unknown) => failure)) as Error;
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(folder);
  });
});
