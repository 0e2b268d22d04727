/**
 * Known encoders as their repositories lay them out, with tiny tables in place of weights: the state of a token is a row of a
 * table, so what pooling, prefixes, padding and truncation must give can be reckoned here.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTextEncoder } from '../../../server/engine/embeddings/encoder/text-encoder.ts';
import type { EmbeddingTask } from '../../../server/engine/embeddings/types.ts';
import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { importPack } from '../../../server/packs/import.ts';
import { randomNumbers, randomWeights } from '../../support/onnx/random.ts';
import { wordPieceTokenizer } from '../../support/onnx/word-piece.ts';

const vocabulary = 300;
const { signal } = new AbortController();
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lokal-known-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const tableOf = (width: number) => randomWeights(randomNumbers(7), vocabulary * width, 1);
const tokenizerJson = wordPieceTokenizer(vocabulary);
const tokenizer = new Tokenizer(tokenizerJson, {});
const idsOf = (text: string, add_special_tokens = true) => tokenizer.encode(text, { add_special_tokens }).ids;

/** Unit vector of the mean of some rows, cut to 1,024 numbers. */
function expected(width: number, ids: number[]): number[] {
  const table = tableOf(width);
  const mean = Array.from(
    { length: 1024 },
    (_, at) => ids.reduce((sum, id) => sum + table[id * width + at]!, 0) / ids.length,
  );
  const norm = Math.hypot(...mean);
  return mean.map((value) => value / norm);
}

/** Token states are table rows; the weights lie in a file beside the graph. */
function statesGraph(width: number, inputs: (graph: Graph) => void): Uint8Array {
  const graph = createGraph('states');
  for (const name of ['input_ids', 'attention_mask'])
    graph.input(name, 'int64', ['batch_size', 'sequence_length']);
  inputs(graph);
  const length = vocabulary * width * 4;
  graph.externalInitializer('table', 'float32', [vocabulary, width], {
    location: 'model.onnx_data',
    offset: 0,
    length,
  });
  graph.node('Gather', ['table', 'input_ids'], ['last_hidden_state']);
  graph.output('last_hidden_state', 'float32', ['batch_size', 'sequence_length', width]);
  return graph.toModel();
}

/** EmbeddingBag as sentence-transformers exports a static table: flat ids and where each text begins. */
function bagGraph(): Uint8Array {
  const graph = createGraph('bag');
  graph.input('input_ids', 'int64', ['tokens']);
  graph.input('offsets', 'int64', ['batch_size']);
  graph.initializer('table', 'float32', [vocabulary, 1024], tableOf(1024));
  const whole = (name: string, ...values: number[]) =>
    graph.initializer(name, 'int64', [values.length], BigInt64Array.from(values, BigInt));
  whole('zero', 0);
  whole('one', 1);
  whole('last', -1);
  // One column a text: 1 where the token's place lies between its offset and the next.
  graph.node('Shape', ['input_ids'], ['count']);
  graph.node('Slice', ['offsets', 'one', 'huge', 'zero'], ['later']);
  whole('huge', 1_000_000);
  graph.node('Concat', ['later', 'count'], ['ends'], { attributes: { axis: 0 } });
  graph.initializer('start', 'int64', [], BigInt64Array.of(0n));
  graph.initializer('step', 'int64', [], BigInt64Array.of(1n));
  graph.node('Squeeze', ['count'], ['total']);
  graph.node('Range', ['start', 'total', 'step'], ['places']);
  graph.node('Unsqueeze', ['places', 'zero'], ['across']);
  graph.node('Unsqueeze', ['offsets', 'one'], ['from']);
  graph.node('Unsqueeze', ['ends', 'one'], ['to']);
  graph.node('GreaterOrEqual', ['across', 'from'], ['behind']);
  graph.node('Less', ['across', 'to'], ['before']);
  graph.node('And', ['behind', 'before'], ['inside']);
  graph.node('Cast', ['inside'], ['belongs'], { attributes: { to: 1 } });
  graph.node('Gather', ['table', 'input_ids'], ['rows']);
  graph.node('MatMul', ['belongs', 'rows'], ['sums']);
  graph.node('ReduceSum', ['belongs', 'one'], ['sizes'], { attributes: { keepdims: 1 } });
  graph.node('Div', ['sums', 'sizes'], ['embeddings']);
  graph.output('embeddings', 'float32', ['batch_size', 1024]);
  return graph.toModel();
}

const sentenceModules = (...types: string[]) =>
  types.map((type, at) => ({
    path: at === 0 ? '' : `${at}_${type}`,
    type: `sentence_transformers.models.${type}`,
  }));

interface Repository {
  name: string;
  files: Record<string, unknown>;
}

/** Writes the repository, imports it as a person would, and opens what the import made. */
async function imported({ name, files }: Repository) {
  const source = join(root, name);
  for (const [path, content] of Object.entries({ 'tokenizer.json': tokenizerJson, ...files })) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), content instanceof Uint8Array ? content : JSON.stringify(content));
  }
  const deps = {
    admit: () => {},
    packs: join(root, 'packs'),
    convert: async () => expect.fail('an encoder is no chat model'),
    tryPack: async () => {},
  };
  const pack = await importPack(source, deps, { signal });
  const manifest = JSON.parse(await readFile(join(pack.folder, 'manifest.json'), 'utf8'));
  const encoder = await openTextEncoder(pack.folder, manifest, { threads: 1, providers: ['cpu'] });
  const vector = async (text: string, task?: EmbeddingTask, company: string[] = []) => {
    const { vectors } = await encoder.embed({ texts: [text, ...company], ...(task && { task }) }, signal);
    return [...vectors.slice(0, 1024)];
  };
  return { encoder, vector, paths: pack.manifest.files.map(({ path }) => path) };
}

