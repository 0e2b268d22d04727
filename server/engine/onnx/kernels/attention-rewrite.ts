/**
 * Replaces GroupQueryAttention by the custom operator where it does what that one knows, over a cache that is input and output
 * of the graph at once. The cache then holds halves, in the order of attention-layout.ts.
 */
import { floatAttribute, type GraphNode, readNode } from '../graph/model-nodes.ts';
import { ProtobufWriter } from '../graph/protobuf.ts';
import { readFields, rewritten, textAt } from '../graph/protobuf-reader.ts';
import { withElementType } from '../graph/value-type.ts';
import { type AttentionShape, attentionName } from './attention-layout.ts';
import { operatorDomain, operatorVersion } from './custom-op.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7, operatorSet: 8 };
const graph = { node: 1, initializer: 5, input: 11, output: 12 };
const node = { input: 1, output: 2, operator: 4, domain: 7 };
const attribute = { float: 2, integer: 3 };
const tensor = { dims: 1, type: 2, name: 8 };
const value = { name: 1, type: 2 };
const operatorSet = { domain: 1, version: 2 };

const float32 = 1;
const largestHead = 256;
const place = { query: 0, key: 1, value: 2, pastKey: 3, pastValue: 4, cosines: 7, sines: 8 };
const inputs = 9;
/** Attributes that are read, and those that ask for something else unless they are as given. */
const readAttributes = ['num_heads', 'kv_num_heads', 'do_rotary', 'scale', 'local_window_size'];
const plainAttributes: Record<string, number> = {
  rotary_interleaved: 0,
  smooth_softmax: 0,
  softcap: 0,
  qk_output: 0,
};

export interface AttentionGraph {
  model: Uint8Array;
  /** Attention that the graph now needs, once each; none: it is as it was. */
  attentions: AttentionShape[];
}

interface Described {
  type: number;
  /** Symbolic sizes are 0. */
  dims: number[];
}

/** A graph's parts by name. */
interface Parts {
  nodes: GraphNode[];
  inputs: Map<string, Described>;
  outputs: Set<string>;
  weights: Map<string, Described>;
  /** Count of the nodes that read a value. */
  uses: Map<string, number>;
}

/** @throws RangeError when the file is cut off */
export function withAttention(bytes: Uint8Array): AttentionGraph {
  const parts = readParts([...readFields(bytes)].find(({ number }) => number === model.graph)?.content);
  const found = new Map<string, AttentionShape>();
  const caches = new Set<string>();
  for (const each of parts.nodes) {
    if (each.operator !== 'GroupQueryAttention') continue;
    const shape = readAttention(each, parts);
    // A cache is of one type throughout.
    if (!shape) return { model: bytes, attentions: [] };
    found.set(each.outputs[0]!, shape);
    for (const name of [each.inputs[place.pastKey]!, each.inputs[place.pastValue]!, ...each.outputs.slice(1)])
      caches.add(name);
  }
  if (found.size === 0) return { model: bytes, attentions: [] };
  const toHalves = (content: Uint8Array): Uint8Array =>
    caches.has(textAt(content, value.name)) ? withElementType(content, 'float16') : content;
  const replace = (whole: Uint8Array): Uint8Array => {
    const shape = found.get(textAt(whole, node.output));
    return shape ? attentionNode(readNode(whole), shape) : whole;
  };
  const changed = rewritten(bytes, {
    [model.graph]: (each) =>
      rewritten(each, { [graph.node]: replace, [graph.input]: toHalves, [graph.output]: toHalves }),
  });
  return {
    model: withOperatorSet(changed),
    attentions: [...new Map([...found.values()].map((shape) => [attentionName(shape), shape])).values()],
  };
}

function withOperatorSet(bytes: Uint8Array): Uint8Array {
  const isThere = [...readFields(bytes)].some(
    ({ content, number }) =>
      number === model.operatorSet && textAt(content, operatorSet.domain) === operatorDomain,
  );
  if (isThere) return bytes;
  const set = new ProtobufWriter()
    .text(operatorSet.domain, operatorDomain)
    .integer(operatorSet.version, operatorVersion);
  return new ProtobufWriter().raw(bytes).message(model.operatorSet, set).finish();
}

function attentionNode(each: GraphNode, shape: AttentionShape): Uint8Array {
  const writer = new ProtobufWriter();
  const last = shape.rotaryDims > 0 ? inputs : place.cosines;
  for (const input of each.inputs.slice(0, last)) if (input !== '') writer.text(node.input, input);
  for (const output of each.outputs) writer.text(node.output, output);
  return writer.text(node.operator, attentionName(shape)).text(node.domain, operatorDomain).finish();
}

