import { elementCount, elementTypeFacts, storageLength } from '../element-types.ts';
import type { ElementType, TensorData } from '../types.ts';
import { type AttributeValue, attributeMessage } from './attribute.ts';
import { ProtobufWriter } from './protobuf.ts';

/** A size, or the name of one that the run decides. */
export type Dimension = number | string;

/** Place of a weight outside the model file, in bytes. Offsets at multiples of 4,096 (Windows: 65,536) can be mapped. */
export interface ExternalData {
  /** File name relative to the model's folder. */
  location: string;
  offset: number;
  length: number;
}

export interface NodeOptions {
  attributes?: Record<string, AttributeValue>;
  /** Operator set; '' is ONNX's own. */
  domain?: string;
  name?: string;
}

const irVersion = 10;
/** com.microsoft holds the fused and quantized operators of onnxruntime. */
const defaultOperatorSets: Record<string, number> = { '': 21, 'com.microsoft': 1 };

function valueInfo(name: string, type: ElementType, dims: readonly Dimension[]): ProtobufWriter {
  const shape = new ProtobufWriter();
  for (const dim of dims) {
    const message = new ProtobufWriter();
    shape.message(1, typeof dim === 'number' ? message.integer(1, dim) : message.text(2, dim));
  }
  const tensor = new ProtobufWriter().integer(1, elementTypeFacts(type).code).message(2, shape);
  return new ProtobufWriter().text(1, name).message(2, new ProtobufWriter().message(1, tensor));
}

function tensorHeader(name: string, type: ElementType, dims: readonly number[]): ProtobufWriter {
  const tensor = new ProtobufWriter();
  for (const dim of dims) tensor.integer(1, dim);
  return tensor.integer(2, elementTypeFacts(type).code).text(8, name);
}

/** NodeProto of an operator; '' stands for an absent optional input or output. */
export function nodeMessage(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  options: NodeOptions = {},
): ProtobufWriter {
  const node = new ProtobufWriter();
  for (const input of inputs) node.text(1, input);
  for (const output of outputs) node.text(2, output);
  node.text(3, options.name ?? `${outputs.find((output) => output !== '')}/${operator}`).text(4, operator);
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    node.message(5, attributeMessage(name, value));
  if (options.domain) node.text(7, options.domain);
  return node;
}

/** TensorProto of a weight inside the model file. @throws RangeError when the data does not fill the shape */
export function weightMessage(
  name: string,
  type: ElementType,
  dims: readonly number[],
  data: TensorData,
): ProtobufWriter {
  const length = storageLength(type, elementCount(dims));
  if (data.length !== length) throw new RangeError(`${name} needs ${length} elements, not ${data.length}`);
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return tensorHeader(name, type, dims).bytes(9, bytes);
}

/**
 * Builds an ONNX model (ModelProto of onnx.proto). Nodes must be added in an order in which every input already exists.
 * The result is not checked here: opening a session does that.
 */
export class Graph {
  readonly #name: string;
  readonly #operatorSets: Record<string, number>;
  readonly #nodes: ProtobufWriter[] = [];
  readonly #initializers: ProtobufWriter[] = [];
  readonly #inputs: ProtobufWriter[] = [];
  readonly #outputs: ProtobufWriter[] = [];

  constructor(name: string, operatorSets: Record<string, number> = {}) {
    this.#name = name;
    this.#operatorSets = { ...defaultOperatorSets, ...operatorSets };
  }

  input(name: string, type: ElementType, dims: readonly Dimension[]): string {
    this.#inputs.push(valueInfo(name, type, dims));
    return name;
  }

  output(name: string, type: ElementType, dims: readonly Dimension[]): string {
    this.#outputs.push(valueInfo(name, type, dims));
    return name;
  }

  /** Adds an operator; '' stands for an absent optional input or output. Returns the first output. */
  node(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    options: NodeOptions = {},
  ): string {
    this.#nodes.push(nodeMessage(operator, inputs, outputs, options));
    return outputs[0] ?? '';
  }

  /** A weight inside the model file, which can hold 2 GB at most. */
  initializer(name: string, type: ElementType, dims: readonly number[], data: TensorData): string {
    this.#initializers.push(weightMessage(name, type, dims, data));
    return name;
  }

  /** A weight in a file beside the model. */
  externalInitializer(name: string, type: ElementType, dims: readonly number[], data: ExternalData): string {
    const tensor = tensorHeader(name, type, dims);
    for (const key of ['location', 'offset', 'length'] as const) {
      tensor.message(13, new ProtobufWriter().text(1, key).text(2, String(data[key])));
    }
    this.#initializers.push(tensor.integer(14, 1));
    return name;
  }

  /** The model file's bytes. */
  toModel(): Uint8Array {
    const graph = new ProtobufWriter();
    for (const node of this.#nodes) graph.message(1, node);
    graph.text(2, this.#name);
    for (const tensor of this.#initializers) graph.message(5, tensor);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    const model = new ProtobufWriter().integer(1, irVersion).text(2, 'lokal').message(7, graph);
    for (const [domain, version] of Object.entries(this.#operatorSets)) {
      model.message(8, new ProtobufWriter().text(1, domain).integer(2, version));
    }
    return model.finish();
  }
}

export function createGraph(name: string, operatorSets?: Record<string, number>): Graph {
  return new Graph(name, operatorSets);
}
