/** Replaces MatMulNBits by the custom operator where the shapes and the kinds of numbers are those it knows. */
import { ProtobufWriter } from '../graph/protobuf.ts';
import { type Field, readFields, rewritten, textAt, textOf } from '../graph/protobuf-reader.ts';
import { operatorDomain, operatorName, operatorVersion } from './custom-op.ts';
import { leastOutputs, type MatMulShape, weightCounts } from './matmul-layout.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7, operatorSet: 8 };
const graph = { node: 1, initializer: 5, input: 11 };
const node = { input: 1, output: 2, operator: 4, attribute: 5, domain: 7 };
const attribute = { name: 1, integer: 3 };
const value = { name: 1 };
const tensor = { dims: 1, type: 2, name: 8 };
const operatorSet = { domain: 1, version: 2 };

/** Codes, scales, zero points: uint8 (2) and float32 (1). */
const weightTypes = [2, 1, 2];
/** Accuracy levels of MatMulNBits under which x may be rounded to 8 bits: where none is set, and where that is asked. */
const roundingLevels = [0, 4];
const largest = { columns: 1 << 17, outputs: 1 << 22 };

export interface RewrittenGraph {
  model: Uint8Array;
  /** Kernels that the graph now needs, once each; none: it is as it was. */
  kernels: MatMulShape[];
}

/** @throws RangeError when the file is cut off */
export function withCustomKernels(bytes: Uint8Array): RewrittenGraph {
  const content = [...readFields(bytes)].find(({ number }) => number === model.graph)?.content;
  const products = findMatMuls(content ?? new Uint8Array());
  // Weights that lie in the file are not copied for nothing.
  if (products.size === 0) return { model: bytes, kernels: [] };
  const replace = (whole: Uint8Array): Uint8Array => {
    const shape = products.get(textAt(whole, node.output));
    return shape ? customNode(whole, operatorName(shape)) : whole;
  };
  const changed = rewritten(bytes, { [model.graph]: (each) => rewritten(each, { [graph.node]: replace }) });
  const set = new ProtobufWriter()
    .text(operatorSet.domain, operatorDomain)
    .integer(operatorSet.version, operatorVersion);
  const byName = new Map([...products.values()].map((shape) => [operatorName(shape), shape]));
  return {
    model: new ProtobufWriter().raw(changed).message(model.operatorSet, set).finish(),
    kernels: [...byName.values()],
  };
}

/** By the name of what they give: every value of a graph has one of its own. */
function findMatMuls(content: Uint8Array): Map<string, MatMulShape> {
  const weights = readWeights(content);
  const products = new Map<string, MatMulShape>();
  for (const { content: whole, number } of readFields(content)) {
    const shape = number === graph.node ? readMatMul([...readFields(whole)], weights) : null;
    if (shape) products.set(textAt(whole, node.output), shape);
  }
  return products;
}

function customNode(whole: Uint8Array, operator: string): Uint8Array {
  const writer = new ProtobufWriter();
  for (const field of readFields(whole))
    if (field.number === node.output || (field.number === node.input && field.content.length > 0))
      writer.raw(field.whole);
  return writer.text(node.operator, operator).text(node.domain, operatorDomain).finish();
}

/** Kind and count of the numbers of each weight that is constant: no input of the graph can take its place. */
type Weights = ReadonlyMap<string, { type: number; count: number }>;

function readWeights(content: Uint8Array): Weights {
  const weights = new Map<string, { type: number; count: number }>();
  const inputs: string[] = [];
  for (const { content: each, number } of readFields(content)) {
    if (number === graph.input) inputs.push(textAt(each, value.name));
    if (number !== graph.initializer) continue;
    let [name, type, count] = ['', 0, 1];
    for (const field of readFields(each)) {
      if (field.number === tensor.dims) count *= field.value;
      else if (field.number === tensor.type) type = field.value;
      else if (field.number === tensor.name) name = textOf(field);
    }
    weights.set(name, { type, count });
  }
  for (const name of inputs) weights.delete(name);
  return weights;
}

/** Shape of a node's matrix product; null when it is none, or none for these kernels. */
function readMatMul(fields: readonly Field[], weights: Weights): MatMulShape | null {
  const operator = fields.find(({ number }) => number === node.operator);
  if (!operator || textOf(operator) !== 'MatMulNBits') return null;
  const settings = new Map(fields.filter(({ number }) => number === node.attribute).map(readAttribute));
  const [columns = 0, outputs = 0, bits = 4, block = 0] = ['K', 'N', 'bits', 'block_size'].map((name) =>
    settings.get(name),
  );
  if (!roundingLevels.includes(settings.get('accuracy_level') ?? 0)) return null;
  if ((bits !== 4 && bits !== 8) || ![32, 64, 128, 256].includes(block)) return null;
  if (columns < 1 || columns > largest.columns || outputs < leastOutputs || outputs > largest.outputs)
    return null;
  const inputs = fields.filter(({ number }) => number === node.input).map(textOf);
  while (inputs.at(-1) === '') inputs.pop();
  const shape: MatMulShape = { columns, outputs, bits, block, zeroPoints: inputs.length > 3 };
  const counts = weightCounts(shape);
  const fits = counts.every((count, index) => {
    const weight = weights.get(inputs[index + 1]!);
    return weight?.type === weightTypes[index] && weight.count === count;
  });
  return fits && inputs.length === counts.length + 1 ? shape : null;
}

function readAttribute({ content }: Field): [name: string, value: number] {
  let [name, value] = ['', 0];
  for (const field of readFields(content)) {
    if (field.number === attribute.name) name = textOf(field);
    else if (field.number === attribute.integer) value = field.value;
  }
  return [name, value];
}