function readParts(content: Uint8Array = new Uint8Array()): Parts {
  const parts: Parts = {
    nodes: [],
    inputs: new Map(),
    outputs: new Set(),
    weights: new Map(),
    uses: new Map(),
  };
  for (const { content: each, number } of readFields(content)) {
    if (number === graph.node) {
      const read = readNode(each);
      parts.nodes.push(read);
      for (const input of read.inputs) parts.uses.set(input, (parts.uses.get(input) ?? 0) + 1);
    } else if (number === graph.input) parts.inputs.set(textAt(each, value.name), describeValue(each));
    else if (number === graph.output) parts.outputs.add(textAt(each, value.name));
    else if (number === graph.initializer) parts.weights.set(textAt(each, tensor.name), describeWeight(each));
  }
  // No input of the graph can take the place of a weight that is constant.
  for (const name of parts.inputs.keys()) parts.weights.delete(name);
  return parts;
}

function describeWeight(content: Uint8Array): Described {
  const described: Described = { type: 0, dims: [] };
  for (const field of readFields(content)) {
    if (field.number === tensor.type) described.type = field.value;
    if (field.number === tensor.dims && field.wireType === 0) described.dims.push(field.value);
  }
  return described;
}

/** Of ValueInfoProto: its tensor's element type, and its dimensions. */
function describeValue(content: Uint8Array): Described {
  const inner = (message: Uint8Array, number: number) =>
    [...readFields(message)].find((field) => field.number === number)?.content ?? new Uint8Array();
  const described: Described = { type: 0, dims: [] };
  for (const field of readFields(inner(inner(content, value.type), 1))) {
    if (field.number === 1) described.type = field.value;
    if (field.number !== 2) continue;
    for (const dim of readFields(field.content))
      described.dims.push([...readFields(dim.content)].find(({ number }) => number === 1)?.value ?? 0);
  }
  return described;
}

/** The attention of a node; null when it asks for something that the operator does not do. */
function readAttention(each: GraphNode, parts: Parts): AttentionShape | null {
  const names = [...each.inputs];
  while (names.at(-1) === '') names.pop();
  const integer = (name: string): number =>
    [...readFields(each.attributes.get(name) ?? new Uint8Array())].find(
      ({ number }) => number === attribute.integer,
    )?.value ?? 0;
  const [heads, kvHeads] = [integer('num_heads'), integer('kv_num_heads')];
  const caches = [names[place.pastKey], names[place.pastValue]];
  const [past] = caches.map((name) => parts.inputs.get(name ?? ''));
  const headDim = past?.dims[3] ?? 0;
  const turned = integer('do_rotary') === 1;
  const tables = [names[place.cosines], names[place.sines]].map((name) => parts.weights.get(name ?? ''));
  const [rotaryRows = 0, half = 0] = turned ? (tables[0]?.dims ?? []) : [];
  const packed = names[place.key] === '';
  const shape: AttentionShape = {
    ...{ heads, kvHeads, headDim, packed, rotaryRows },
    rotaryDims: 2 * half,
    scale: floatAttribute(each, 'scale') || headDim ** -0.5,
    window: windowOf(integer('local_window_size')),
  };
  const fits =
    isPlain(each) &&
    heads > 0 &&
    kvHeads > 0 &&
    heads % kvHeads === 0 &&
    headDim > 0 &&
    headDim % 16 === 0 &&
    headDim <= largestHead &&
    packed === (names[place.value] === '') &&
    names.length >= place.cosines &&
    names.length <= inputs &&
    (!turned || (half > 0 && 2 * half <= headDim && tables.every((table) => isTable(table, shape)))) &&
    caches.every((name) => isCache(name!, parts, shape)) &&
    each.outputs.length === 3 &&
    each.outputs.slice(1).every((name) => parts.outputs.has(name) && !parts.uses.has(name));
  return fits ? shape : null;
}

/** Read as a number without a sign, −1 is beyond all windows: as good as none. */
const windowOf = (size: number): number => (size > 0 && size < 2 ** 24 ? size : 0);

function isPlain(each: GraphNode): boolean {
  for (const [name, message] of each.attributes) {
    if (readAttributes.includes(name)) continue;
    const expected = plainAttributes[name];
    const found = [...readFields(message)].find(
      ({ number }) => number === attribute.integer || number === attribute.float,
    );
    const given = found?.number === attribute.float ? floatAttribute(each, name) : (found?.value ?? 0);
    if (expected === undefined || given !== expected) return false;
  }
  return true;
}

const isTable = (table: Described | undefined, { rotaryDims, rotaryRows }: AttentionShape): boolean =>
  table?.type === float32 &&
  table.dims.length === 2 &&
  table.dims[0] === rotaryRows &&
  table.dims[1] === rotaryDims / 2;

function isCache(name: string, parts: Parts, { headDim, kvHeads }: AttentionShape): boolean {
  const cache = parts.inputs.get(name);
  return (
    cache?.type === float32 &&
    cache.dims.length === 4 &&
    cache.dims[1] === kvHeads &&
    cache.dims[3] === headDim &&
    parts.uses.get(name) === 1
  );
}
