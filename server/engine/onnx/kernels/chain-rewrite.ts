/** Replaces neighboring custom operators of a decoder by one, as many layers as a chain may hold. */
import { isDeepStrictEqual } from 'node:util';
import { type GraphNode, readNode } from '../graph/model-nodes.ts';
import { ProtobufWriter } from '../graph/protobuf.ts';
import { readFields, rewritten, textAt } from '../graph/protobuf-reader.ts';
import { type AttentionShape, attentionInputs, attentionName } from './attention-layout.ts';
import {
  type ChainNode,
  type ChainRows,
  type ChainShape,
  type ChainTensor,
  chainName,
  rowBytesOf,
} from './chain-layout.ts';
import { operatorDomain, operatorName } from './custom-op.ts';
import { inputTypes } from './custom-op-code.ts';
import { type MatMulShape, weightCounts } from './matmul-layout.ts';
import { type RowShape, rowFields, rowName } from './row-layout.ts';

/** Numbers of fields in onnx.proto. */
const model = { graph: 7 };
const graph = { node: 1, output: 12 };
const node = { input: 1, output: 2, operator: 4, domain: 7 };
const attribute = { graph: 6, graphs: 11 };
const value = { name: 1 };
const [float32, int32, float16] = [1, 6, 10];

/** Some 25 µs: longer than any item of few rows takes. */
const usualLooks = 500;
/** A run can be stopped between operators, so that a chain is not a whole decoder. */
const mostNodes = 64;
const leastNodes = 3;
/** Bytes of a row's values in the memory of a run, of which the largest decoders have a few million: more would not fit into its code. */
const mostRowBytes = 32 * 1024 * 1024;

export interface ChainGraph {
  model: Uint8Array;
  /** Chains that the graph now needs, once each; none: it is as it was. */
  chains: ChainShape[];
}

/** Operators that a graph has, by which its nodes are known. */
export interface ChainOperators {
  shapes: readonly MatMulShape[];
  attentions: readonly AttentionShape[];
  rows: readonly RowShape[];
}

export interface ChainThreads {
  threads: number;
  /** Times that a thread looks whether the others are done before it does what they have at hand. */
  looks?: number;
}

type Known =
  | { kind: 'product'; shape: MatMulShape }
  | { kind: 'attention'; shape: AttentionShape }
  | { kind: 'gated' | 'normed'; shape: RowShape };

interface Member {
  each: GraphNode;
  known: Known;
}

/** @throws RangeError when the file is cut off */
export function withChains(
  bytes: Uint8Array,
  operators: ChainOperators,
  { looks = usualLooks, threads }: ChainThreads,
): ChainGraph {
  const content = [...readFields(bytes)].find(({ number }) => number === model.graph)?.content;
  const nodes: GraphNode[] = [];
  const outside = new Set<string>();
  for (const { content: each, number } of readFields(content ?? new Uint8Array())) {
    if (number === graph.node) nodes.push(readNode(each));
    else if (number === graph.output) outside.add(textAt(each, value.name));
  }
  // Values that inner graphs read are not known here.
  if (nodes.some(holdsGraph)) return { model: bytes, chains: [] };
  const readers = new Map<string, GraphNode[]>();
  for (const each of nodes)
    for (const name of each.inputs) readers.set(name, [...(readers.get(name) ?? []), each]);
  /** By the first output of a node: null for those that go. */
  const changes = new Map<string, Uint8Array | null>();
  const chains = new Map<string, ChainShape>();
  for (const members of runsOf(nodes, operators)) {
    const own = new Set(members.map(({ each }) => each));
    const isSeen = (name: string) =>
      outside.has(name) || (readers.get(name) ?? []).some((reader) => !own.has(reader));
    const chain = new ChainBuilder(members, isSeen, { threads, looks }).build();
    if (!chain) continue;
    const name = chainName(chain.shape);
    chains.set(name, chain.shape);
    for (const { each } of members) changes.set(each.outputs[0]!, null);
    changes.set(members[0]!.each.outputs[0]!, nodeOf(name, chain));
  }
  if (chains.size === 0) return { model: bytes, chains: [] };
  const replaced = (inner: Uint8Array): Uint8Array => {
    const writer = new ProtobufWriter();
    for (const field of readFields(inner)) {
      const change =
        field.number === graph.node ? changes.get(textAt(field.content, node.output)) : undefined;
      if (change) writer.bytes(graph.node, change);
      else if (change === undefined) writer.raw(field.whole);
    }
    return writer.finish();
  };
  return { model: rewritten(bytes, { [model.graph]: replaced }), chains: [...chains.values()] };
}

const holdsGraph = ({ attributes }: GraphNode): boolean =>
  [...attributes.values()].some((each) =>
    [...readFields(each)].some(({ number }) => number === attribute.graph || number === attribute.graphs),
  );

