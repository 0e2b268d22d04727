/**
 * What each way of storing weights costs on trained ones: those of the chat starter, written by our own importer and read by the engine's runner. Perplexity of held-back text and of the right answers to
 * held-back questions; Kullback–Leibler divergence of the predictions from float32's, and how often the first choice is
 * the same.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type WriteGraphOptions, writeGraph } from '../../../server/engine/model-import/convert.ts';
import type { WeightSource } from '../../../server/engine/model-import/graph/model-shape.ts';
import { openModelFiles } from '../../../server/engine/model-import/model-files.ts';
import { type Config, tinyTensors, writeTinyModel } from '../../support/chat/tiny-decoder.ts';
import { progress, rounded } from '../measure.ts';
import type { BenchOptions } from '../run.ts';
import { heldBack, paragraphs } from './items.ts';
import { mostTokens, openReader, type Reader } from './likelihood.ts';

const folderAt = (path: string) => fileURLToPath(new URL(`../../../models/${path}`, import.meta.url));
const recipe = folderAt('recipes/lingua-starter/weights');

/**
 * A Hugging Face folder: `--weights`, else the recipe's, where weights.sh puts them. A quick run goes without trained ones.
 * @throws Error saying how to get them
 */
function openWeights({ quick, weights }: BenchOptions, scratch: string): string {
  const folder = weights ?? recipe;
  if (existsSync(join(folder, 'model.safetensors'))) return folder;
  if (!quick)
    throw new Error(`no model.safetensors in ${folder}: models/recipes/lingua-starter/weights.sh gets it`);
  const config = JSON.parse(readFileSync(join(recipe, 'config.json'), 'utf8')) as Config;
  writeTinyModel(scratch, config, tinyTensors(config));
  copyFileSync(join(recipe, 'tokenizer_config.json'), join(scratch, 'tokenizer_config.json'));
  copyFileSync(join(folderAt('packs/lingua-starter'), 'tokenizer.json'), join(scratch, 'tokenizer.json'));
  return scratch;
}

/** Trained ones are there, or a quick run goes without. */
export const hasWeights = ({ quick, weights = recipe }: BenchOptions): boolean =>
  quick || existsSync(join(weights, 'model.safetensors'));

export type Recipe = Pick<WriteGraphOptions, 'precision' | 'exactQ4_0'> & {
  source?: (source: WeightSource) => WeightSource;
};

export const float32: Recipe = { precision: () => 'float32', exactQ4_0: false };

export interface PrecisionRow {
  name: string;
  bits_per_weight: number;
  megabytes: number;
  perplexity_text: number;
  perplexity_answers: number;
  /** Nats, from float32's predictions. */
  kl: number;
  same_first: number;
}

/** A row for each recipe, by name; the first is `float32`, the measure of the others. */
export async function measurePrecisions(
  recipes: Record<string, Recipe>,
  options: BenchOptions,
): Promise<PrecisionRow[]> {
  const root = mkdtempSync(join(tmpdir(), 'lokal-precisions-'));
  try {
    const weights = openWeights(options, root);
    let whole: Float32Array[] | null = null;
    const rows: PrecisionRow[] = [];
    for (const [at, [name, recipe]] of Object.entries({ float32, ...recipes }).entries()) {
      const folder = join(root, String(at));
      const { bits, megabytes } = await write(folder, weights, recipe);
      const reader = await openReader(folder);
      const scores = await scoresOf(reader, readingsOf(reader, options.quick));
      await reader.close();
      whole ??= scores.all;
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
    return rows;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function write(folder: string, weights: string, { source, ...recipe }: Recipe) {
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

/** A text, and where what is predicted begins. */
interface Reading {
  tokens: number[];
  from: number;
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
