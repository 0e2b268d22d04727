/**
 * Runs a decoder graph of somebody else's (onnxruntime-genai, transformers.js, optimum) over our KV cache. Such a graph
 * takes an attention mask, and past keys and values as tensors.
 *
 * If all its attention is GroupQueryAttention, past and present are the cache itself and nothing is copied. Where it
 * appends new keys to old ones, past and present are tensors of the run's own length, and each run copies what a row holds
 * into one and what is new out of the other: slower the longer the context, but the same answers.
 *
 * Rows run one after another: their pasts differ in length, and only our own graph is told the length of each row.
 */

import type { CustomKernels } from '../../engine.ts';
import { elementTypeFacts } from '../../onnx/element-types.ts';
import { decodeHalf } from '../../onnx/float16.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import type { ElementType, TensorData } from '../../onnx/types.ts';
import type { DecoderIo } from '../decoder-io.ts';
import type { Limits } from '../limits.ts';
import { refuseChatPack } from '../pack.ts';
import type { KvDimensions, KvSlab } from '../schedule/kv-slab.ts';
import { allocateSlab } from './allocate-slab.ts';
import type { ModelRun, RunRow } from './model-runner.ts';
import { openGraph } from './open-graph.ts';

/** Tokens of one run: a graph that gives the logits of all of them must not give too many at once. */
const mostTokens = 64;

type CacheType = 'float32' | 'float16';

interface Caches {
  /** Keys and values of every layer, as inputs and outputs. */
  names: { past: string; present: string }[];
  type: CacheType;
  heads: number;
  headDim: number;
}

export class ExternalDecoderRunner {
  readonly vocabulary: number;
  /** Bytes of keys and values of one position. */
  readonly positionBytes: number;
  readonly #session: Session;
  readonly #io: DecoderIo;
  readonly #caches: Caches;
  #slab: KvSlab | null = null;
  #logits = new Float32Array(0);

