/**
 * Replaces by one operator the nodes that split rows into gate and up and bring them together, and a sum with the norm of it.
 */
import { floatAttribute, type GraphNode, readNode } from '../graph/model-nodes.ts';
import { ProtobufWriter } from '../graph/protobuf.ts';
import { readFields, rewritten, textAt } from '../graph/protobuf-reader.ts';
import { operatorDomain } from './custom-op.ts';
import { type RowShape, rowLanes, rowName } from './row-layout.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7 };
const graph = { node: 1, initializer: 5, input: 11, output: 12 };
const node = { input: 1, output: 2, operator: 4, domain: 7 };
const tensor = { dims: 1, type: 2, integers: 7, name: 8, raw: 9 };
const value = { name: 1 };
const [float32, int64] = [1, 7];

export interface RowGraph {
  model: Uint8Array;
  /** Row operators that the graph now needs, once each; none: it is as it was. */
  rows: RowShape[];
}

interface Weight {
  type: number;
  dims: number[];
  message: Uint8Array;
}

/** A node in the place of some others: at the first of them, which the rest follow. */
interface Replacement {
  shape: RowShape;
  inputs: string[];
  outputs: string[];
}

/** A graph that has the operators' domain already. @throws RangeError when the file is cut off */
export function withRowOperators(bytes: Uint8Array): RowGraph {
  const content = [...readFields(bytes)].find(({ number }) => number === model.graph)?.content;
  const parts = new Parts(content ?? new Uint8Array());
  /** By the first output of a node: null for those that go. */
  const changes = new Map<string, Replacement | null>();
  for (const each of parts.nodes) {
    const found = each.operator === 'Split' ? readGate(each, parts) : readNorm(each, parts);
    if (!found) continue;
    const [first, ...others] = found.nodes;
    changes.set(first!.outputs[0]!, found.by);
    for (const other of others) changes.set(other.outputs[0]!, null);
  }
  if (changes.size === 0) return { model: bytes, rows: [] };
  const replaced = (inner: Uint8Array): Uint8Array => {
    const writer = new ProtobufWriter();
    for (const field of readFields(inner)) {
      const change =
        field.number === graph.node ? changes.get(textAt(field.content, node.output)) : undefined;
      if (change) writer.message(graph.node, nodeOf(change));
      else if (change === undefined) writer.raw(field.whole);
    }
    return writer.finish();
  };
  const shapes = [...changes.values()].flatMap((change) => (change ? [change.shape] : []));
  return {
    model: rewritten(bytes, { [model.graph]: replaced }),
    rows: [...new Map(shapes.map((shape) => [rowName(shape), shape])).values()],
  };
}

function nodeOf({ inputs, outputs, shape }: Replacement): ProtobufWriter {
  const writer = new ProtobufWriter();
  for (const input of inputs) writer.text(node.input, input);
  for (const output of outputs) writer.text(node.output, output);
  return writer.text(node.operator, rowName(shape)).text(node.domain, operatorDomain);
}

class Parts {
  readonly nodes: GraphNode[] = [];
  readonly weights = new Map<string, Weight>();
  /** Nodes that read a value; outputs of the graph are read by none. */
  readonly #readers = new Map<string, GraphNode[]>();
  readonly #outputs = new Set<string>();

  constructor(content: Uint8Array) {
    const inputs: string[] = [];
    for (const { content: each, number } of readFields(content)) {
      if (number === graph.node) this.#addNode(readNode(each));
      else if (number === graph.initializer)
        this.weights.set(textAt(each, tensor.name), describeWeight(each));
      else if (number === graph.output) this.#outputs.add(textAt(each, value.name));
      else if (number === graph.input) inputs.push(textAt(each, value.name));
    }
    // No input of the graph can take the place of a weight that is constant.
    for (const name of inputs) this.weights.delete(name);
  }

