/**
 * Quality of the starter embedder through the real engine: graded similarity (Spearman), bitext top-1, passage retrieval
 * (nDCG@10), and the same by character n-grams and BM25. `score` is the mean of the four fields before `floors`, with
 * the three languages' similarity averaged first.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openTextEncoder, type TextEncoder } from '../../server/engine/embeddings/encoder/text-encoder.ts';
import { progress, rounded } from './measure.ts';
import type { BenchOptions } from './run.ts';
import {
  cmrc,
  flores,
  gradedPairs,
  hasSharedData,
  type Language,
  languages,
  tatoebaHeldBack,
} from './text-quality/datasets.ts';
import { bm25Scores, gramCosines, gramScores } from './text-quality/floors.ts';
import { bitextTop1, ndcg10, type RowScores, spearman } from './text-quality/measures.ts';

const folder = fileURLToPath(new URL('../../models/packs/embed-starter', import.meta.url));
const dimensions = 1024;

type Task = 'query' | 'document';
type Figures = Record<string, number>;

/** Unit vectors of many texts, asked in requests of the API's largest size. */
class Embedder {
  readonly #encoder: TextEncoder;
  texts = 0;
  ms = 0;

  constructor(encoder: TextEncoder) {
    this.#encoder = encoder;
  }

  async vectors(texts: readonly string[], task?: Task): Promise<Float32Array> {
    const all = new Float32Array(texts.length * dimensions);
    const start = performance.now();
    for (let from = 0; from < texts.length; from += 96) {
      const part = texts.slice(from, from + 96);
      const { vectors } = await this.#encoder.embed(
        { texts: part, ...(task ? { task } : {}) },
        new AbortController().signal,
      );
      all.set(vectors, from * dimensions);
    }
    this.ms += performance.now() - start;
    this.texts += texts.length;
    return all;
  }
}

function cosine(left: Float32Array, row: number, right: Float32Array, column: number): number {
  let sum = 0;
  const [a, b] = [row * dimensions, column * dimensions];
  for (let index = 0; index < dimensions; index++) sum += left[a + index]! * right[b + index]!;
  return sum;
}

const cosines =
  (left: Float32Array, right: Float32Array): RowScores =>
  (row) =>
    Float64Array.from({ length: right.length / dimensions }, (_, column) => cosine(left, row, right, column));

async function similarity(embedder: Embedder): Promise<{ ours: Figures; grams: Figures }> {
  const [ours, grams]: [Figures, Figures] = [{}, {}];
  for (const language of languages) {
    const { left, right, grades } = gradedPairs(language);
    const [a, b] = [await embedder.vectors(left), await embedder.vectors(right)];
    const ourScores = grades.map((_, row) => cosine(a, row, b, row));
    ours[language] = rounded(spearman(ourScores, grades));
    grams[language] = rounded(spearman(gramCosines(left, right), grades));
    progress(`similarity ${language}: ${ours[language]}, n-grams ${grams[language]}`);
  }
  return { ours, grams };
}

async function bitext(embedder: Embedder, left: string[], right: string[]): Promise<number> {
  const [a, b] = [await embedder.vectors(left), await embedder.vectors(right)];
  return rounded(bitextTop1(left.length, cosines(a, b), cosines(b, a)));
}

const gramBitext = (left: string[], right: string[]) =>
  rounded(bitextTop1(left.length, gramScores(left, right), gramScores(right, left)));

async function bitexts(embedder: Embedder, limit: number): Promise<{ ours: Figures; grams: Figures }> {
  const columns = flores(limit);
  const [ours, grams]: [Figures, Figures] = [{}, {}];
  const pairs: [string, Language, Language][] = [
    ['bitext_ms', 'en', 'ms'],
    ['bitext_zh', 'en', 'zh'],
    ['bitext_ms_zh', 'ms', 'zh'],
  ];
  for (const [name, from, to] of pairs) {
    ours[name] = await bitext(embedder, columns[from], columns[to]);
    grams[name] = gramBitext(columns[from], columns[to]);
    progress(`${name}: ${ours[name]}, n-grams ${grams[name]}`);
  }
  for (const language of ['ms', 'zh'] as const) {
    const [left, right] = tatoebaHeldBack(language);
    ours[`tatoeba_${language}`] = await bitext(embedder, left, right);
    grams[`tatoeba_${language}`] = gramBitext(left, right);
  }
  return { ours, grams };
}

async function retrieval(
  embedder: Embedder,
  limit: number,
): Promise<{ ours: number; bm25: number; grams: number }> {
  const { passages, questions, answers } = cmrc(limit);
  const documents = await embedder.vectors(passages, 'document');
  const queries = await embedder.vectors(questions, 'query');
  const result = {
    ours: rounded(ndcg10(answers, cosines(queries, documents))),
    bm25: rounded(ndcg10(answers, bm25Scores(questions, passages))),
    grams: rounded(ndcg10(answers, gramScores(questions, passages))),
  };
  progress(`retrieval: ${result.ours}, BM25 ${result.bm25}, n-grams ${result.grams}`);
  return result;
}

const mean = (values: readonly number[]) =>
  rounded(values.reduce((sum, value) => sum + value, 0) / values.length);

async function measureShared(embedder: Embedder, quick: boolean): Promise<object | undefined> {
  if (!hasSharedData()) {
    progress('no shared development data: bitext and retrieval are left out');
    return undefined;
  }
  const parallel = await bitexts(embedder, quick ? 40 : 997);
  const search = await retrieval(embedder, quick ? 20 : 848);
  return { parallel, search };
}

export async function run({ quick }: BenchOptions): Promise<object> {
  const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8')) as Record<string, unknown>;
  const encoder = await openTextEncoder(folder, manifest, { threads: 1, providers: ['cpu'] });
  try {
    const embedder = new Embedder(encoder);
    const graded = await similarity(embedder);
    const rest = (await measureShared(embedder, quick)) as
      | { parallel: Awaited<ReturnType<typeof bitexts>>; search: Awaited<ReturnType<typeof retrieval>> }
      | undefined;
    const similarityMean = mean(Object.values(graded.ours));
    const heads = rest
      ? [similarityMean, rest.parallel.ours.bitext_ms!, rest.parallel.ours.bitext_zh!, rest.search.ours]
      : [similarityMean];
    return {
      score: mean(heads),
      similarity: graded.ours,
      ...rest?.parallel.ours,
      ...(rest ? { retrieval_ndcg10: rest.search.ours } : {}),
      floors: {
        similarity: graded.grams,
        ...rest?.parallel.grams,
        ...(rest ? { retrieval_bm25: rest.search.bm25, retrieval_ngrams: rest.search.grams } : {}),
      },
      ms_per_text: rounded(embedder.ms / embedder.texts),
    };
  } finally {
    await encoder.close();
  }
}