  /** @throws OnnxError, and EngineError when the graph is not a decoder of this kind */
  static async open(
    path: string,
    io: DecoderIo,
    options: { threads: number; customKernels?: CustomKernels },
  ): Promise<ExternalDecoderRunner> {
    const session = await openGraph(path, { ...options, sharedCache: io.shared });
    try {
      return new ExternalDecoderRunner(session, io);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(session: Session, io: DecoderIo) {
    this.#session = session;
    this.#io = io;
    this.#caches = readCaches(session, io);
    const { names, type, heads, headDim } = this.#caches;
    this.vocabulary = io.vocabulary;
    this.positionBytes = (names.length * heads * headDim * elementTypeFacts(type).bits) / 8;
  }

  /** Makes the cache; returns the store of its numbers. */
  allocate(limits: Limits): KvSlab {
    const { names, type, heads, headDim } = this.#caches;
    this.#slab = allocateSlab(
      names.map(() => type),
      { heads, headDim, ...limits },
    );
    return this.#slab;
  }

  /** Logits of the wanted places, one after another; overwritten by the next run. Rejects with the signal's reason. */
  async run({ slot, rows, wanted }: ModelRun, signal: AbortSignal): Promise<Float32Array> {
    const steps = rows[0]!.tokens.length;
    if (this.#logits.length < wanted.length * this.vocabulary)
      this.#logits = new Float32Array(wanted.length * this.vocabulary);
    for (const [row, { tokens, past }] of rows.entries()) {
      for (let from = 0; from < steps; from += mostTokens) {
        const piece = { tokens: tokens.slice(from, from + mostTokens), past: past + from };
        const logits = await this.#runPiece(slot + row, piece, signal);
        this.#keepWanted(logits, row * steps + from, piece.tokens.length, wanted);
      }
    }
    return this.#logits.subarray(0, wanted.length * this.vocabulary);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  #keepWanted(logits: TensorData, first: number, count: number, wanted: readonly number[]): void {
    const width = this.vocabulary;
    for (const [index, place] of wanted.entries()) {
      if (place < first || place >= first + count) continue;
      const row = logits.subarray((place - first) * width, (place - first + 1) * width);
      const target = this.#logits.subarray(index * width, (index + 1) * width);
      if (row instanceof Float32Array) target.set(row);
      else for (let at = 0; at < width; at += 1) target[at] = decodeHalf(Number(row[at]));
    }
  }

  async #runPiece(slot: number, piece: RunRow, signal: AbortSignal): Promise<TensorData> {
    const steps = piece.tokens.length;
    const caches = this.#io.shared ? this.#sharedCaches(slot) : this.#copiedCaches(slot, piece);
    const logits = Tensor.zeros(this.#logitsType(), [1, steps, this.vocabulary]);
    const inputs = { ...this.#plainInputs(piece), ...caches.inputs };
    const tensors = [logits, ...Object.values(inputs), ...Object.values(caches.outputs)];
    try {
      const outputs = { [this.#io.logits]: logits, ...caches.outputs };
      await this.#session.bind(inputs, outputs).run(signal);
      if (!this.#io.shared) this.#takePresent(slot, piece, caches.outputs);
      return logits.data;
    } finally {
      for (const tensor of tensors) tensor.close();
    }
  }

  #plainInputs({ tokens, past }: RunRow): Record<string, Tensor> {
    const { inputs } = this.#io;
    const steps = tokens.length;
    const make = (length: number, value: (at: number) => number) =>
      new Tensor(
        'int64',
        BigInt64Array.from({ length }, (_, at) => BigInt(value(at))),
        [1, length],
      );
    return {
      [inputs.ids]: make(steps, (at) => tokens[at]!),
      ...(inputs.mask && { [inputs.mask]: make(past + steps, () => 1) }),
      ...(inputs.positions && { [inputs.positions]: make(steps, (at) => past + at) }),
      // 0: all of them.
      ...(inputs.keptLogits && { [inputs.keptLogits]: new Tensor('int64', BigInt64Array.of(0n), []) }),
      ...(inputs.useCache && {
        [inputs.useCache]: new Tensor('bool', Uint8Array.of(past > 0 ? 1 : 0), [1]),
      }),
    };
  }

  #logitsType(): ElementType {
    return this.#session.outputs.find(({ name }) => name === this.#io.logits)!.type!;
  }

  /** Past and present are one tensor over the slot's own memory. */
  #sharedCaches(slot: number) {
    const { names, type, heads, headDim } = this.#caches;
    const { positions } = this.#slab!.dimensions;
    const views = this.#slab!.view(slot, 1);
    const tensors = views.map((view) => new Tensor(type, view, [1, heads, positions, headDim]));
    return {
      inputs: Object.fromEntries(names.map(({ past }, index) => [past, tensors[index]!])),
      outputs: Object.fromEntries(names.map(({ present }, index) => [present, tensors[index]!])),
    };
  }

  #copiedCaches(slot: number, { past, tokens }: RunRow) {
    const { names, type, heads, headDim } = this.#caches;
    const views = this.#slab!.view(slot, 1);
    const total = past + tokens.length;
    const inputs: Record<string, Tensor> = {};
    const outputs: Record<string, Tensor> = {};
    for (const [index, name] of names.entries()) {
      const held = Tensor.zeros(type, [1, heads, past, headDim]);
      copyPositions(views[index]!, held.data, this.#slab!.dimensions, { from: 0, count: past, rows: past });
      inputs[name.past] = held;
      outputs[name.present] = Tensor.zeros(type, [1, heads, total, headDim]);
    }
    return { inputs, outputs };
  }

  #takePresent(slot: number, { past, tokens }: RunRow, outputs: Record<string, Tensor>): void {
    const { headDim, heads, positions } = this.#slab!.dimensions;
    const views = this.#slab!.view(slot, 1);
    const total = past + tokens.length;
    for (const [index, { present }] of this.#caches.names.entries()) {
      const { data } = outputs[present]!;
      for (let head = 0; head < heads; head += 1) {
        const source = data.subarray((head * total + past) * headDim, (head + 1) * total * headDim);
        views[index]!.set(source as never, (head * positions + past) * headDim);
      }
    }
  }
}

interface Span {
  /** First position, and how many. */
  from: number;
  count: number;
  /** Positions of each head in the target. */
  rows: number;
}

/** The positions of every head of a slot, packed together. */
function copyPositions(slot: TensorData, target: TensorData, dims: KvDimensions, span: Span): void {
  const { heads, positions, headDim } = dims;
  for (let head = 0; head < heads; head += 1) {
    const start = (head * positions + span.from) * headDim;
    const source = slot.subarray(start, start + span.count * headDim);
    target.set(source as never, head * span.rows * headDim);
  }
}

/** The graph must have what `chat.past` says, and no more. */
function readCaches({ inputs, outputs }: Session, io: DecoderIo): Caches {
  const names = Array.from({ length: io.layers }, (_, layer) => layer).flatMap((layer) =>
    io.caches.map(({ past, present }) => ({
      past: past.replace('%d', String(layer)),
      present: present.replace('%d', String(layer)),
    })),
  );
  const known = new Set([...Object.values(io.inputs), ...names.map(({ past }) => past)]);
  const unknown = inputs.find(({ name }) => !known.has(name));
  if (unknown) throw refuseChatPack(`its graph has an input ${unknown.name}, which is not known.`);
  for (const { present } of names)
    if (!outputs.some(({ name }) => name === present))
      throw refuseChatPack(`its graph has no output ${present}.`);
  const first = inputs.find(({ name }) => name === names[0]?.past);
  const [, heads = io.heads, , headDim = io.headDim] = (first?.dims ?? []).map((dim) =>
    typeof dim === 'number' ? dim : undefined,
  );
  if (first?.type !== 'float32' && first?.type !== 'float16')
    throw refuseChatPack('its graph keeps keys and values of a type that is not supported.');
  const logits = outputs.find(({ name }) => name === io.logits);
  if (logits?.type !== 'float32' && logits?.type !== 'float16')
    throw refuseChatPack(`its graph has no output ${io.logits} of a type that is supported.`);
  return { names, type: first.type, heads, headDim };
}
