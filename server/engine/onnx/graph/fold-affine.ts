/**
 * Folds into convolutions what PaddleOCR's exports compute beside them pixel by pixel: batch normalization, learnt scales
 * and offsets; a hard swish of four operators becomes two. The answers differ by rounding alone. Those passes over memory,
 * and the changes of layout that they force on onnxruntime, take more time than the convolutions.
 */

import { nodeMessage, weightMessage } from './graph.ts';
import {
  constantOf,
  type FloatWeight,
  floatAttribute,
  type GraphNode,
  initializerOf,
  integersAttribute,
  readNode,
} from './model-nodes.ts';
import { ProtobufWriter } from './protobuf.ts';
import { readFields, rewritten, textAt } from './protobuf-reader.ts';

const fieldOf = { graph: 7, node: 1, initializer: 5, output: 12 } as const;
/** Of a node. */
const attributeField = 5;

/** A convolution with weights [out, in / group, height, width] and offsets [out]. */
interface Convolution {
  node: GraphNode;
  dims: readonly number[];
  weights: Float64Array;
  offsets: Float64Array;
}

/** scale × x + offset, of each channel of the output. */
interface Affine {
  scale(channel: number): number;
  offset(channel: number): number;
}

/** x × clip(x + 3, 0, 6) ÷ 6 of a convolution's output, times `scale`, plus `offset`. */
interface HardSwish {
  input: string;
  channels: number;
  scale: number;
  offset: number;
  output: string;
}

interface FoldedGraph {
  nodes: Uint8Array[];
  weights: Uint8Array[];
}

const isUnpadded = (node: GraphNode): boolean =>
  !node.attributes.has('auto_pad') && integersAttribute(node, 'pads').every((pad) => pad === 0);

function transform({ dims, weights, offsets }: Convolution, { scale, offset }: Affine): void {
  const size = weights.length / dims[0]!;
  for (let out = 0; out < offsets.length; out++) {
    const factor = scale(out);
    for (let at = out * size; at < (out + 1) * size; at++) weights[at]! *= factor;
    offsets[out] = offsets[out]! * factor + offset(out);
  }
}

/** The convolution of scale × x + offset in place of x. */
function transformInput({ dims, weights, offsets }: Convolution, scale: number, offset: number): void {
  const size = weights.length / dims[0]!;
  for (let out = 0; out < offsets.length; out++)
    for (let at = out * size; at < (out + 1) * size; at++) {
      offsets[out]! += offset * weights[at]!;
      weights[at]! *= scale;
    }
}

class Folding {
  readonly #nodes: readonly GraphNode[];
  readonly #weights: ReadonlyMap<string, FloatWeight>;
  readonly #outputs: ReadonlySet<string>;
  readonly #users = new Map<string, GraphNode[]>();
  /** By the name of the output, which is that of what was folded in last. */
  readonly #convolutions = new Map<string, Convolution>();
  /** By the node each begins with. */
  readonly #swishes = new Map<GraphNode, HardSwish>();
  readonly #folded = new Set<GraphNode>();

  constructor(
    nodes: readonly GraphNode[],
    weights: ReadonlyMap<string, FloatWeight>,
    outputs: ReadonlySet<string>,
  ) {
    this.#nodes = nodes;
    this.#weights = weights;
    this.#outputs = outputs;
    for (const node of nodes)
      for (const input of new Set(node.inputs))
        this.#users.set(input, [...(this.#users.get(input) ?? []), node]);
  }

