import { DeviceTensor } from './device.ts';
import { allocateData } from './element-types.ts';
import type { NativeHandle } from './library/handle.ts';
import { addressOf, ort, type Pointer, pointerArray } from './library/library.ts';
import { type NodeInfo, readTypeAndShape } from './node-info.ts';
import { Tensor } from './tensor.ts';

function nodeNamed(nodes: readonly NodeInfo[], name: string, side: string): NodeInfo {
  const node = nodes.find((candidate) => candidate.name === name);
  if (!node) throw new TypeError(`the graph has no ${side} '${name}'`);
  return node;
}

/** Of a session, what its bindings need. */
export interface BoundGraph {
  readonly inputs: readonly NodeInfo[];
  readonly outputs: readonly NodeInfo[];
  readonly handle: NativeHandle;
  /** Names as C strings, whose addresses the library is handed for as long as the session lives. */
  readonly nativeNames: ReadonlyMap<string, Uint8Array>;
}

/** Input or output of a run: a tensor in our memory, or one where the model runs. */
export type RunTensor = Tensor | DeviceTensor;

function checkFit(node: NodeInfo, tensor: RunTensor): void {
  if (!(tensor instanceof Tensor || tensor instanceof DeviceTensor))
    throw new TypeError(`'${node.name}' must be a Tensor`);
  if (node.type === undefined) throw new TypeError(`'${node.name}' is of a type that is not supported`);
  if (tensor.type !== node.type)
    throw new TypeError(`'${node.name}' must be ${node.type}, not ${tensor.type}`);
  const fits = ({ dims }: NodeInfo) =>
    dims.length === tensor.dims.length &&
    dims.every((dim, index) => typeof dim !== 'number' || dim === tensor.dims[index]);
  // A graph that declares no shape at all reads as rank 0; then the library alone decides.
  if (node.dims.length > 0 && !fits(node)) {
    throw new RangeError(`'${node.name}' must be [${node.dims.join(', ')}], not [${tensor.dims.join(', ')}]`);
  }
}

/** Copies an output that the library allocated, and frees it. */
function takeValue(value: Pointer, name: string): Tensor {
  const { copy, create, release } = ort();
  try {
    const info = create('GetTensorTypeAndShape', value);
    try {
      const { type, sizes } = readTypeAndShape(info);
      if (!type) throw new TypeError(`'${name}' is of a type that is not supported`);
      const data = allocateData(type, sizes);
      copy(data, create('GetTensorMutableData', value));
      return new Tensor(type, data, sizes);
    } finally {
      release('ReleaseTensorTypeAndShapeInfo', info);
    }
  } finally {
    release('ReleaseValue', value);
  }
}

/**
 * Inputs and outputs of a session, fixed once: a run then costs no look-ups and no copies. Presetting a tensor as an
 * output makes the run write into it. Rewrite the contents of `data` between runs; make another binding for other shapes.
 */
export class Binding {
  readonly #session: BoundGraph;
  readonly #outputs: readonly (readonly [string, RunTensor | null])[];
  readonly #tensors: readonly RunTensor[];
  /** Told to each run, made once: after a run the caches of the processor hold nothing of this, and each address would be found anew. */
  readonly #told: Readonly<Record<'inputNames' | 'inputs' | 'outputNames' | 'outputs', BigUint64Array>>;
  readonly #arguments: readonly (Pointer | number)[];
  /** All outputs by name, where each is preset. */
  readonly #preset: Readonly<Record<string, Tensor>> | null;
  #running = false;

  constructor(
    session: BoundGraph,
    inputs: Record<string, RunTensor>,
    outputs: Record<string, RunTensor | null>,
  ) {
    for (const [name, tensor] of Object.entries(inputs))
      checkFit(nodeNamed(session.inputs, name, 'input'), tensor);
    for (const [name, tensor] of Object.entries(outputs)) {
      const node = nodeNamed(session.outputs, name, 'output');
      if (tensor) checkFit(node, tensor);
      else if (node.type === undefined) throw new TypeError(`'${name}' is of a type that is not supported`);
    }
    const missing = session.inputs.find((node) => !Object.hasOwn(inputs, node.name));
    if (missing) throw new TypeError(`the input '${missing.name}' is missing`);
    const native = (name: string) => session.nativeNames.get(name)!;
    const address = (tensor: RunTensor | null) => tensor?.handle.address ?? 0n;
    this.#session = session;
    this.#outputs = Object.entries(outputs);
    const given = Object.values(inputs);
    const presets = this.#outputs.flatMap(([name, tensor]) =>
      tensor instanceof Tensor ? [[name, tensor] as const] : [],
    );
    this.#preset = presets.length === this.#outputs.length ? Object.fromEntries(presets) : null;
    this.#tensors = [...given, ...this.#outputs.flatMap(([, tensor]) => tensor ?? [])];
    const told = {
      inputNames: pointerArray(Object.keys(inputs).map(native)),
      // An empty array has no address.
      inputs: BigUint64Array.from(given.length > 0 ? given : [null], address),
      outputNames: pointerArray(Object.keys(outputs).map(native)),
      outputs: BigUint64Array.from(this.#outputs, ([, tensor]) => address(tensor)),
    };
    this.#told = told;
    this.#arguments = [
      ...[addressOf(told.inputNames), addressOf(told.inputs), given.length],
      ...[addressOf(told.outputNames), this.#outputs.length, addressOf(told.outputs)],
    ];
  }

  /**
   * Runs once. Resolves to the outputs by name: the preset tensors of our memory, and fresh ones for those left null. One
   * run at a time, since two would write into the same outputs.
   */
  async run(signal?: AbortSignal): Promise<Record<string, Tensor>> {
    if (this.#running) throw new Error('the binding is already running');
    signal?.throwIfAborted();
    // A tensor that was closed, or whose memory is gone, has no handle.
    const handles = [this.#session.handle, ...this.#tensors.map(({ handle }) => handle)];
    for (const handle of handles) handle.hold();
    this.#running = true;
    try {
      const run = (options: Pointer) =>
        ort().callAsync('Run', this.#session.handle.address, options, ...this.#arguments);
      await (signal ? runUntil(signal, run) : run(0n));
      return this.#preset ?? this.#collect();
    } finally {
      this.#running = false;
      for (const handle of handles) handle.drop();
    }
  }

  #collect(): Record<string, Tensor> {
    const { outputs } = this.#told;
    const results: Record<string, Tensor> = {};
    const failures: unknown[] = [];
    for (const [index, [name, preset]] of this.#outputs.entries()) {
      if (preset instanceof DeviceTensor) continue;
      try {
        results[name] = preset ?? takeValue(outputs[index]!, name);
      } catch (error) {
        // Those that follow are taken all the same: each is freed by that.
        failures.push(error);
      }
      if (!preset) outputs[index] = 0n;
    }
    if (failures.length > 0) throw failures[0];
    return results;
  }
}

/** Runs with options whose terminate flag follows the signal. */
async function runUntil(signal: AbortSignal, run: (options: Pointer) => Promise<void>): Promise<void> {
  const { call, create, release } = ort();
  const options = create('CreateRunOptions');
  const stop = () => call('RunOptionsSetTerminate', options);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await run(options);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    release('ReleaseRunOptions', options);
  }
}
