/** Chains serve where there is code for the family, and what they give is to the last bit what their operators give alone. */
import type { KernelFamily } from '../../engine.ts';
import { Graph } from '../graph/graph.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';
import { type AttentionShape, attentionName, keyBlock } from './attention-layout.ts';
import { encodeHalf } from './attention-plain.ts';
import { type ChainThreads, withChains } from './chain-rewrite.ts';
import { operatorDomain, operatorName, operatorVersion } from './custom-op.ts';
import { familyCode } from './families.ts';
import { layoutOf, type MatMulShape } from './matmul-layout.ts';
import { type RowShape, rowName } from './row-layout.ts';

const refusals = new Map<KernelFamily, Promise<string | null>>();

/** Reason against them beside a family that serves, or null. Found out once a process. */
export function chainRefusal(family: KernelFamily): Promise<string | null> {
  const refusal = refusals.get(family) ?? findRefusal(family);
  refusals.set(family, refusal);
  return refusal;
}

async function findRefusal(family: KernelFamily): Promise<string | null> {
  if (!familyCode[family].emitChain) return `there are none for ${family}`;
  try {
    for (const [sizes, run] of knownRuns) {
      const [alone, chained] = [
        await runLayers(sizes, run, { family, threads: 2, chained: false }),
        await runLayers(sizes, run, { family, threads: 2, chained: true }),
      ];
      if (Buffer.compare(alone, chained) !== 0)
        throw new Error(`${family}: a chain does not give what its operators give`);
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Sizes of decoder layers, as many times as they follow each other. */
export interface LayerSizes {
  hidden: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  ffn: number;
  layers: number;
  bits: 4 | 8;
  block: number;
  window: number;
  /** Queries, keys and values of one product, or of three. */
  packed: boolean;
}

export interface LayerRun {
  rows: number;
  /** New ones of each row, behind so many others. */
  tokens: number;
  past: number;
}

const known: LayerSizes = {
  ...{ hidden: 128, heads: 4, kvHeads: 2, headDim: 32, ffn: 96 },
  ...{ layers: 2, bits: 4, block: 128, window: 0, packed: true },
};
/** One token, some rows, and a prompt. */
const knownRuns: [LayerSizes, LayerRun][] = [
  [known, { rows: 1, tokens: 1, past: 5 }],
  [known, { rows: 3, tokens: 1, past: 9 }],
  [known, { rows: 1, tokens: 17, past: 0 }],
  [
    { ...known, bits: 8, packed: false },
    { rows: 2, tokens: 1, past: 7 },
  ],
];

/** Bytes of all outputs and caches of some layers, whose numbers are waves, by operators of their own or by chains of them. @throws Error where there is no chain */
export async function runLayers(
  sizes: LayerSizes,
  { past, rows, tokens }: LayerRun,
  { chained, family, ...on }: ChainThreads & { family: KernelFamily; chained: boolean },
): Promise<Buffer> {
  const { headDim, hidden, kvHeads, layers } = sizes;
  const positions = Math.ceil((past + tokens) / keyBlock) * keyBlock;
  const { model, operators } = layersOf(sizes, positions);
  const chains = chained ? withChains(model, operators, on) : { model, chains: [] };
  if (chained && chains.chains.length === 0) throw new Error('there is no chain in the graph');
  const kernels = { family, ...operators, chains: chains.chains };
  await using session = await openSession(chains.model, {
    threads: on.threads,
    memoryPattern: false,
    kernels,
  });
  const total = past + tokens;
  const row = [rows, tokens, hidden];
  const cache = [rows, kvHeads, positions, headDim];
  const count = (dims: number[]) => dims.reduce((product, dim) => product * dim, 1);
  const tensors: Record<string, Tensor> = {
    x: new Tensor('float32', waves(count(row), 0), row),
    stream: new Tensor('float32', waves(count(row), 1), row),
    seqlens: new Tensor('int32', new Int32Array(rows).fill(total - 1), [rows]),
    total: new Tensor('int32', Int32Array.of(total), []),
  };
  const outputs: Record<string, Tensor> = {};
  for (const name of ['sum', 'y']) outputs[`${name}.${layers - 1}`] = Tensor.zeros('float32', row);
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of ['keys', 'values']) {
      const halves = Uint16Array.from(waves(count(cache), 2 + layer), encodeHalf);
      const tensor = new Tensor('float16', halves, cache);
      tensors[`${part}.${layer}`] = tensor;
      outputs[`present.${part}.${layer}`] = tensor;
    }
  await session.bind(tensors, outputs).run();
  const found = Object.values(outputs).map(({ data }) =>
    Buffer.from(Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  );
  for (const tensor of new Set([...Object.values(tensors), ...Object.values(outputs)])) tensor.close();
  return Buffer.concat(found);
}

const waves = (length: number, phase: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(at * 1.7 + phase));

function layersOf(sizes: LayerSizes, positions: number) {
  const { bits, block, ffn, headDim, heads, hidden, kvHeads, layers, packed, window } = sizes;
  const half = headDim / 2;
  const product = (columns: number, outputs: number): MatMulShape => ({
    ...{ columns, outputs, bits, block },
    zeroPoints: true,
  });
  const attention: AttentionShape = {
    ...{ heads, kvHeads, headDim, packed, rotaryDims: headDim, rotaryRows: positions },
    ...{ scale: headDim ** -0.5, window },
  };
  const normed: RowShape = { kind: 'normed', columns: hidden, epsilon: 1e-5 };
  const gated: RowShape = { kind: 'gated', columns: ffn };
  const graph = new Graph('layers', { [operatorDomain]: operatorVersion });
  const shapes = new Map<string, MatMulShape>();
  const node = (name: string, inputs: string[], outputs: string[]) =>
    graph.node(name, inputs, outputs, { domain: operatorDomain });
  const addProduct = (shape: MatMulShape, x: string, y: string) => {
    const name = operatorName(shape);
    shapes.set(name, shape);
    const { blocks, codeRow, zeroRow } = layoutOf(shape);
    const bytes = (count: number, step: number) =>
      Uint8Array.from({ length: count }, (_, at) => (at * step + y.length) & 255);
    const scales = Float32Array.from(
      { length: shape.outputs * blocks },
      (_, at) => 0.002 + 0.0001 * (at % 7),
    );
    graph.initializer(`${y}/codes`, 'uint8', [shape.outputs, codeRow], bytes(shape.outputs * codeRow, 37));
    graph.initializer(`${y}/scales`, 'float32', [shape.outputs, blocks], scales);
    graph.initializer(`${y}/zeros`, 'uint8', [shape.outputs, zeroRow], bytes(shape.outputs * zeroRow, 29));
    node(name, [x, `${y}/codes`, `${y}/scales`, `${y}/zeros`], [y]);
  };
  const cacheDims = ['B', kvHeads, positions, headDim];
  for (const name of ['x', 'stream']) graph.input(name, 'float32', ['B', 'S', hidden]);
  graph.input('seqlens', 'int32', ['B']);
  graph.input('total', 'int32', []);
  for (const [index, name] of ['cosines', 'sines'].entries())
    graph.initializer(name, 'float32', [positions, half], waves(positions * half, index));
  graph.initializer('norm', 'float32', [hidden], waves(hidden, 4));
  let [x, stream] = ['x', 'stream'];
  const addNormed = (part: string, layer: number, names: [sum: string, y: string]) => {
    node(rowName(normed), [stream, `${part}.${layer}`, 'norm'], names);
    [stream, x] = names;
  };
  for (let layer = 0; layer < layers; layer += 1) {
    const caches = ['keys', 'values'].map((part) => `${part}.${layer}`);
    for (const name of caches) {
      graph.input(name, 'float16', cacheDims);
      graph.output(`present.${name}`, 'float16', cacheDims);
    }
    const widths = packed ? { qkv: heads + 2 * kvHeads } : { q: heads, k: kvHeads, v: kvHeads };
    for (const [part, width] of Object.entries(widths))
      addProduct(product(hidden, width * headDim), x, `${part}.${layer}`);
    node(
      attentionName(attention),
      [
        ...Object.keys(widths).map((part) => `${part}.${layer}`),
        ...caches,
        'seqlens',
        'total',
        'cosines',
        'sines',
      ],
      [`attended.${layer}`, ...caches.map((name) => `present.${name}`)],
    );
    addProduct(product(heads * headDim, hidden), `attended.${layer}`, `o.${layer}`);
    addNormed('o', layer, [`middle.${layer}`, `normed.${layer}`]);
    addProduct(product(hidden, 2 * ffn), x, `both.${layer}`);
    node(rowName(gated), [`both.${layer}`], [`gated.${layer}`]);
    addProduct(product(ffn, hidden), `gated.${layer}`, `down.${layer}`);
    addNormed('down', layer, [`sum.${layer}`, `y.${layer}`]);
  }
  for (const name of ['sum', 'y']) graph.output(`${name}.${layers - 1}`, 'float32', ['B', 'S', hidden]);
  const operators = { shapes: [...shapes.values()], attentions: [attention], rows: [normed, gated] };
  return { model: graph.toModel(), operators };
}