  #addNode(each: GraphNode): void {
    this.nodes.push(each);
    for (const input of each.inputs) this.#readers.set(input, [...(this.#readers.get(input) ?? []), each]);
  }

  readers(name: string): readonly GraphNode[] {
    return this.#readers.get(name) ?? [];
  }

  /** The only node that reads a value, if it is of this kind. */
  onlyReader(name: string | undefined, operator: string): GraphNode | null {
    const [reader, ...others] = this.readers(name ?? '');
    const alone = reader !== undefined && others.length === 0 && !this.#outputs.has(name!);
    return alone && reader.operator === operator ? reader : null;
  }
}

function describeWeight(message: Uint8Array): Weight {
  const weight: Weight = { type: 0, dims: [], message };
  for (const field of readFields(message)) {
    if (field.number === tensor.type) weight.type = field.value;
    if (field.number === tensor.dims && field.wireType === 0) weight.dims.push(field.value);
  }
  return weight;
}

/** Two whole numbers of 64 bits that lie inside the file, if they are equal. */
function equalHalves(weight: Weight | undefined): number | null {
  if (weight?.type !== int64 || weight.dims.join() !== '2') return null;
  const raw = [...readFields(weight.message)].find(({ number }) => number === tensor.raw)?.content;
  if (raw?.length !== 16) return null;
  const [first, second] = new BigInt64Array(Uint8Array.from(raw).buffer);
  return first === second ? Number(first) : null;
}

const fitting = (columns: number | null | undefined): columns is number =>
  !!columns && columns > 0 && columns % rowLanes === 0 && columns <= 1 << 20;

interface Found {
  nodes: GraphNode[];
  by: Replacement;
}

/** Split → QuickGelu of the first half → its product with the second. */
function readGate(split: GraphNode, parts: Parts): Found | null {
  const [input = '', sizes = ''] = split.inputs;
  const [gate, up] = split.outputs;
  const columns = equalHalves(parts.weights.get(sizes));
  if (split.outputs.length !== 2 || !fitting(columns) || !isLastAxis(split)) return null;
  const activation = parts.onlyReader(gate, 'QuickGelu');
  const product = activation && parts.onlyReader(activation.outputs[0], 'Mul');
  if (!product || floatAttribute(activation, 'alpha') !== 1) return null;
  if (parts.onlyReader(up, 'Mul') !== product || product.inputs.length !== 2) return null;
  return {
    nodes: [split, activation, product],
    by: { shape: { kind: 'gated', columns }, inputs: [input], outputs: [...product.outputs] },
  };
}

/** Add → the only norm that reads it, beside whatever else does. */
function readNorm(add: GraphNode, parts: Parts): Found | null {
  const [sum = ''] = add.outputs;
  if (add.operator !== 'Add' || add.inputs.some((name) => parts.weights.has(name))) return null;
  const norms = parts.readers(sum).filter(({ operator }) => operator === 'SimplifiedLayerNormalization');
  const [norm] = norms;
  if (!norm || norms.length > 1 || norm.inputs.length !== 2 || norm.inputs[0] !== sum) return null;
  if (norm.outputs.length !== 1 || !isLastAxis(norm)) return null;
  const weights = parts.weights.get(norm.inputs[1]!);
  const [columns] = weights?.dims ?? [];
  const epsilon = floatAttribute(norm, 'epsilon');
  if (weights?.type !== float32 || weights.dims.length !== 1 || !fitting(columns) || !epsilon) return null;
  return {
    nodes: [add, norm],
    by: {
      shape: { kind: 'normed', columns, epsilon },
      inputs: [...add.inputs, norm.inputs[1]!],
      outputs: [sum, norm.outputs[0]!],
    },
  };
}

/** −1: a number below nought, whose lowest seven bits are set. As a number without a sign −2 rounds to the same. */
function isLastAxis(each: GraphNode): boolean {
  const attribute = each.attributes.get('axis');
  const axis = attribute && [...readFields(attribute)].find(({ number }) => number === 3);
  return axis !== undefined && axis.value > 2 ** 63 && axis.whole[1] === 255;
}