const weights = (width: number) => new Uint8Array(tableOf(width).buffer);
const xlmRoberta = (positions: number) => ({
  model_type: 'xlm-roberta',
  hidden_size: 1024,
  max_position_embeddings: positions,
  pad_token_id: 1,
});
const close = (found: number[], wanted: number[]) =>
  expect(found.reduce((sum, value, at) => sum + value * wanted[at]!, 0)).toBeGreaterThan(0.99999);
const company = ['ba ke lo mi nu ra si ta vo ye', 'an'];

test('bge-m3: class token, no prefix, 8,192 tokens, weights beside the graph', async () => {
  const { encoder, vector, paths } = await imported({
    name: 'bge-m3',
    files: {
      'onnx/model.onnx': statesGraph(1024, () => {}),
      'onnx/model.onnx_data': weights(1024),
      'config.json': xlmRoberta(8194),
      'sentence_bert_config.json': { max_seq_length: 8192 },
      'modules.json': sentenceModules('Transformer', 'Pooling', 'Normalize'),
      '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false },
    },
  });
  expect(paths).toContain('onnx/model.onnx_data');
  expect(encoder.config).toMatchObject({ pooling: 'cls', prefixes: {}, maxTokens: 8192, padTokenId: 1 });
  close(await vector('ba ke', 'query', company), expected(1024, idsOf('ba ke').slice(0, 1)));
  await encoder.close();
});

test('multilingual-e5-large: mean, "query: " and "passage: ", 512 tokens', async () => {
  const { encoder, vector } = await imported({
    name: 'e5',
    files: {
      'onnx/model.onnx': statesGraph(1024, () => {}),
      'onnx/model.onnx_data': weights(1024),
      'config.json': { ...xlmRoberta(514), _name_or_path: 'intfloat/multilingual-e5-large' },
    },
  });
  expect(encoder.config).toMatchObject({ pooling: 'mean', maxTokens: 512 });
  close(await vector('ba ke', 'query', company), expected(1024, idsOf('query: ba ke')));
  close(await vector('ba ke', 'document'), expected(1024, idsOf('passage: ba ke')));
  close(await vector('ba ke'), expected(1024, idsOf('query: ba ke')));
  await encoder.close();
});

test('multilingual-e5-large-instruct: queries behind their task, passages bare', async () => {
  const { encoder, vector } = await imported({
    name: 'multilingual-e5-large-instruct',
    files: {
      'onnx/model.onnx': statesGraph(1024, () => {}),
      'onnx/model.onnx_data': weights(1024),
      'config.json': xlmRoberta(514),
    },
  });
  const task =
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';
  close(await vector('ba ke', 'query'), expected(1024, idsOf(`${task}ba ke`)));
  close(await vector('ba ke', 'document'), expected(1024, idsOf('ba ke')));
  await encoder.close();
});

test('Qwen3-Embedding: last token, padded on the left, an empty cache, cut to 1,024 numbers', async () => {
  const width = 1280;
  const { encoder, vector } = await imported({
    name: 'Qwen3-Embedding-0.6B-ONNX',
    files: {
      'onnx/model.onnx': statesGraph(width, (graph) => {
        graph.input('position_ids', 'int64', ['batch_size', 'sequence_length']);
        for (const part of ['key', 'value'])
          graph.input(`past_key_values.0.${part}`, 'float32', ['batch_size', 8, 'past_length', 16]);
      }),
      'onnx/model.onnx_data': weights(width),
      'config.json': { model_type: 'qwen3', hidden_size: width, max_position_embeddings: 32_768 },
      'tokenizer_config.json': { model_max_length: 131_072 },
    },
  });
  expect(encoder.config).toMatchObject({ pooling: 'last_token', paddingSide: 'left', dimensions: 1024 });
  // The rows beside it are longer and shorter: only padding on the left keeps the last place for the last token.
  close(await vector('ba ke', 'document', company), expected(width, idsOf('ba ke').slice(-1)));
  const task = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
  const { tokens } = await encoder.embed({ texts: ['ba ke'], task: 'query' }, signal);
  expect(tokens[0]).toBe(idsOf(`${task}ba ke`).length);
  await encoder.close();
});

test('static-similarity-mrl: a bag of tokens without special ones', async () => {
  const { encoder, vector } = await imported({
    name: 'static-similarity-mrl-multilingual-v1',
    files: {
      'onnx/model.onnx': bagGraph(),
      'config.json': { model_type: 'bert' },
      'modules.json': sentenceModules('StaticEmbedding'),
    },
  });
  close(await vector('ba ke'), expected(1024, idsOf('ba ke', false)));
  close(await vector('ba ke', 'query', company), expected(1024, idsOf('ba ke', false)));
  await encoder.close();
});
