/**
 * The graph and its tensors; nobody else in this folder sees one. A run takes neighbouring rows of the KV cache, gives each
 * the same number of new tokens and returns the logits of the places asked for. The cache is input and output at once.
 */
import type { CustomKernels } from '../../engine.ts';
import type { Binding } from '../../onnx/binding.ts';
import { elementTypeFacts } from '../../onnx/element-types.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import { type CacheTap, withInt8KvCache } from '../int8-kv-cache/int8-kv-cache.ts';
import { cacheScales } from '../int8-kv-cache/scales.ts';
import type { Limits } from '../limits.ts';
import { refuseChatPack } from '../pack.ts';
import type { KvSlab } from '../schedule/kv-slab.ts';
import { allocateSlab } from './allocate-slab.ts';
import { openGraph } from './open-graph.ts';

export interface RunRow {
  tokens: readonly number[];
  /** Positions before them. */
  past: number;
}

export interface ModelRun {
  /** Slot of the first row; the others follow it. */
  slot: number;
  rows: readonly RunRow[];
  /** Places whose logits are wanted, counted over all rows' tokens. */
  wanted: readonly number[];
}

export interface RunnerOptions {
  threads: number;
  /** Keys and values in 8 bits: `calibrate` before anything else is run. */
  int8KvCache?: boolean;
  /** Products by our own code, where it serves; default true. */
  customKernels?: CustomKernels;
}

export interface GraphFacts {
  /** Keys and values of every layer. */
  caches: { name: string; type: 'float32' | 'float16' | 'int8' }[];
  heads: number;
  headDim: number;
  vocabulary: number;
}

interface Prepared {
  binding: Binding;
  ids: BigInt64Array;
  seqlens: Int32Array;
  total: Int32Array;
  wanted: BigInt64Array;
  logits: Float32Array;
  tensors: Tensor[];
}

/** Bindings kept, by shape; a prompt's last chunk can have any length. */
const keptBindings = 48;
/** Until the first pass has found better ones: numbers up to 8. */
const firstScale = 1 / 16;
/** Calibration runs so often: a layer reads what the scales before it make, and these settle. */
const calibrationPasses = 3;

export class ModelRunner {
  readonly vocabulary: number;
  /** Bytes of keys and values of one position. */
  readonly positionBytes: number;
  readonly #session: Session;
  readonly #facts: GraphFacts;
  /** Of a cache in 8 bits: where its scales come from, and they themselves, by input. */
  readonly #taps: readonly CacheTap[];
  readonly #scales: Record<string, Tensor> = {};
  #slab: KvSlab | null = null;
  readonly #views = new Map<string, Tensor[]>();
  readonly #prepared = new Map<string, Prepared>();

