/** Custom kernels for attention serve where there is code for the family and it gives a known answer. */
import type { KernelFamily } from '../../engine.ts';
import { Graph } from '../graph/graph.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';
import { type AttentionShape, attentionName, keyBlock, pieceKeys } from './attention-layout.ts';
import { encodeHalf, plainAttention } from './attention-plain.ts';
import { operatorDomain, operatorVersion } from './custom-op.ts';
import { familyCode } from './families.ts';

const refusals = new Map<KernelFamily, Promise<string | null>>();

/** Reason against them beside a family that serves, or null. Found out once a process. */
export function attentionRefusal(family: KernelFamily): Promise<string | null> {
  const refusal = refusals.get(family) ?? findRefusal(family);
  refusals.set(family, refusal);
  return refusal;
}

async function findRefusal(family: KernelFamily): Promise<string | null> {
  if (!familyCode[family].emitAttention) return `there is none for ${family}`;
  try {
    await checkAttention(family);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Takes several pieces, several tokens, a tile of several queries and a window. */
const known: AttentionShape = {
  ...{ heads: 4, kvHeads: 2, headDim: 32, packed: true },
  ...{ rotaryDims: 24, rotaryRows: pieceKeys + keyBlock, scale: 0.2, window: pieceKeys },
};
const knownTokens = 3;
const tolerance = 1e-4;

/** @throws Error when attention is not what it must be */
async function checkAttention(family: KernelFamily): Promise<void> {
  const { headDim, heads, kvHeads, rotaryDims, rotaryRows } = known;
  const positions = rotaryRows;
  const width = (heads + 2 * kvHeads) * headDim;
  const half = rotaryDims / 2;
  const waves = (length: number, phase: number) =>
    Float32Array.from({ length }, (_, at) => Math.sin(at * 1.7 + phase));
  const halves = (phase: number) => Uint16Array.from(waves(kvHeads * positions * headDim, phase), encodeHalf);
  const inputs = {
    query: waves(knownTokens * width, 0),
    keys: halves(1),
    values: halves(2),
    seqlens: Int32Array.of(pieceKeys + 9),
    cosines: waves(rotaryRows * half, 3),
    sines: waves(rotaryRows * half, 4),
  };
  const graph = new Graph('attention', { [operatorDomain]: operatorVersion });
  const cacheDims = [1, kvHeads, positions, headDim];
  graph.input('query', 'float32', [1, knownTokens, width]);
  for (const name of ['keys', 'values']) graph.input(name, 'float16', cacheDims);
  graph.input('seqlens', 'int32', [1]);
  graph.input('total', 'int32', []);
  for (const name of ['cosines', 'sines'] as const)
    graph.initializer(name, 'float32', [rotaryRows, half], inputs[name]);
  const names = ['query', 'keys', 'values', 'seqlens', 'total', 'cosines', 'sines'];
  graph.node(attentionName(known), names, ['y', 'present.keys', 'present.values'], {
    domain: operatorDomain,
  });
  graph.output('y', 'float32', [1, knownTokens, heads * headDim]);
  for (const name of ['keys', 'values']) graph.output(`present.${name}`, 'float16', cacheDims);
  await using session = await openSession(graph.toModel(), {
    threads: 2,
    kernels: { family, shapes: [], attentions: [known] },
  });
  using query = new Tensor('float32', inputs.query, [1, knownTokens, width]);
  using keys = new Tensor('float16', inputs.keys.slice(), cacheDims);
  using values = new Tensor('float16', inputs.values.slice(), cacheDims);
  using seqlens = new Tensor('int32', inputs.seqlens, [1]);
  using total = new Tensor('int32', Int32Array.of(inputs.seqlens[0]! + 1), []);
  using y = Tensor.zeros('float32', [1, knownTokens, heads * headDim]);
  const outputs = { y, 'present.keys': keys, 'present.values': values };
  await session.bind({ query, keys, values, seqlens, total }, outputs).run();
  const expected = plainAttention(known, { ...inputs, positions, tokens: knownTokens });
  const right = expected.every((number, at) => Math.abs((y.data[at] as number) - number) < tolerance);
  if (!right) throw new Error(`${family}: attention does not give the known answer`);
}