  run(): FoldedGraph {
    for (const node of this.#nodes) if (node.operator === 'Conv') this.#foldBehind(node);
    for (const node of this.#nodes) if (node.operator === 'Add') this.#findHardSwish(node);
    for (const swish of this.#swishes.values()) this.#foldAhead(swish);
    return this.#write();
  }

  #onlyUser(name: string): GraphNode | null {
    const users = this.#users.get(name) ?? [];
    return users.length === 1 && !this.#outputs.has(name) ? users[0]! : null;
  }

  #numberAt(name: string | undefined): number | null {
    const weight = name === undefined ? undefined : this.#weights.get(name);
    return weight?.values.length === 1 && weight.dims.length <= 4 ? weight.values[0]! : null;
  }

  /** A product or a sum with one number. */
  #numberOf({ operator, inputs }: GraphNode): { scale: number; offset: number; input: string } | null {
    if (operator !== 'Mul' && operator !== 'Add') return null;
    const at = inputs.findIndex((input) => this.#numberAt(input) !== null);
    if (at < 0) return null;
    const value = this.#numberAt(inputs[at])!;
    const input = inputs[1 - at]!;
    return operator === 'Mul' ? { scale: value, offset: 0, input } : { scale: 1, offset: value, input };
  }

  #normalizationOf(node: GraphNode): Affine | null {
    if (node.operator !== 'BatchNormalization') return null;
    const [scales, biases, means, variances] = node.inputs
      .slice(1)
      .map((name) => this.#weights.get(name)?.values);
    if (!scales || !biases || !means || !variances) return null;
    const epsilon = floatAttribute(node, 'epsilon') ?? 1e-5;
    const scale = (channel: number): number => scales[channel]! / Math.sqrt(variances[channel]! + epsilon);
    return { scale, offset: (channel) => biases[channel]! - means[channel]! * scale(channel) };
  }

  #foldBehind(node: GraphNode): void {
    const weight = this.#weights.get(node.inputs[1]!);
    const bias = node.inputs[2] ? this.#weights.get(node.inputs[2])?.values : [];
    if (!bias || weight?.dims.length !== 4) return;
    const convolution: Convolution = {
      node,
      dims: weight.dims,
      weights: new Float64Array(weight.values),
      offsets: Float64Array.from({ length: weight.dims[0]! }, (_, out) => bias[out] ?? 0),
    };
    let output = node.outputs[0]!;
    for (let user = this.#onlyUser(output); user; user = this.#onlyUser(output)) {
      const number = this.#numberOf(user);
      const affine = number
        ? { scale: () => number.scale, offset: () => number.offset }
        : this.#normalizationOf(user);
      if (!affine) break;
      transform(convolution, affine);
      this.#folded.add(user);
      output = user.outputs[0]!;
    }
    this.#convolutions.set(output, convolution);
  }

