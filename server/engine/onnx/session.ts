import { Binding, type BoundGraph, type RunTensor } from './binding.ts';
import { currentInfer } from './elsewhere.ts';
import { NativeHandle } from './library/handle.ts';
import { cPath, cString, ort } from './library/library.ts';
import { type NodeInfo, readNodes } from './node-info.ts';
import { createSessionOptions, type SessionOptions } from './session-options.ts';
import { Tensor } from './tensor.ts';
import type { Infer } from './types.ts';

export interface SessionRunOptions {
  /** Stops the run between two operators; the run then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Outputs to compute; all by default. */
  outputs?: readonly string[];
}

/** A loaded model. Runs may overlap; each goes to a worker thread, so the event loop stays free. */
export class Session implements BoundGraph {
  readonly inputs: readonly NodeInfo[];
  readonly outputs: readonly NodeInfo[];
  /** For bindings. */
  readonly handle: NativeHandle;
  readonly nativeNames: ReadonlyMap<string, Uint8Array>;

  /** Its part in the pack, where a call may have it run elsewhere. */
  readonly #graph: string | undefined;

  constructor(handle: NativeHandle, graph?: string) {
    this.handle = handle;
    this.#graph = graph;
    this.inputs = readNodes(handle.address, 'Input');
    this.outputs = readNodes(handle.address, 'Output');
    const names = [...this.inputs, ...this.outputs].map((node) => node.name);
    this.nativeNames = new Map(names.map((name) => [name, cString(name)]));
  }

  /** Fixes tensors to inputs and outputs once, to be run many times. An output of `null` is made anew by each run. */
  bind(inputs: Record<string, RunTensor>, outputs?: Record<string, RunTensor | null>): Binding {
    const all = () => Object.fromEntries(this.outputs.map((node) => [node.name, null]));
    return new Binding(this, inputs, outputs ?? all());
  }

  /** One run; resolves to fresh tensors. */
  async run(
    inputs: Record<string, RunTensor>,
    options: SessionRunOptions = {},
  ): Promise<Record<string, Tensor>> {
    const infer = this.#graph === undefined ? undefined : currentInfer();
    if (infer) return this.#runElsewhere(infer, inputs, options);
    const wanted = options.outputs?.map((name) => [name, null] as const);
    return this.bind(inputs, wanted && Object.fromEntries(wanted)).run(options.signal);
  }

  async #runElsewhere(
    infer: Infer,
    inputs: Record<string, RunTensor>,
    { outputs, signal }: SessionRunOptions,
  ): Promise<Record<string, Tensor>> {
    const plain = Object.entries(inputs).map(([name, tensor]) => {
      if (!(tensor instanceof Tensor)) throw new TypeError(`'${name}' does not lie in our memory`);
      return [name, { type: tensor.type, dims: tensor.dims, data: tensor.data }] as const;
    });
    const wanted = this.outputs.flatMap(({ name, type, dims }) =>
      type === undefined || (outputs && !outputs.includes(name))
        ? []
        : [{ name, type, dims: dims.map((dim) => (typeof dim === 'number' ? dim : null)) }],
    );
    const answer = await infer({ graph: this.#graph!, inputs: Object.fromEntries(plain), outputs: wanted });
    signal?.throwIfAborted();
    return Object.fromEntries(
      Object.entries(answer).map(([name, { type, data, dims }]) => [name, new Tensor(type, data, dims)]),
    );
  }

  /** Frees the model; resolves when running runs have returned. */
  close(): Promise<void> {
    return this.handle.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

async function load(model: string | Uint8Array, options: NativeHandle): Promise<bigint> {
  const { callAsync, env } = ort();
  const out = new BigUint64Array(1);
  const settings = options.hold();
  try {
    if (typeof model === 'string') {
      await callAsync('CreateSession', env, cPath(model), settings, out);
    } else {
      await callAsync('CreateSessionFromArray', env, model, model.byteLength, settings, out);
    }
  } finally {
    options.drop();
  }
  return out[0]!;
}

/**
 * Loads a model off the event loop. Everybody but the self-check uses `openSession`, which makes sure of the library first.
 * @throws OnnxError when the library refuses it, TypeError or RangeError for options that make no sense
 */
export async function loadSession(
  model: string | Uint8Array,
  options: SessionOptions = {},
): Promise<Session> {
  if (typeof model !== 'string' && !(model instanceof Uint8Array)) {
    throw new TypeError('a model is a path or a Uint8Array');
  }
  if (model.length === 0) throw new TypeError('the model is empty');
  if (typeof model === 'string' && model.includes('\0')) throw new TypeError('a path cannot hold NUL');
  const settings = createSessionOptions(options);
  try {
    return new Session(new NativeHandle(await load(model, settings), 'ReleaseSession'), options.graph);
  } finally {
    void settings.close();
  }
}