function nodeOf(name: string, { inputs, outputs }: Chain): Uint8Array {
  const writer = new ProtobufWriter();
  for (const input of inputs) writer.text(node.input, input);
  for (const output of outputs) writer.text(node.output, output);
  return writer.text(node.operator, name).text(node.domain, operatorDomain).finish();
}

/** Runs of nodes that follow each other, each with an attention, whose inputs tell rows and tokens apart. */
function runsOf(nodes: readonly GraphNode[], { attentions, rows, shapes }: ChainOperators): Member[][] {
  const known = new Map<string, Known>([
    ...shapes.map((shape) => [operatorName(shape), { kind: 'product', shape }] as const),
    ...attentions.map((shape) => [attentionName(shape), { kind: 'attention', shape }] as const),
    ...rows.map((shape) => [rowName(shape), { kind: shape.kind, shape }] as const),
  ]);
  const runs: Member[][] = [[]];
  for (const each of nodes) {
    const named = known.get(each.operator);
    const found = named && isWhole(each, named) ? named : undefined;
    const last = runs.at(-1)!;
    if (!found) runs.push([]);
    else if (last.length < mostNodes && agrees(last, each, found)) last.push({ each, known: found });
    else runs.push([{ each, known: found }]);
  }
  return runs.filter(
    (run) => run.length >= leastNodes && run.some(({ known: { kind } }) => kind === 'attention'),
  );
}

/** A node of the operators' domain, of as many different inputs as they have: a file may hold others of their names. */
function isWhole({ inputs, message, outputs }: GraphNode, found: Known): boolean {
  const [read, written] = countsOf(found);
  return (
    textAt(message, node.domain) === operatorDomain &&
    !inputs.includes('') &&
    !outputs.includes('') &&
    new Set(inputs).size === inputs.length &&
    inputs.length === read &&
    outputs.length === written
  );
}

function countsOf({ kind, shape }: Known): [inputs: number, outputs: number] {
  if (kind === 'product') return [inputTypes(shape).length, 1];
  if (kind === 'attention') return [attentionInputs(shape).length, 3];
  const { inputs, outputs } = rowFields(shape);
  return [inputs.length, outputs.length];
}

/** Attention of a chain shares its memory, and the lengths of rows. */
function agrees(run: readonly Member[], each: GraphNode, found: Known): boolean {
  const first = run.find(({ known: { kind } }) => kind === 'attention');
  if (!first || found.kind !== 'attention' || first.known.kind !== 'attention') return true;
  const lengths = (node: GraphNode, { packed }: AttentionShape) =>
    node.inputs.slice(packed ? 3 : 5).slice(0, 2);
  const [a, b] = [first.known.shape, found.shape];
  return (
    a.heads === b.heads &&
    a.kvHeads === b.kvHeads &&
    a.headDim === b.headDim &&
    lengths(first.each, a).join() === lengths(each, b).join()
  );
}

interface Chain {
  shape: ChainShape;
  inputs: string[];
  outputs: string[];
}

/** Finds a place for each value of a chain. */
class ChainBuilder {
  readonly #members: readonly Member[];
  readonly #isSeen: (name: string) => boolean;
  readonly #threads: Required<ChainThreads>;
  readonly #inputs = new Map<string, ChainTensor>();
  readonly #outputs = new Map<string, ChainTensor>();
  readonly #places = new Map<string, ChainRows>();
  /** Members that read a value last. */
  readonly #lastReader = new Map<string, number>();
  /** Memory that is free again, by the width of its rows, and how much there is in all. */
  readonly #free = new Map<number, number[]>();
  #rowBytes = 0;
  #ownBytes = 0;
  readonly #widths = new Map<string, number>();
  /** A value is of one width for all members: code of a chain does not look again. */
  #agrees = true;

  constructor(
    members: readonly Member[],
    isSeen: (name: string) => boolean,
    threads: Required<ChainThreads>,
  ) {
    this.#members = members;
    this.#isSeen = isSeen;
    this.#threads = threads;
  }

