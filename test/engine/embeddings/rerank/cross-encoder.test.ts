/** A tiny cross-encoder of random weights: scores as the graph alone gives them for the tokenizer's own pairs. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEngine } from '../../../../server/engine/embeddings/engine.ts';
import type { Engine, EnginePack } from '../../../../server/engine/engine.ts';
import { openSession } from '../../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';
import { convertEncoder, isEncoderFolder } from '../../../../server/packs/imports/import-encoder.ts';
import { bertClassifier, tinyBert } from '../../../support/onnx/bert-graph.ts';
import { writeEmbeddingPack } from '../../../support/onnx/embedding-pack.ts';
import { wordPieceTokenizer } from '../../../support/onnx/word-piece.ts';

const options = { threads: 1, providers: ['cpu'] };
const { signal } = new AbortController();
const call = { signal } as Parameters<Engine<'embeddings'>['methods']['rerank']>[1];

let root: string;
let count = 0;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lokal-rerank-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const tokenizerConfig = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: tinyBert.positions,
  pad_token: '[PAD]',
};

/** BERT's own pairs end with [SEP]; `roberta`: two between, and none of its graph's inputs tells segments. */
function tokenizerOf(kind: 'bert' | 'roberta'): Record<string, unknown> {
  const definition = wordPieceTokenizer(tinyBert.vocabulary);
  const [sep, cls] = [3, 2];
  const post =
    kind === 'roberta'
      ? {
          type: 'RobertaProcessing',
          sep: ['[SEP]', sep],
          cls: ['[CLS]', cls],
          trim_offsets: true,
          add_prefix_space: false,
        }
      : { type: 'BertProcessing', sep: ['[SEP]', sep], cls: ['[CLS]', cls] };
  return { ...definition, post_processor: post };
}

/** A folder as Hugging Face has it. */
async function source(kind: 'bert' | 'roberta' = 'bert', labels = 1): Promise<string> {
  const folder = join(root, `source-${count++}`);
  await mkdir(join(folder, 'onnx'), { recursive: true });
  const files = {
    'config.json': {
      architectures: ['BertForSequenceClassification'],
      model_type: 'bert',
      max_position_embeddings: tinyBert.positions,
      pad_token_id: 0,
    },
    'tokenizer.json': tokenizerOf(kind),
    'tokenizer_config.json': tokenizerConfig,
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content));
  await writeFile(join(folder, 'onnx/model.onnx'), bertClassifier(tinyBert, labels));
  return folder;
}

async function imported(...args: Parameters<typeof source>): Promise<EnginePack> {
  const staging = join(root, `pack-${count++}`);
  await mkdir(staging);
  const manifest = await convertEncoder(await source(...args), staging, signal);
  return { ref: `${manifest.id}@1`, folder: staging, manifest };
}

/** The graph alone, a pair at a time, over ids of the tokenizer's own pairs. */
async function reference(pack: EnginePack, kind: 'bert' | 'roberta', pairs: [string, string][]) {
  const session = await openSession(join(pack.folder, 'onnx/model.onnx'));
  const tokenizer = new Tokenizer(tokenizerOf(kind), tokenizerConfig);
  const scores: number[] = [];
  for (const [query, document] of pairs) {
    const pair = tokenizer.encode(query, { text_pair: document, return_token_type_ids: true });
    const row = (values: number[]) =>
      new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
    const { logits } = await session.run({
      input_ids: row(pair.ids),
      attention_mask: row(pair.ids.map(() => 1)),
      token_type_ids: row(pair.token_type_ids),
    });
    scores.push(1 / (1 + Math.exp(-(logits!.data as Float32Array)[0]!)));
  }
  await session.close();
  return scores;
}

const query = 'bake lomi 票';
const documents = [
  'nura sita',
  'voye anerin orun bamike siba, tavo. 请付款',
  'x',
  'bake lomi 票',
  'a b c d e f g h',
];

describe('an imported cross-encoder', () => {
  test.each(['bert', 'roberta'] as const)('scores pairs of %s as its graph does', async (kind) => {
    expect(await isEncoderFolder(await source(kind))).toBe(true);
    const pack = await imported(kind);
    expect(pack.manifest).toMatchObject({ engine: 'embeddings', roles: ['svc-embed-base'], rerank: {} });
    expect(pack.manifest.encoder).toBeUndefined();
    const engine = await openEngine(pack, options);
    await engine.check?.({ signal });
    const { scores, tokens } = await engine.methods.rerank({ query, documents }, call);
    const wanted = await reference(
      pack,
      kind,
      documents.map((document) => [query, document]),
    );
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(wanted[index]!, 5);
    expect(new Set(scores).size).toBe(documents.length);
    expect(Math.min(...tokens)).toBeGreaterThan(3);
    await expect(engine.methods.embed({ texts: ['a'] }, call)).rejects.toMatchObject({
      code: 'model_not_installed',
    });
    await engine.close();
  });

  test('cuts the document, never the query', async () => {
    const pack = await imported();
    const engine = await openEngine(pack, options);
    const words = Array.from({ length: 200 }, (_, index) => 'abcdefghij'[index % 10]!);
    const { scores, tokens } = await engine.methods.rerank(
      { query: 'a b c', documents: [words.join(' ')] },
      call,
    );
    expect(tokens).toEqual([tinyBert.positions]);
    const kept = words.slice(0, tinyBert.positions - 6).join(' ');
    const [wanted] = await reference(pack, 'bert', [['a b c', kept]]);
    expect(scores[0]).toBeCloseTo(wanted!, 5);
    const refused = engine.methods.rerank({ query: words.join(' '), documents: ['a'] }, call);
    await expect(refused).rejects.toMatchObject({ code: 'input_too_long', param: 'query' });
    await engine.close();
  });

  test('serves beside a pack of vectors', async () => {
    const [vectors, reranker] = [
      await writeEmbeddingPack(join(root, `vectors-${count++}`)),
      await imported(),
    ];
    const alone = await openEngine(vectors, options);
    await expect(alone.methods.rerank({ query, documents }, call)).rejects.toMatchObject({
      code: 'model_not_installed',
    });
    await alone.close();
    const both = await openEngine({ ...vectors, tasks: { rerank: reranker } }, options);
    expect((await both.methods.embed({ texts: ['a'] }, call)).vectors).toHaveLength(1024);
    expect((await both.methods.rerank({ query, documents }, call)).scores).toHaveLength(documents.length);
    await both.close();
  });

  test('with several labels is refused', async () => {
    const pack = await imported('bert', 3);
    await expect(openEngine(pack, options)).rejects.toThrow(/3 numbers a pair/);
  });
});
