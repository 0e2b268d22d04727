import type { EngineOptions } from '../../engine.ts';
import { openOnFirst, type PlacedSession } from '../../onnx/open.ts';
import { inTurns, type Steps } from '../../steps.ts';
import type { BatchLimits } from '../batch.ts';
import { Batcher } from '../batcher.ts';
import type { Json } from '../encoder-pack-files.ts';
import { loadTokenizer, type TextTokenizer } from '../tokenize.ts';
import type { EmbedParams, EmbedResult } from '../types.ts';
import { loadDenseLayer } from './dense.ts';
import { Encoder } from './encoder.ts';
import { type EncoderConfig, readEncoderConfig } from './encoder-config.ts';

/** Two texts of different length: together they show whether padding or company changes a vector. */
const probeTexts = ['Invoice', 'Sila bayar sebelum akhir bulan ini, terima kasih. 请在本月底之前付款。'];
const sameVector = 0.99999;

const dot = (left: Float32Array, right: Float32Array) =>
  left.reduce((sum, value, index) => sum + value * right[index]!, 0);

/**
 * Rows may share a run. Graphs with dynamically quantized activations take one scale for a whole batch, so
 * there a text's vector would depend on its neighbours; such a graph runs one text at a time.
 */
async function isBatchable(encoder: Encoder, tokenizer: TextTokenizer, maxTokens: number): Promise<boolean> {
  const rows = probeTexts.map((text) => tokenizer.ids(text, 'document').slice(0, maxTokens));
  const together = await encoder.encode(rows);
  const alone = [];
  for (const row of rows) alone.push((await encoder.encode([row]))[0]!);
  return alone.every((vector, index) => dot(vector, together[index]!) >= sameVector);
}

async function chooseLimits(
  encoder: Encoder,
  tokenizer: TextTokenizer,
  config: EncoderConfig,
): Promise<BatchLimits> {
  const most = encoder.fixedRows ?? Number.POSITIVE_INFINITY;
  const rows = most > 1 && (await isBatchable(encoder, tokenizer, config.maxTokens)) ? most : 1;
  return { tokens: config.batchTokens, rows };
}

/** Texts in, unit vectors out: tokenizer, batcher and encoder of one pack. */
export class TextEncoder {
  readonly #tokenizer: TextTokenizer;
  readonly #encoder: Encoder;
  readonly #batcher: Batcher;
  readonly config: EncoderConfig;
  readonly placed: Omit<PlacedSession, 'session'>;
  readonly limits: BatchLimits;

  constructor(parts: {
    tokenizer: TextTokenizer;
    encoder: Encoder;
    config: EncoderConfig;
    placed: PlacedSession;
    limits: BatchLimits;
  }) {
    this.#tokenizer = parts.tokenizer;
    this.#encoder = parts.encoder;
    this.#batcher = new Batcher((rows, signal) => parts.encoder.encode(rows, signal), parts.limits);
    this.config = parts.config;
    this.placed = { provider: parts.placed.provider, refused: parts.placed.refused };
    this.limits = parts.limits;
  }

  /** A row a text. @throws EngineError for an empty text or one over the window, naming it */
  async tokenIds(params: EmbedParams, signal: AbortSignal): Promise<number[][]> {
    signal.throwIfAborted();
    return inTurns(this.#tokenize(params), signal);
  }

  *#tokenize({ texts, task = 'similarity' }: EmbedParams): Steps<number[][]> {
    const rows: number[][] = [];
    for (const [index, text] of texts.entries()) {
      rows.push(this.#tokenizer.encode(text, task, index));
      yield;
    }
    return rows;
  }

  async embed(params: EmbedParams, signal: AbortSignal): Promise<EmbedResult> {
    const rows = await this.tokenIds(params, signal);
    const encoded = await this.#batcher.add(rows, signal);
    const { dimensions } = this.config;
    const vectors = new Float32Array(rows.length * dimensions);
    for (const [index, vector] of encoded.entries()) vectors.set(vector, index * dimensions);
    return { vectors, tokens: rows.map((row) => row.length) };
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }
}

/** Opens a pack's encoder and proves it on two texts. @throws EngineError that says what is wrong with the pack */
export async function openTextEncoder(
  folder: string,
  manifest: Json,
  options: EngineOptions,
): Promise<TextEncoder> {
  const config = await readEncoderConfig(folder, manifest);
  const tokenizer = await loadTokenizer(folder, config);
  const dense = await Promise.all(config.denseFolders.map((place) => loadDenseLayer(folder, place)));
  // Shapes change from batch to batch, so a memory pattern of the first would never fit the next.
  const placed = await openOnFirst(options.providers, config.graph, {
    threads: options.threads,
    memoryPattern: false,
  });
  try {
    const encoder = new Encoder(placed.session, config, dense);
    const limits = await chooseLimits(encoder, tokenizer, config);
    return new TextEncoder({ tokenizer, encoder, config, placed, limits });
  } catch (error) {
    await placed.session.close();
    throw error;
  }
}
