/** Tensors as they cross the boundary of a process, and runs of graphs that are asked over it. */

export type ElementType =
  | 'float32'
  | 'uint8'
  | 'int8'
  | 'uint16'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'bool'
  | 'float16'
  | 'float64'
  | 'uint32'
  | 'uint64'
  | 'bfloat16'
  | 'uint4'
  | 'int4';

export type TensorData =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | BigInt64Array
  | BigUint64Array;

/** As it crosses a process boundary. */
export interface PlainTensor {
  type: ElementType;
  dims: readonly number[];
  data: TensorData;
}

export interface InferRequest {
  /** The graph's part in its pack: `classifier`, `detector`. */
  graph: string;
  inputs: Record<string, PlainTensor>;
  /** Wanted outputs; a size that the graph leaves open is null. */
  outputs: { name: string; type: ElementType; dims: (number | null)[] }[];
}

/** Outputs by name, of the types and sizes that were asked for. */
export type Infer = (request: InferRequest) => Promise<Record<string, PlainTensor>>;