  #clipsToSix(clip: GraphNode): boolean {
    const low = floatAttribute(clip, 'min') ?? this.#numberAt(clip.inputs[1]);
    const high = floatAttribute(clip, 'max') ?? this.#numberAt(clip.inputs[2]);
    return clip.operator === 'Clip' && low === 0 && high === 6;
  }

  #findHardSwish(sum: GraphNode): void {
    const shift = this.#numberOf(sum);
    const convolution = shift?.offset === 3 && this.#convolutions.get(shift.input);
    if (!convolution) return;
    const clip = this.#onlyUser(sum.outputs[0]!);
    const product = clip && this.#clipsToSix(clip) ? this.#onlyUser(clip.outputs[0]!) : null;
    if (product?.operator !== 'Mul' || !product.inputs.includes(shift.input)) return;
    const quotient = this.#onlyUser(product.outputs[0]!);
    if (quotient?.operator !== 'Div' || this.#numberAt(quotient.inputs[1]) !== 6) return;
    for (const node of [sum, clip!, product, quotient]) this.#folded.add(node);
    const swish = { input: shift.input, channels: convolution.dims[0]!, scale: 1, offset: 0 };
    let output = quotient.outputs[0]!;
    for (let user = this.#onlyUser(output); user; user = this.#onlyUser(output)) {
      const number = this.#numberOf(user);
      if (!number) break;
      swish.scale *= number.scale;
      swish.offset = swish.offset * number.scale + number.offset;
      this.#folded.add(user);
      output = user.outputs[0]!;
    }
    this.#swishes.set(sum, { ...swish, output });
  }

  /** Moves scale and offset into the convolutions that read a hard swish; at a padded border the offset would be missing. */
  #foldAhead(swish: HardSwish): void {
    const users = this.#users.get(swish.output) ?? [];
    const all = [...this.#convolutions.values()];
    const readers = all.filter(({ node }) => node.inputs[0] === swish.output);
    if (readers.length === 0 || readers.length < users.length || this.#outputs.has(swish.output)) return;
    if (swish.offset !== 0 && !readers.every(({ node }) => isUnpadded(node))) return;
    for (const reader of readers) transformInput(reader, swish.scale, swish.offset);
    swish.scale = 1;
    swish.offset = 0;
  }

  #write(): FoldedGraph {
    const outputOf = new Map([...this.#convolutions].map(([output, { node }]) => [node, output]));
    const graph: FoldedGraph = { nodes: [], weights: [] };
    for (const node of this.#nodes) {
      const output = outputOf.get(node);
      const swish = this.#swishes.get(node);
      if (output !== undefined) writeConvolution(graph, output, this.#convolutions.get(output)!);
      else if (swish) writeHardSwish(graph, swish);
      else if (!this.#folded.has(node)) graph.nodes.push(node.message);
    }
    return graph;
  }
}

function writeWeight(
  graph: FoldedGraph,
  name: string,
  dims: readonly number[],
  values: Float32Array,
): string {
  graph.weights.push(weightMessage(name, 'float32', dims, values).finish());
  return name;
}

function writeConvolution(
  graph: FoldedGraph,
  output: string,
  { node, dims, weights, offsets }: Convolution,
): void {
  const inputs = [
    node.inputs[0]!,
    writeWeight(graph, `${output}/weights`, dims, new Float32Array(weights)),
    writeWeight(graph, `${output}/offsets`, [dims[0]!], new Float32Array(offsets)),
  ];
  const message = nodeMessage('Conv', inputs, [output]);
  for (const attribute of node.attributes.values()) message.bytes(attributeField, attribute);
  graph.nodes.push(message.finish());
}

/** A scale and an offset that are left become a convolution of each channel alone: it keeps the layout of its neighbours. */
function writeHardSwish(graph: FoldedGraph, { input, channels, scale, offset, output }: HardSwish): void {
  const gate = nodeMessage('HardSigmoid', [input], [`${output}/gate`], {
    attributes: { alpha: { float: 1 / 6 }, beta: { float: 0.5 } },
  });
  const isPlain = scale === 1 && offset === 0;
  const product = isPlain ? output : `${output}/product`;
  graph.nodes.push(gate.finish(), nodeMessage('Mul', [input, `${output}/gate`], [product]).finish());
  if (isPlain) return;
  const inputs = [
    product,
    writeWeight(graph, `${output}/scale`, [channels, 1, 1, 1], new Float32Array(channels).fill(scale)),
    writeWeight(graph, `${output}/offset`, [channels], new Float32Array(channels).fill(offset)),
  ];
  graph.nodes.push(nodeMessage('Conv', inputs, [output], { attributes: { group: channels } }).finish());
}

function foldGraph(message: Uint8Array): Uint8Array {
  const [nodes, weights]: [GraphNode[], Map<string, FloatWeight>] = [[], new Map()];
  const outputs = new Set<string>();
  for (const { number, content } of readFields(message))
    if (number === fieldOf.output) outputs.add(textAt(content, 1));
    else if (number === fieldOf.initializer) {
      const weight = initializerOf(content);
      if (weight) weights.set(...weight);
    } else if (number === fieldOf.node) {
      const node = readNode(content);
      nodes.push(node);
      const weight = constantOf(node);
      if (weight) weights.set(node.outputs[0]!, weight);
    }
  const folded = new Folding(nodes, weights, outputs).run();
  const writer = new ProtobufWriter();
  for (const field of readFields(message)) if (field.number !== fieldOf.node) writer.raw(field.whole);
  for (const node of folded.nodes) writer.bytes(fieldOf.node, node);
  for (const weight of folded.weights) writer.bytes(fieldOf.initializer, weight);
  return writer.finish();
}

/**
 * The model with what can be folded into its convolutions folded; any other model as it is.
 * @throws RangeError for bytes that are no model
 */
export const foldAffine = (model: Uint8Array): Uint8Array => rewritten(model, { [fieldOf.graph]: foldGraph });
