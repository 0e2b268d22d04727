/**
 * Runs a decoder graph of ours on an execution provider with memory of its own, such as a graphics card: keys and values
 * stay there, tokens go in and logits come out. Rows run one after another, each over the tensors of its slot.
 */

import { DeviceMemory } from '../../onnx/device.ts';
import { createGraph } from '../../onnx/graph/graph.ts';
import { openSession } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { Tensor } from '../../onnx/tensor.ts';
import type { Limits } from '../limits.ts';
import { DeviceCache } from '../schedule/device-cache.ts';
import { bytesOfPosition, type GraphFacts, type ModelRun, type RunRow, readFacts } from './model-runner.ts';

export interface DeviceRunnerOptions {
  provider: string;
  threads: number;
}

export class DeviceRunner {
  readonly vocabulary: number;
  /** Bytes of keys and values of one position. */
  readonly positionBytes: number;
  readonly #session: Session;
  readonly #copier: Session;
  readonly #memory: DeviceMemory;
  readonly #facts: GraphFacts;
  #cache: DeviceCache | null = null;
  #logits = new Float32Array(0);

  /** @throws OnnxError when the provider does not take the graph, EngineError when it is not a decoder */
  static async open(path: string, { provider, threads }: DeviceRunnerOptions): Promise<DeviceRunner> {
    const options = { threads, memoryPattern: false, providers: [provider] };
    const opened: Session[] = [];
    const open = async (model: string | Uint8Array) => {
      const session = await openSession(model, options);
      opened.push(session);
      return session;
    };
    try {
      const session = await open(path);
      const facts = readFacts(session);
      const copier = await open(copyGraph(facts));
      return new DeviceRunner({ session, copier, facts, memory: DeviceMemory.open(session, provider) });
    } catch (error) {
      for (const session of opened) await session.close();
      throw error;
    }
  }

  private constructor(parts: {
    session: Session;
    copier: Session;
    facts: GraphFacts;
    memory: DeviceMemory;
  }) {
    this.#session = parts.session;
    this.#copier = parts.copier;
    this.#memory = parts.memory;
    this.#facts = parts.facts;
    this.vocabulary = parts.facts.vocabulary;
    this.positionBytes = bytesOfPosition(parts.facts);
  }

  /** Makes the cache, in place of an earlier one; a slot takes memory when it is first used. */
  allocate({ positions, slots }: Limits): DeviceCache {
    const { caches, headDim, heads } = this.#facts;
    const dims = [1, heads, positions, headDim];
    void this.#cache?.close();
    this.#cache = new DeviceCache(slots, () => caches.map(({ type }) => this.#memory.tensor(type, dims)));
    return this.#cache;
  }

  /** Logits of the wanted places, one after another; overwritten by the next run. Rejects with the signal's reason. */
  async run({ rows, slot, wanted }: ModelRun, signal: AbortSignal): Promise<Float32Array> {
    await this.#copyPending();
    const width = this.vocabulary;
    const steps = rows[0]!.tokens.length;
    if (this.#logits.length < wanted.length * width) this.#logits = new Float32Array(wanted.length * width);
    for (const [row, each] of rows.entries()) {
      const places = wanted.flatMap((place, index) =>
        Math.floor(place / steps) === row ? [{ place: place % steps, index }] : [],
      );
      const logits = await this.#runRow(slot + row, each, {
        places: places.map(({ place }) => place),
        signal,
      });
      for (const [at, { index }] of places.entries())
        this.#logits.set(logits.subarray(at * width, (at + 1) * width), index * width);
    }
    return this.#logits.subarray(0, wanted.length * width);
  }

  async close(): Promise<void> {
    await this.#cache?.close();
    this.#memory.close();
    await this.#copier.close();
    await this.#session.close();
  }

  async #runRow(
    slot: number,
    { tokens, past }: RunRow,
    { places, signal }: { places: number[]; signal: AbortSignal },
  ): Promise<Float32Array> {
    const total = past + tokens.length;
    // A graph that gives no logits is no graph: where none is wanted, the last place's are thrown away.
    const rows = places.length > 0 ? places : [tokens.length - 1];
    const logits = Tensor.zeros('float32', [rows.length, this.vocabulary]);
    const inputs = {
      input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, tokens.length]),
      seqlens_k: new Tensor('int32', Int32Array.of(total - 1), [1]),
      total_sequence_length: new Tensor('int32', Int32Array.of(total), []),
      logit_rows: new Tensor('int64', BigInt64Array.from(rows, BigInt), [rows.length]),
    };
    const caches = this.#cache!.tensors(slot);
    const named = (prefix: string) =>
      Object.fromEntries(this.#facts.caches.map(({ name }, index) => [`${prefix}.${name}`, caches[index]!]));
    try {
      const outputs = { logits, ...named('present') };
      await this.#session.bind({ ...inputs, ...named('past_key_values') }, outputs).run(signal);
      return logits.data as Float32Array;
    } finally {
      for (const tensor of [logits, ...Object.values(inputs)]) tensor.close();
    }
  }

  async #copyPending(): Promise<void> {
    for (const { from, to } of this.#cache!.takeCopies()) {
      const inputs = Object.fromEntries(from.map((tensor, index) => [`from.${index}`, tensor]));
      const outputs = Object.fromEntries(to.map((tensor, index) => [`to.${index}`, tensor]));
      await this.#copier.bind(inputs, outputs).run();
    }
  }
}

/** From one slot's tensors to another's. */
function copyGraph({ caches, headDim, heads }: GraphFacts): Uint8Array {
  const graph = createGraph('copy');
  const dims = [1, heads, 'M', headDim];
  for (const [index, { type }] of caches.entries()) {
    graph.input(`from.${index}`, type, dims);
    graph.node('Identity', [`from.${index}`], [`to.${index}`]);
    graph.output(`to.${index}`, type, dims);
  }
  return graph.toModel();
}
