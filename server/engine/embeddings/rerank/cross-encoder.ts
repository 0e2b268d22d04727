/** A cross-encoder: reads a query and a document together and gives one logit, whose sigmoid is the score. */

import type { EngineOptions, PackFolder } from '../../engine.ts';
import { openOnFirst, type PlacedSession } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { inTurns, type Steps } from '../../steps.ts';
import { Batcher } from '../batcher.ts';
import { type EncoderConfig, readEncoderConfig } from '../encoder/encoder-config.ts';
import { checkInputs, inputTensors } from '../encoder/graph-inputs.ts';
import { widenHalf } from '../encoder/pooling.ts';
import { refusePack } from '../encoder-pack-files.ts';
import type { RerankParams, RerankScores } from '../types.ts';
import { loadPairTokenizer, type PairRow, type PairTokenizer } from './pair-tokenizer.ts';

/** Pairs of different length: together they show whether company changes a logit. */
const probes: readonly (readonly [query: string, document: string])[] = [
  ['invoice', 'It is due at the end of this month, please pay before. 请在本月底之前付款。'],
  ['weather', 'rain'],
];
const sameLogit = 1e-3;

/** A pack whose manifest has a `rerank` block scores pairs and makes no vectors. */
export const isReranker = ({ manifest }: Pick<PackFolder, 'manifest'>): boolean =>
  manifest.rerank !== undefined;

export class CrossEncoder {
  readonly #session: Session;
  readonly #tokenizer: PairTokenizer;
  readonly #config: EncoderConfig;
  readonly #output: string;
  readonly placed: Omit<PlacedSession, 'session'>;
  /** Of rows that wait: the batcher knows ids alone. */
  readonly #segments = new WeakMap<readonly number[], readonly number[]>();
  #batcher: Batcher;

  constructor(placed: PlacedSession, tokenizer: PairTokenizer, config: EncoderConfig) {
    const { session } = placed;
    checkInputs(session.inputs);
    this.#output = chooseLogit(session, config.output);
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#config = config;
    this.placed = { provider: placed.provider, refused: placed.refused };
    this.#batcher = this.#batch(1);
  }

  get maxTokens(): number {
    return this.#config.maxTokens;
  }

  #batch(rows: number): Batcher {
    return new Batcher((batch, signal) => this.#logits(batch, signal), {
      tokens: this.#config.batchTokens,
      rows,
    });
  }

  /** Lets pairs share a run where that changes no logit: one scale of activations a batch would. */
  async prove(): Promise<void> {
    const rows = probes.map(([query, document]) => this.#row(this.#tokenizer.openQuery(query), document));
    const together = await this.#logits(rows);
    const alone: Float32Array[] = [];
    for (const row of rows) alone.push((await this.#logits([row]))[0]!);
    const same = alone.every((logit, index) => Math.abs(logit[0]! - together[index]![0]!) <= sameLogit);
    if (same) this.#batcher = this.#batch(Number.POSITIVE_INFINITY);
  }

  #row(query: { ids: readonly number[]; room: number }, document: string): readonly number[] {
    const { ids, segments }: PairRow = this.#tokenizer.pair(query, document);
    this.#segments.set(ids, segments);
    return ids;
  }

  /** Scores 0 to 1 in the order of the documents. @throws EngineError input_too_long naming `query` */
  async rerank({ query, documents }: RerankParams, signal: AbortSignal): Promise<RerankScores> {
    signal.throwIfAborted();
    const rows = await inTurns(this.#rows(query, documents), signal);
    const logits = await this.#batcher.add(rows, signal);
    const scores = logits.map((logit) => 1 / (1 + Math.exp(-logit[0]!)));
    if (!scores.every(Number.isFinite)) throw refusePack('it gave a score that is no number.');
    return { scores, tokens: rows.map((row) => row.length) };
  }

  *#rows(query: string, documents: readonly string[]): Steps<(readonly number[])[]> {
    const opened = this.#tokenizer.openQuery(query);
    const rows: (readonly number[])[] = [];
    for (const document of documents) {
      rows.push(this.#row(opened, document));
      yield;
    }
    return rows;
  }

  async #logits(rows: readonly (readonly number[])[], signal?: AbortSignal): Promise<Float32Array[]> {
    const length = Math.max(...rows.map((row) => row.length));
    const spans = rows.map((row) => ({
      start: this.#config.paddingSide === 'left' ? length - row.length : 0,
      count: row.length,
    }));
    const tensors = inputTensors(this.#session.inputs, rows, {
      spans,
      length,
      height: rows.length,
      padTokenId: this.#config.padTokenId,
      segments: rows.map((row) => this.#segments.get(row)!),
    });
    try {
      const results = await this.#session.run(tensors, { signal, outputs: [this.#output] });
      const output = results[this.#output]!;
      if (output.data.length !== rows.length) throw notOneLogit(output.data.length / rows.length);
      const data =
        output.type === 'float16' ? widenHalf(output.data as Uint16Array) : (output.data as Float32Array);
      return rows.map((_row, index) => data.slice(index, index + 1));
    } finally {
      for (const tensor of Object.values(tensors)) tensor.close();
    }
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}

const notOneLogit = (count: number) =>
  refusePack(`its graph gives ${count} numbers a pair, where a reranker gives one.`);

/** @throws EngineError for a graph that gives no logit, or several a pair */
function chooseLogit(session: Session, named: string | undefined): string {
  const floats = session.outputs.filter(({ type }) => type === 'float32' || type === 'float16');
  const output = floats.find(({ name }) => name === (named ?? 'logits')) ?? (named ? undefined : floats[0]);
  if (!output) throw refusePack(`its graph has no float output ${named ?? 'logits'}.`);
  const last = output.dims.at(-1);
  if (output.dims.length > 2)
    throw refusePack('its graph gives states, where a reranker gives one number a pair.');
  if (output.dims.length === 2 && typeof last === 'number' && last !== 1) throw notOneLogit(last);
  const { dims } = session.inputs.find(({ name }) => name === 'input_ids')!;
  if (dims.some((dim) => typeof dim === 'number'))
    throw refusePack('its graph fixes the number or length of rows.');
  return output.name;
}

/** @throws EngineError that says what is wrong with the pack */
export async function openCrossEncoder(
  { folder, manifest }: PackFolder,
  options: EngineOptions,
): Promise<CrossEncoder> {
  const config = await readEncoderConfig(folder, { encoder: manifest.rerank });
  const tokenizer = await loadPairTokenizer(folder, config);
  const placed = await openOnFirst(options.providers, config.graph, {
    threads: options.threads,
    memoryPattern: false,
  });
  try {
    const encoder = new CrossEncoder(placed, tokenizer, config);
    await encoder.prove();
    return encoder;
  } catch (error) {
    await placed.session.close();
    throw error;
  }
}

/** Pairs of an import's smoke test. @throws EngineError where every document gets the same score */
export async function checkScores(rerank: (params: RerankParams) => Promise<RerankScores>): Promise<void> {
  const documents = ['Invois ini perlu dibayar.', 'Rain is expected in Sabah.', '这张发票已到期。', 'x'];
  const { scores } = await rerank({ query: 'When is the invoice due?', documents });
  if (new Set(scores).size < 2) throw refusePack('every document gets the same score.');
}