  /** @throws OnnxError, and EngineError when the graph is not a decoder */
  static async open(path: string, options: RunnerOptions): Promise<ModelRunner> {
    const { threads, int8KvCache = false, customKernels = true } = options;
    let taps: readonly CacheTap[] = [];
    const rewrite = (file: Uint8Array) => {
      const quantized = withInt8KvCache(file);
      taps = quantized.taps;
      return quantized.model;
    };
    const session = await openGraph(path, {
      threads,
      customKernels,
      sharedCache: true,
      ...(int8KvCache ? { rewrite } : {}),
    });
    try {
      return new ModelRunner(session, taps);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  private constructor(session: Session, taps: readonly CacheTap[]) {
    this.#session = session;
    this.#taps = taps;
    this.#facts = readFacts(session);
    const { heads, headDim, vocabulary } = this.#facts;
    this.vocabulary = vocabulary;
    this.positionBytes = bytesOfPosition(this.#facts);
    for (const { layer } of taps) {
      for (const part of ['key', 'value'])
        this.#scales[`kv_scales.${layer}.${part}`] = Tensor.zeros('float32', [heads * headDim]);
    }
  }

  /** Sets the scales of a cache in 8 bits by what `tokens` make of it, in the first slot; without such a cache, nothing. */
  async calibrate(tokens: readonly number[]): Promise<void> {
    for (const { data } of Object.values(this.#scales)) (data as Float32Array).fill(firstScale);
    for (let pass = 0; pass < calibrationPasses && this.#taps.length > 0; pass += 1)
      await this.#calibrateOnce(tokens);
  }

  async #calibrateOnce(tokens: readonly number[]): Promise<void> {
    const run = { slot: 0, rows: [{ tokens, past: 0 }], wanted: [0] };
    const outputs = Object.fromEntries(this.#taps.flatMap((tap) => tap.outputs).map((name) => [name, null]));
    const prepared = this.#bind({ slot: 0, rows: 1, steps: tokens.length, wanted: 1 }, outputs);
    this.#fill(prepared, run);
    const seen = await prepared.binding.run();
    const { heads, headDim } = this.#facts;
    for (const tap of this.#taps) {
      const data = tap.outputs.map((name) => seen[name]!.data as Float32Array);
      const scales = cacheScales(tap, data, { heads, headDim, rows: tokens.length });
      for (const part of ['key', 'value'] as const)
        (this.#scales[`kv_scales.${tap.layer}.${part}`]!.data as Float32Array).set(scales[part]);
    }
    for (const tensor of [...prepared.tensors, ...Object.keys(outputs).map((name) => seen[name]!)])
      tensor.close();
  }

  /** Makes the cache, in place of an earlier one; returns the store of its numbers. */
  allocate(limits: Limits): KvSlab {
    this.#releaseTensors();
    const { caches, headDim, heads } = this.#facts;
    const types = caches.map(({ type }) => type);
    this.#slab = allocateSlab(types, { heads, headDim, ...limits });
    return this.#slab;
  }

  /** Logits of the wanted places, one after another; overwritten by the next run. Rejects with the signal's reason. */
  async run(run: ModelRun, signal: AbortSignal): Promise<Float32Array> {
    const prepared = this.#prepare(run, run.rows[0]!.tokens.length);
    this.#fill(prepared, run);
    await prepared.binding.run(signal);
    return prepared.logits;
  }

  #fill(prepared: Prepared, { rows, wanted }: ModelRun): void {
    const steps = rows[0]!.tokens.length;
    let longest = 0;
    for (const [row, { past, tokens }] of rows.entries()) {
      for (let at = 0; at < steps; at += 1) prepared.ids[row * steps + at] = BigInt(tokens[at]!);
      prepared.seqlens[row] = past + steps - 1;
      longest = Math.max(longest, past + steps);
    }
    prepared.total[0] = longest;
    for (const [index, place] of wanted.entries()) prepared.wanted[index] = BigInt(place);
  }

  async close(): Promise<void> {
    this.#releaseTensors();
    for (const tensor of Object.values(this.#scales)) tensor.close();
    await this.#session.close();
  }

  /** Those over the cache there is, and those bound beside them. */
  #releaseTensors(): void {
    const bound = [...this.#prepared.values()].flatMap(({ tensors }) => tensors);
    for (const tensor of [...bound, ...[...this.#views.values()].flat()]) tensor.close();
    this.#prepared.clear();
    this.#views.clear();
  }

  #prepare({ rows, slot, wanted }: ModelRun, steps: number): Prepared {
    const key = `${slot}/${rows.length}/${steps}/${wanted.length}`;
    const known = this.#prepared.get(key);
    if (known) {
      // Map order is age: used again, it is young again.
      this.#prepared.delete(key);
      this.#prepared.set(key, known);
      return known;
    }
    if (this.#prepared.size >= keptBindings) this.#dropOldest();
    const made = this.#bind({ slot, rows: rows.length, steps, wanted: wanted.length });
    this.#prepared.set(key, made);
    return made;
  }

  #dropOldest(): void {
    const [key, { tensors }] = this.#prepared.entries().next().value!;
    for (const tensor of tensors) tensor.close();
    this.#prepared.delete(key);
  }

  #bind(
    shape: { slot: number; rows: number; steps: number; wanted: number },
    taps: Record<string, null> = {},
  ): Prepared {
    const { rows, slot, steps, wanted } = shape;
    const ids = Tensor.zeros('int64', [rows, steps]);
    const seqlens = Tensor.zeros('int32', [rows]);
    const total = Tensor.zeros('int32', []);
    const places = Tensor.zeros('int64', [wanted]);
    const logits = Tensor.zeros('float32', [wanted, this.vocabulary]);
    const inputs: Record<string, Tensor> = {
      input_ids: ids,
      seqlens_k: seqlens,
      total_sequence_length: total,
      logit_rows: places,
      ...this.#scales,
    };
    const outputs: Record<string, Tensor | null> = { logits, ...taps };
    const views = this.#cacheViews(slot, rows);
    for (const [index, { name }] of this.#facts.caches.entries()) {
      inputs[`past_key_values.${name}`] = views[index]!;
      outputs[`present.${name}`] = views[index]!;
    }
    return {
      binding: this.#session.bind(inputs, outputs),
      ids: ids.data as BigInt64Array,
      seqlens: seqlens.data as Int32Array,
      total: total.data as Int32Array,
      wanted: places.data as BigInt64Array,
      logits: logits.data as Float32Array,
      tensors: [ids, seqlens, total, places, logits],
    };
  }

  #cacheViews(slot: number, rows: number): Tensor[] {
    const key = `${slot}/${rows}`;
    let views = this.#views.get(key);
    if (!views) {
      const { heads, headDim, positions } = this.#slab!.dimensions;
      const dims = [rows, heads, positions, headDim];
      const slices = this.#slab!.view(slot, rows);
      views = slices.map((slice, index) => new Tensor(this.#facts.caches[index]!.type, slice, dims));
      this.#views.set(key, views);
    }
    return views;
  }
}

/**
 * Reads from the graph itself (model-import/graph/decoder.ts): inputs, caches and their sizes.
 * @throws EngineError internal_error when the graph is no such decoder
 */
export function readFacts(session: Session): GraphFacts {
  const { inputs, outputs } = session;
  for (const name of ['input_ids', 'seqlens_k', 'total_sequence_length', 'logit_rows'])
    if (!inputs.some((input) => input.name === name)) throw refuseChatPack(`its graph has no input ${name}.`);
  const prefix = 'past_key_values.';
  const pasts = inputs.filter((input) => input.name.startsWith(prefix));
  const [, heads, , headDim] = pasts[0]?.dims ?? [];
  const vocabulary = outputs.find((output) => output.name === 'logits')?.dims[1];
  if (typeof heads !== 'number' || typeof headDim !== 'number' || typeof vocabulary !== 'number')
    throw refuseChatPack('its graph does not state the sizes of its cache and logits.');
  const caches = pasts.map(({ name, type }) => {
    if (type !== 'float32' && type !== 'float16' && type !== 'int8')
      throw refuseChatPack('its graph keeps keys and values of a type that is not supported.');
    return { name: name.slice(prefix.length), type };
  });
  return { caches, heads, headDim, vocabulary };
}

/** Bytes of keys and values of one position. */
export function bytesOfPosition({ caches, headDim, heads }: GraphFacts): number {
  const bits = caches.reduce((sum, { type }) => sum + elementTypeFacts(type).bits, 0);
  return (bits / 8) * heads * headDim;
}
