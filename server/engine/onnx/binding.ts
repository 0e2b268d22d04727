import { DeviceTensor } from './device.ts';
import { allocateData } from './element-types.ts';
import type { NativeHandle } from './library/handle.ts';
import { ort, type Pointer, pointerArray } from './library/library.ts';
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
  readonly #inputs: readonly RunTensor[];
  readonly #outputs: readonly (readonly [string, RunTensor | null])[];
  readonly #inputNames: BigUint64Array;
  readonly #outputNames: BigUint64Array;
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
    this.#session = session;
    this.#inputs = Object.values(inputs);
    this.#outputs = Object.entries(outputs);
    this.#inputNames = pointerArray(Object.keys(inputs).map(native));
    this.#outputNames = pointerArray(Object.keys(outputs).map(native));
  }

  /**
   * Runs once. Resolves to the outputs by name: the preset tensors of our memory, and fresh ones for those left null. One
   * run at a time, since two would write into the same outputs.
   */
  async run(signal?: AbortSignal): Promise<Record<string, Tensor>> {
    if (this.#running) throw new Error('the binding is already running');
    signal?.throwIfAborted();
    const tensors = [...this.#inputs, ...this.#outputs.flatMap(([, tensor]) => tensor ?? [])];
    const handles = [this.#session.handle, ...tensors.map((tensor) => tensor.handle)];
    for (const handle of handles) handle.hold();
    this.#running = true;
    try {
      const values = await this.#runNative(signal);
      return this.#collect(values);
    } finally {
      this.#running = false;
      for (const handle of handles) handle.drop();
    }
  }

  /** Resolves to the addresses of the output values. */
  async #runNative(signal: AbortSignal | undefined): Promise<BigUint64Array> {
    const address = (tensor: RunTensor | null) => tensor?.handle.address ?? 0n;
    const inputs = BigUint64Array.from(this.#inputs.length > 0 ? this.#inputs : [null], address);
    const outputs = BigUint64Array.from(this.#outputs, ([, tensor]) => address(tensor));
    const run = (options: Pointer) =>
      ort().callAsync(
        'Run',
        this.#session.handle.address,
        options,
        this.#inputNames,
        inputs,
        this.#inputs.length,
        this.#outputNames,
        this.#outputs.length,
        outputs,
      );
    await (signal ? runUntil(signal, run) : run(0n));
    return outputs;
  }

  #collect(values: BigUint64Array): Record<string, Tensor> {
    const results: Record<string, Tensor> = {};
    const failures: unknown[] = [];
    for (const [index, [name, preset]] of this.#outputs.entries()) {
      if (preset instanceof DeviceTensor) continue;
      try {
        results[name] = preset ?? takeValue(values[index]!, name);
      } catch (error) {
        // Those that follow are taken all the same: each is freed by that.
        failures.push(error);
      }
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
