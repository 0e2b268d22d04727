/**
 * What each quantisation costs on trained weights: those of the chat starter (models/recipes/lingua-starter/weights), written
 * in each precision by our own importer and read by the engine's runner. Perplexity of held-back text and of the right
 * answers to held-back questions; Kullback–Leibler divergence of the predictions from float32's, and how often the first
 * choice is the same. `table` is the one in models/README.md.
 */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GraphOptions, writeGraph } from '../../server/engine/chat/convert/convert.ts';
import { openModelFiles } from '../../server/engine/chat/convert/model-files.ts';
import type { WeightSource } from '../../server/engine/chat/graph/model-shape.ts';
import { heldBack, paragraphs } from './chat-quality/items.ts';
import { mostTokens, openReader, type Reader } from './chat-quality/likelihood.ts';
import { withQ4_0 } from './chat-quality/q4-0.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';

const weights = fileURLToPath(new URL('../../models/recipes/lingua-starter/weights', import.meta.url));

type Recipe = Pick<GraphOptions, 'precision' | 'exactQ4_0'> & {
  source?: (source: WeightSource) => WeightSource;
};

const recipes: Record<string, Recipe> = {
  float32: { precision: () => 'float32', exactQ4_0: false },
  'ours, 8 bits, block 64': { precision: () => ({ bits: 8, block: 64 }), exactQ4_0: false },
  'ours, 4 bits, block 64, table in 8 (quality)': {
    precision: ([first]) => ({ bits: first === 'embedding' ? 8 : 4, block: 64 }),
    exactQ4_0: false,
  },
  'ours, 4 bits, block 64': { precision: () => ({ bits: 4, block: 64 }), exactQ4_0: false },
  'ours, 4 bits, block 128 (speed)': { precision: () => ({ bits: 4, block: 128 }), exactQ4_0: false },
  'Q4_0, block 32': { precision: () => ({ bits: 4, block: 32 }), exactQ4_0: true, source: withQ4_0 },
};

/** A text, and where what is predicted begins. */
interface Reading {
  tokens: number[];
  from: number;
}

interface Row {
  name: string;
  bits_per_weight: number;
  megabytes: number;
  perplexity_text: number;
  perplexity_answers: number;
  kl: number;
  same_first: number;
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const root = mkdtempSync(join(tmpdir(), 'lokal-quantisation-'));
  try {
    const names = Object.keys(recipes).slice(0, quick ? 2 : undefined);
    let whole: Float32Array[] = [];
    const rows: Row[] = [];
    for (const [at, name] of names.entries()) {
      const folder = join(root, String(at));
      const { bits, megabytes } = await write(folder, recipes[name]!);
      const reader = await openReader(folder);
      const readings = readingsOf(reader, quick);
      const scores = await scoresOf(reader, readings);
      await reader.close();
      if (at === 0) whole = scores.all;
      const { kl, same } = distance(whole, scores.all, reader.vocabulary);
      rows.push({
        name,
        bits_per_weight: rounded(bits),
        megabytes: rounded(megabytes),
        perplexity_text: rounded(scores.text),
        perplexity_answers: rounded(scores.answers),
        kl: rounded(kl),
        same_first: rounded(same),
      });
      progress(JSON.stringify(rows.at(-1)));
      rmSync(folder, { recursive: true });
    }
    return { rows, table: tableOf(rows) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function write(folder: string, { source, ...recipe }: Recipe) {
  mkdirSync(folder);
  const files = await openModelFiles(weights);
  const converted = await writeGraph({
    ...recipe,
    shape: files.shape,
    source: source ? source(files.weights) : files.weights,
    target: folder,
    graph: 'model.onnx',
    data: 'model.data',
    context: mostTokens,
    onProgress: () => {},
    signal: new AbortController().signal,
  });
  await files.weights.close();
  for (const name of Object.keys(files.tokenizer)) copyFileSync(join(weights, name), join(folder, name));
  const chat = { graph: 'model.onnx', context: mostTokens, bos: files.bos, eos: files.eos };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ chat }));
  return {
    // Of matrices that are stored as they are, none is counted.
    bits: Number.isNaN(converted.bitsPerWeight) ? 32 : converted.bitsPerWeight,
    megabytes: statSync(join(folder, 'model.data')).size / 1e6,
  };
}

/** Held-back text from its beginning; held-back answers behind their questions, as plain turns. */
function readingsOf({ tokenizer }: Reader, quick: boolean): { text: Reading[]; answers: Reading[] } {
  const text = Object.values(paragraphs())
    .flatMap((texts) => texts.slice(0, quick ? 2 : 40))
    .map((each) => ({ tokens: tokenizer.encode(`<|endoftext|>${each}`).slice(0, mostTokens), from: 1 }));
  const answers = heldBack()
    .filter(({ answer, schema, tools }) => typeof answer === 'string' && !schema && !tools)
    .slice(0, quick ? 4 : 120)
    .map(({ answer, messages }) => {
      const turns = messages.map(
        ({ content, role }) => `<|im_start|>${role}\n${content as string}<|im_end|>\n`,
      );
      const prompt = tokenizer.encode(`${turns.join('')}<|im_start|>assistant\n`);
      const tokens = [...prompt, ...tokenizer.encode(`${answer as string}<|im_end|>`)];
      return { tokens: tokens.slice(0, mostTokens), from: prompt.length };
    });
  return { text, answers };
}

interface Scores {
  text: number;
  answers: number;
  /** Log probabilities at every judged place. */
  all: Float32Array[];
}

async function scoresOf(reader: Reader, readings: { text: Reading[]; answers: Reading[] }): Promise<Scores> {
  const all: Float32Array[] = [];
  const perplexityOf = async (each: readonly Reading[]) => {
    let [loss, count] = [0, 0];
    for (const { from, tokens } of each) {
      const scores = await reader.logProbabilities(tokens);
      for (let at = from; at < tokens.length; at += 1) {
        const row = scores.slice((at - 1) * reader.vocabulary, at * reader.vocabulary);
        all.push(row);
        loss -= row[tokens[at]!]!;
        count += 1;
      }
    }
    return Math.exp(loss / count);
  };
  return { text: await perplexityOf(readings.text), answers: await perplexityOf(readings.answers), all };
}

/** Mean divergence of `from` to `to` in nats, and the share of places whose likeliest token is the same. */
function distance(from: readonly Float32Array[], to: readonly Float32Array[], width: number) {
  let [kl, same] = [0, 0];
  for (const [at, row] of from.entries()) {
    const other = to[at]!;
    let [best, otherBest] = [0, 0];
    for (let id = 0; id < width; id += 1) {
      kl += Math.exp(row[id]!) * (row[id]! - other[id]!);
      if (row[id]! > row[best]!) best = id;
      if (other[id]! > other[otherBest]!) otherBest = id;
    }
    if (best === otherBest) same += 1;
  }
  return { kl: kl / from.length, same: same / from.length };
}

const tableOf = (rows: readonly Row[]): string =>
  [
    '| precision | bits a weight | MB | perplexity, text | perplexity, answers | KL from float32 | same first choice |',
    '|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
  ].join('\n');
