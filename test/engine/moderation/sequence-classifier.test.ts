import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEngine } from '../../../server/engine/moderation/engine.ts';
import type { ClassifyResult } from '../../../server/engine/moderation/types.ts';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { shieldStarter } from '../../support/moderation/shield-pack.ts';
import { madeUpWords, wordPieceTokenizer } from '../../support/onnx/word-piece.ts';

const vocabulary = 300;
const [badWord = ''] = madeUpWords(1);

/** Two labels; the second one's logit is 6 for each bad word and −3 without one. */
function tinyClassifier(): Uint8Array {
  const tokens = (wordPieceTokenizer(vocabulary).model as { vocab: Record<string, number> }).vocab;
  const weights = new Float32Array(vocabulary * 2);
  weights[(tokens[badWord] ?? 0) * 2 + 1] = 6;
  const graph = createGraph('classifier', { '': 17 });
  for (const name of ['input_ids', 'attention_mask']) graph.input(name, 'int64', ['batch', 'length']);
  const table = graph.initializer('table', 'float32', [vocabulary, 2], weights);
  const rows = graph.node('Gather', [table, 'input_ids'], ['rows']);
  const axes = graph.initializer('axes', 'int64', [1], BigInt64Array.of(-1n));
  const mask = graph.node(
    'Unsqueeze',
    [graph.node('Cast', ['attention_mask'], ['real'], { attributes: { to: 1 } }), axes],
    ['mask'],
  );
  const second = graph.initializer('second', 'int64', [1], BigInt64Array.of(1n));
  const summed = graph.node('ReduceSum', [graph.node('Mul', [rows, mask], ['seen']), second], ['summed'], {
    attributes: { keepdims: 0 },
  });
  graph.node('Add', [summed, graph.initializer('bias', 'float32', [2], Float32Array.of(0, -3))], ['logits']);
  graph.output('logits', 'float32', ['batch', 2]);
  return graph.toModel();
}

const classifier = {
  kind: 'sequence-classification',
  model: 'model.onnx',
  max_tokens: 32,
  labels: [[], ['harassment', 'hate_speech']],
  thresholds: { harassment: 0.4 },
};
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-moderation-'));
  await writeFile(join(folder, 'model.onnx'), tinyClassifier());
  await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(wordPieceTokenizer(vocabulary)));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const open = (block: Record<string, unknown>) =>
  openEngine(
    { ref: 'tiny@1', folder, manifest: { classifier: block }, starter: shieldStarter },
    { threads: 1, providers: ['cpu'] },
  );

async function ask(text: string): Promise<ClassifyResult> {
  const engine = await open(classifier);
  try {
    return await engine.methods.classify({ text }, { signal: new AbortController().signal });
  } finally {
    await engine.close();
  }
}

describe('an imported sequence classifier', () => {
  it('maps labels to categories and keeps the thresholds of its manifest', async () => {
    const { scores, flaggedCategories } = await ask(`so ${badWord} now`);
    expect(scores.harassment).toBeCloseTo(1 / (1 + Math.exp(-3)), 4);
    expect(scores.hate_speech).toBeCloseTo(scores.harassment ?? 0, 6);
    expect(scores.violence).toBe(0);
    expect(flaggedCategories.harassment).toBe(true);
    expect((await ask('so nothing now')).flagged).toBe(false);
  });

  it('reads to the end of a long text and names the sentence', async () => {
    const text = `${'This is fine. '.repeat(60)}But ${badWord} here. ${'And fine again. '.repeat(20)}`;
    const { flaggedCategories, spans } = await ask(text);
    expect(flaggedCategories.harassment).toBe(true);
    expect(
      spans.filter((span) => span.category === 'harassment').map(({ start, end }) => text.slice(start, end)),
    ).toEqual([`But ${badWord} here.`]);
  });

  it('cuts a sentence longer than the window', async () => {
    expect((await ask(`${'fine '.repeat(70)}${badWord}`)).flaggedCategories.harassment).toBe(true);
  });

  it.each([
    [{ ...classifier, labels: [['rudeness'], []] }, 'rudeness'],
    [{ ...classifier, labels: [[]] }, 'labels'],
    [{ ...classifier, kind: 'magic' }, 'magic'],
    [{ ...classifier, tokenizer: '../x.json' }, 'outside'],
    [{ ...classifier, activation: 'tanh' }, 'activation'],
  ])('refuses a manifest that does not fit', async (block, word) => {
    await expect(open(block)).rejects.toThrow(word);
  });
});
