/** Graphs of one attention, by the custom operator or by the runtime's, with random inputs. */
import type { KernelFamily } from '../../../server/engine/engine.ts';
import { createGraph, Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { type AttentionShape, attentionName } from '../../../server/engine/onnx/kernels/attention-layout.ts';
import type { AttentionInputs } from '../../../server/engine/onnx/kernels/attention-plain.ts';
import { operatorDomain } from '../../../server/engine/onnx/kernels/custom-op.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';

export interface AttentionCase {
  shape: AttentionShape;
  tokens: number;
  positions: number;
  /** Of each row, with its new tokens. */
  lengths: number[];
}

export type AttentionNumbers = Omit<AttentionInputs, 'positions' | 'tokens'>;

export const queryWidth = ({ headDim, heads, kvHeads, packed }: AttentionShape): number =>
  (packed ? heads + 2 * kvHeads : heads) * headDim;

export function randomNumbers(next: () => number, { lengths, positions, shape, tokens }: AttentionCase) {
  const { headDim, kvHeads, packed, rotaryDims, rotaryRows } = shape;
  const rows = lengths.length;
  const floats = (length: number) => Float32Array.from({ length }, () => 4 * next() - 2);
  // Of either sign, all of them smaller than two.
  const half = () => Math.floor(next() * 0x4000) + (next() < 0.5 ? 0x8000 : 0);
  const halves = () => Uint16Array.from({ length: rows * kvHeads * positions * headDim }, half);
  const parts = packed ? [] : ['key', 'value'];
  const tables = rotaryDims > 0 ? ['cosines', 'sines'] : [];
  return {
    query: floats(rows * tokens * queryWidth(shape)),
    ...Object.fromEntries(parts.map((name) => [name, floats(rows * tokens * kvHeads * headDim)])),
    keys: halves(),
    values: halves(),
    seqlens: Int32Array.from(lengths, (length) => length - 1),
    ...Object.fromEntries(
      tables.map((name) => [name, floats((rotaryRows * rotaryDims) / 2).map((each) => each / 2)]),
    ),
  } as AttentionNumbers;
}

/** The custom operator alone. */
export function attentionModel(shape: AttentionShape, { cosines, sines }: Partial<AttentionNumbers>) {
  const { headDim, heads, kvHeads, packed, rotaryDims, rotaryRows } = shape;
  const graph = new Graph('attention', { [operatorDomain]: 1 });
  const cache = ['B', kvHeads, 'M', headDim];
  const names = ['query', ...(packed ? [] : ['key', 'value']), 'keys', 'values', 'seqlens', 'total'];
  for (const name of names)
    if (name === 'seqlens' || name === 'total') graph.input(name, 'int32', name === 'total' ? [] : ['B']);
    else if (name === 'keys' || name === 'values') graph.input(name, 'float16', cache);
    else graph.input(name, 'float32', ['B', 'S', name === 'query' ? 'W' : kvHeads * headDim]);
  const tables = rotaryDims > 0 ? { cosines: cosines!, sines: sines! } : {};
  for (const [name, table] of Object.entries(tables))
    graph.initializer(name, 'float32', [rotaryRows, rotaryDims / 2], table);
  const outputs = ['y', 'present.keys', 'present.values'];
  graph.node(attentionName(shape), [...names, ...Object.keys(tables)], outputs, { domain: operatorDomain });
  graph.output('y', 'float32', ['B', 'S', heads * headDim]);
  for (const name of outputs.slice(1)) graph.output(name, 'float16', cache);
  return graph.toModel();
}

/** y, and the cache as it is afterwards. */
export async function attend(
  { family, lengths, positions, shape, tokens }: AttentionCase & { family: KernelFamily },
  numbers: AttentionNumbers,
  threads = 2,
) {
  const { headDim, heads, kvHeads } = shape;
  const rows = lengths.length;
  await using session = await openSession(attentionModel(shape, numbers), {
    threads,
    kernels: { family, shapes: [], attentions: [shape] },
  });
  const cache = [rows, kvHeads, positions, headDim];
  const [keys, values] = [numbers.keys, numbers.values].map(
    (each) => new Tensor('float16', each.slice(), cache),
  );
  const part = (numbersOf: Float32Array) =>
    new Tensor('float32', numbersOf, [rows, tokens, numbersOf.length / rows / tokens]);
  const y = Tensor.zeros('float32', [rows, tokens, heads * headDim]);
  const inputs = {
    query: part(numbers.query),
    ...(shape.packed ? {} : { key: part(numbers.key!), value: part(numbers.value!) }),
    keys: keys!,
    values: values!,
    seqlens: new Tensor('int32', numbers.seqlens, [rows]),
    total: new Tensor('int32', Int32Array.of(Math.max(...lengths)), []),
  };
  await session.bind(inputs, { y, 'present.keys': keys!, 'present.values': values! }).run();
  const found = {
    y: y.data as Float32Array,
    keys: keys!.data as Uint16Array,
    values: values!.data as Uint16Array,
  };
  for (const tensor of [y, ...Object.values(inputs)]) tensor.close();
  return found;
}

/** GroupQueryAttention over a cache of float32, as a decoder has it. */
export function groupQueryModel(
  shape: AttentionShape,
  {
    attributes = {},
    cosines,
    sines,
    constantTables = true,
    twice = false,
  }: Partial<AttentionNumbers> & {
    attributes?: Record<string, number | { float: number }>;
    constantTables?: boolean;
    twice?: boolean;
  },
): Uint8Array {
  const { headDim, heads, kvHeads, packed, rotaryDims, rotaryRows, scale, window } = shape;
  const graph = createGraph('decoder');
  graph.input('query', 'float32', ['B', 'S', queryWidth(shape)]);
  const parts = packed ? ['', ''] : ['key', 'value'];
  for (const name of parts) if (name) graph.input(name, 'float32', ['B', 'S', kvHeads * headDim]);
  const pasts = ['past_key_values.0.key', 'past_key_values.0.value'];
  const presents = ['present.0.key', 'present.0.value'];
  const cache = ['B', kvHeads, 'M', headDim];
  for (const name of pasts) graph.input(name, 'float32', cache);
  graph.input('seqlens', 'int32', ['B']);
  graph.input('total', 'int32', []);
  const tables = rotaryDims > 0 ? { cosines: cosines!, sines: sines! } : {};
  for (const [name, table] of Object.entries(tables))
    if (constantTables) graph.initializer(name, 'float32', [rotaryRows, rotaryDims / 2], table);
    else graph.input(name, 'float32', [rotaryRows, rotaryDims / 2]);
  const inputs = ['query', ...parts, ...pasts, 'seqlens', 'total', ...Object.keys(tables)];
  const sizes = { num_heads: heads, kv_num_heads: kvHeads, do_rotary: rotaryDims > 0 ? 1 : 0 };
  graph.node('GroupQueryAttention', inputs, ['y', ...presents], {
    domain: 'com.microsoft',
    attributes: {
      ...sizes,
      scale: { float: scale },
      ...(window > 0 ? { local_window_size: window } : {}),
      ...attributes,
    },
  });
  graph.output('y', 'float32', ['B', 'S', heads * headDim]);
  for (const name of presents) graph.output(name, 'float32', cache);
  if (twice) graph.output(graph.node('Identity', [pasts[0]!], ['again']), 'float32', cache);
  return graph.toModel();
}
