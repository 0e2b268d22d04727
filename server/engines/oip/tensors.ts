/** Tensors of a graph of the bound pack over the Open Inference Protocol, as JSON: exact, since a double holds each of our numbers. */
import type { ElementType, Infer, InferRequest, PlainTensor, TensorData } from '../../engine/onnx/types.ts';
import type { RemoteAsk } from '../adapter.ts';
import { EngineFault } from '../fault.ts';
import { askOip, type OipTensor } from './ask.ts';

interface WireType {
  datatype: string;
  make: (values: readonly number[]) => TensorData;
}

const wireTypes: Partial<Record<ElementType, WireType>> = {
  float32: { datatype: 'FP32', make: (values) => Float32Array.from(values) },
  float64: { datatype: 'FP64', make: (values) => Float64Array.from(values) },
  uint8: { datatype: 'UINT8', make: (values) => Uint8Array.from(values) },
  int8: { datatype: 'INT8', make: (values) => Int8Array.from(values) },
  int32: { datatype: 'INT32', make: (values) => Int32Array.from(values) },
  int64: { datatype: 'INT64', make: (values) => BigInt64Array.from(values, BigInt) },
  bool: { datatype: 'BOOL', make: (values) => Uint8Array.from(values, Number) },
};

const invalid = (why: string) => new EngineFault('invalid', why);

function wireType(type: ElementType): WireType {
  const found = wireTypes[type];
  if (!found) throw new EngineFault('rejected', `tensors of ${type} do not go over this protocol`);
  return found;
}

const toWire = ([name, { type, dims, data }]: [string, PlainTensor]): OipTensor => ({
  name,
  datatype: wireType(type).datatype,
  shape: [...dims],
  data: Array.from(data as ArrayLike<number | bigint>, Number),
});

export type Asking = Pick<RemoteAsk, 'connection' | 'model' | 'signal' | 'caller'>;

/** One run over there. @throws EngineFault where its outputs are not those of the graph */
export async function inferTensors({ inputs, outputs }: InferRequest, ask: Asking) {
  const answer = await askOip<{ outputs?: OipTensor[] }>(
    `/v2/models/${encodeURIComponent(ask.model)}/infer`,
    ask,
    {
      id: 'lokal',
      inputs: Object.entries(inputs).map(toWire),
      outputs: outputs.map(({ name }) => ({ name })),
    },
  );
  const given = Array.isArray(answer.outputs) ? answer.outputs : [];
  return Object.fromEntries(outputs.map((wanted) => [wanted.name, readOutput(wanted, given)]));
}

/** @throws EngineFault */
function readOutput(
  { name, type, dims }: InferRequest['outputs'][number],
  given: readonly OipTensor[],
): PlainTensor {
  const { datatype, make } = wireType(type);
  const found = given.find((each) => each?.name === name);
  if (!found) throw invalid(`it answered no tensor ${name}`);
  if (found.datatype !== datatype)
    throw invalid(`its ${name} is ${String(found.datatype).slice(0, 20)}, not ${datatype}`);
  const shape = Array.isArray(found.shape) ? found.shape.map(Number) : [];
  const fits =
    shape.every((size) => Number.isInteger(size) && size >= 0) &&
    (dims.length === 0 ||
      (dims.length === shape.length && dims.every((size, at) => size === null || size === shape[at])));
  if (!fits) throw invalid(`its ${name} has another shape than the pack’s graph`);
  const values = Array.isArray(found.data) ? (found.data as unknown[]).flat(Number.POSITIVE_INFINITY) : [];
  const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  if (values.length !== shape.reduce((product, size) => product * size, 1) || !values.every(isNumber))
    throw invalid(`its ${name} has not the numbers of its shape`);
  return { type, dims: shape, data: make(values as number[]) };
}

/** Graphs of packs that run over there, and how often one did. */
export interface TensorRuns {
  infer: Infer;
  runs: number;
}

/**
 * Runs `work` over the pack here with its graphs run there. A fault of a run stands for what the pack says of it.
 * @throws EngineFault, ApiError
 */
export async function* withTensors<T>(
  ask: Asking,
  work: (tensors: TensorRuns) => AsyncIterable<T>,
): AsyncGenerator<T> {
  let fault: unknown;
  const tensors: TensorRuns = {
    runs: 0,
    async infer(request) {
      tensors.runs += 1;
      try {
        return await inferTensors(request, ask);
      } catch (error) {
        fault ??= error;
        throw error;
      }
    },
  };
  try {
    yield* work(tensors);
  } catch (error) {
    throw fault ?? error;
  }
}