  /** Null where members do not agree on a value, which the operators then refuse themselves, or where rows are too long. */
  build(): Chain | null {
    for (const [index, { each }] of this.#members.entries())
      for (const name of each.inputs) this.#lastReader.set(name, index);
    const nodes = this.#members.map((member, index) => {
      const found = this.#nodeOf(member);
      for (const name of new Set([...member.each.inputs, ...member.each.outputs]))
        if ((this.#lastReader.get(name) ?? -1) <= index) this.#release(name);
      return found;
    });
    if (!this.#agrees || this.#ownBytes + this.#quantizedBytes() > mostRowBytes) return null;
    const outputs = [...this.#outputs.keys()];
    return {
      shape: {
        ...this.#threads,
        nodes,
        inputs: [...this.#inputs.values()],
        outputs: [...this.#outputs.values()],
        rowBytes: this.#rowBytes,
        ownBytes: this.#ownBytes,
      },
      inputs: [...this.#inputs.keys()],
      outputs: [...outputs, `${this.#members[0]!.each.outputs[0]!}/memory`],
    };
  }

  /** Of a row, without scales. */
  #quantizedBytes(): number {
    return this.#members.reduce(
      (sum, { known }) => sum + (known.kind === 'product' ? known.shape.columns : 0),
      0,
    );
  }

  #release(name: string): void {
    const place = this.#places.get(name);
    if (!place || !('bytes' in place)) return;
    const width = this.#widths.get(name)!;
    this.#free.set(width, [...(this.#free.get(width) ?? []), place.bytes]);
    this.#places.delete(name);
  }

  #nodeOf({ each, known }: Member): ChainNode {
    const { inputs, outputs } = each;
    switch (known.kind) {
      case 'product': {
        const { shape } = known;
        const [, ...types] = inputTypes(shape);
        const counts = weightCounts(shape);
        const x = this.#read(inputs[0]!, shape.columns);
        const weights = types.map((type, index) =>
          this.#input(inputs[index + 1]!, { type, count: counts[index]! }),
        );
        return { kind: 'product', shape, x, weights, y: this.#write(outputs[0]!, shape.outputs) };
      }
      case 'gated': {
        const { shape } = known;
        const x = this.#read(inputs[0]!, 2 * shape.columns);
        return { kind: 'gated', shape, x, y: this.#write(outputs[0]!, shape.columns) };
      }
      case 'normed': {
        const { shape } = known;
        const { columns } = shape;
        return {
          kind: 'normed',
          shape,
          x: this.#read(inputs[0]!, columns),
          addend: this.#read(inputs[1]!, columns),
          weights: this.#input(inputs[2]!, { type: float32, count: columns }),
          sum: this.#write(outputs[0]!, columns),
          y: this.#write(outputs[1]!, columns),
        };
      }
      case 'attention':
        return this.#attention(each, known.shape);
    }
  }

  #attention({ inputs, outputs }: GraphNode, shape: AttentionShape): ChainNode {
    const { headDim, heads, kvHeads, packed, rotaryDims, rotaryRows } = shape;
    const widths = packed ? [heads + 2 * kvHeads] : [heads, kvHeads, kvHeads];
    const [keys, values, seqlens, total, ...tables] = inputs.slice(widths.length) as [
      string,
      string,
      string,
      string,
      ...string[],
    ];
    const count = (rotaryRows * rotaryDims) / 2;
    return {
      kind: 'attention',
      shape,
      rows: widths.map((width, index) => this.#read(inputs[index]!, width * headDim)),
      past: [this.#input(keys, { type: float16 }), this.#input(values, { type: float16 })],
      present: [this.#output(outputs[1]!, { type: float16 }), this.#output(outputs[2]!, { type: float16 })],
      seqlens: this.#input(seqlens, { type: int32 }),
      total: this.#input(total, { type: int32 }),
      tables: tables.map((name) => this.#input(name, { type: float32, count })),
      y: this.#write(outputs[0]!, heads * headDim),
    };
  }

  #input(name: string, tensor: ChainTensor): number {
    const known = this.#inputs.get(name);
    if (!known) this.#inputs.set(name, tensor);
    this.#agrees &&= !this.#widths.has(name) && (!known || isDeepStrictEqual(known, tensor));
    return [...this.#inputs.keys()].indexOf(name);
  }

  #output(name: string, tensor: ChainTensor): number {
    this.#outputs.set(name, tensor);
    return this.#outputs.size - 1;
  }

  #read(name: string, width: number): ChainRows {
    const place = this.#places.get(name);
    if (!place) return { input: this.#input(name, { type: float32, width }) };
    this.#agrees &&= this.#widths.get(name) === width;
    return place;
  }

  #write(name: string, width: number): ChainRows {
    const place: ChainRows = this.#isSeen(name)
      ? { output: this.#output(name, { type: float32, width }) }
      : { bytes: this.#memory(width), own: this.#ownMemory(width) };
    this.#places.set(name, place);
    this.#widths.set(name, width);
    return place;
  }

  #ownMemory(width: number): number {
    const at = this.#ownBytes;
    this.#ownBytes += rowBytesOf(width);
    return at;
  }

  #memory(width: number): number {
    const known = this.#free.get(width)?.pop();
    if (known !== undefined) return known;
    const size = rowBytesOf(width);
    this.#rowBytes += size;
    return this.#rowBytes - size;
  }
}
