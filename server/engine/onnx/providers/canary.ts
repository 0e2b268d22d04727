/**
 * A trial of execution providers: small models of the kinds we run, compared with the CPU's answers. A driver can load,
 * run and still be wrong (a software WebGPU adapter was right up to 32 positions and wrong beyond), so the inputs have
 * the shape of a prompt of more than that.
 */
import { OnnxError } from '../errors.ts';
import { createGraph, type Graph } from '../graph/graph.ts';
import { openSession } from '../open.ts';
import { Tensor } from '../tensor.ts';

const positions = 48;
const width = 64;
const vocabulary = 96;
/** Half precision and other summation orders stay well above; a wrong kernel falls far below. */
const bounds = { leastCosine: 0.999, largestDifference: 0.05 };

/** Weights that differ from element to element without a random source: a fixed sine sequence. */
function waves(count: number, scale: number): Float32Array {
  return Float32Array.from({ length: count }, (_, index) => scale * Math.sin(index * 1.7 + (index % 13)));
}

function embed(graph: Graph): string {
  graph.input('ids', 'int64', [1, 'positions']);
  graph.initializer('table', 'float32', [vocabulary, width], waves(vocabulary * width, 1));
  return graph.node('Gather', ['table', 'ids'], ['embedded']);
}

function finish(graph: Graph, states: string): Uint8Array {
  graph.initializer('head', 'float32', [width, vocabulary], waves(width * vocabulary, 0.3));
  graph.node('MatMul', [states, 'head'], ['logits']);
  graph.output('logits', 'float32', [1, 'positions', vocabulary]);
  return graph.toModel();
}

/** Attention, normalization and activation written out, as encoders are. */
function encoderModel(): Uint8Array {
  const graph = createGraph('canary-encoder');
  const input = embed(graph);
  graph.initializer('ones', 'float32', [width], new Float32Array(width).fill(1));
  graph.initializer('bias', 'float32', [width], waves(width, 0.1));
  graph.initializer('scale', 'float32', [], Float32Array.of(1 / Math.sqrt(width)));
  graph.node('LayerNormalization', [input, 'ones', 'bias'], ['normal'], { attributes: { axis: -1 } });
  graph.node('Transpose', ['normal'], ['turned'], { attributes: { perm: [0, 2, 1] } });
  graph.node('MatMul', ['normal', 'turned'], ['scores']);
  graph.node('Mul', ['scores', 'scale'], ['scaled']);
  graph.node('Softmax', ['scaled'], ['weights'], { attributes: { axis: -1 } });
  graph.node('MatMul', ['weights', 'normal'], ['mixed']);
  graph.node('Erf', ['mixed'], ['bent']);
  return finish(graph, graph.node('Add', ['bent', input], ['states']));
}

/** Quantized products and grouped attention with a rotary embedding, as chat graphs are. */
function chatModel(): Uint8Array {
  const graph = createGraph('canary-chat');
  const domain = 'com.microsoft';
  const heads = 2;
  const size = width / heads;
  const input = embed(graph);
  graph.input('seqlens', 'int32', [1]);
  graph.input('total', 'int32', []);
  for (const name of ['past_key', 'past_value']) graph.input(name, 'float32', [1, heads, 'slots', size]);
  graph.initializer('ones', 'float32', [width], new Float32Array(width).fill(1));
  graph.node('SimplifiedLayerNormalization', [input, 'ones'], ['normal'], {
    attributes: { axis: -1, epsilon: { float: 1e-5 } },
  });
  const packed = Uint8Array.from({ length: 3 * width * (width / 2) }, (_, index) => (index * 37 + 11) & 0xff);
  graph.initializer('qkv', 'uint8', [3 * width, width / 32, 16], packed);
  graph.initializer(
    'qkv_scales',
    'float32',
    [(3 * width * width) / 32],
    waves((3 * width * width) / 32, 0.03),
  );
  graph.node('MatMulNBits', ['normal', 'qkv', 'qkv_scales'], ['projected'], {
    domain,
    attributes: { K: width, N: 3 * width, bits: 4, block_size: 32 },
  });
  const angles = waves((2 * positions * size) / 2, 3);
  graph.initializer('cosines', 'float32', [2 * positions, size / 2], angles.map(Math.cos));
  graph.initializer('sines', 'float32', [2 * positions, size / 2], angles.map(Math.sin));
  graph.node(
    'GroupQueryAttention',
    ['projected', '', '', 'past_key', 'past_value', 'seqlens', 'total', 'cosines', 'sines'],
    ['mixed', 'present_key', 'present_value'],
    { domain, attributes: { num_heads: heads, kv_num_heads: heads, do_rotary: 1 } },
  );
  for (const name of ['present_key', 'present_value'])
    graph.output(name, 'float32', [1, heads, 'slots', size]);
  return finish(graph, graph.node('Add', ['mixed', input], ['states']));
}

const ids = () =>
  new Tensor(
    'int64',
    BigInt64Array.from({ length: positions }, (_, index) => BigInt((index * 29) % vocabulary)),
    [1, positions],
  );

interface Canary {
  model: () => Uint8Array;
  inputs: () => Record<string, Tensor>;
}

/** Tests of what a provider may be trusted with, by the kind of graph. */
export const canaries = {
  encoder: { model: encoderModel, inputs: () => ({ ids: ids() }) },
  chat: {
    model: chatModel,
    inputs: () => ({
      ids: ids(),
      seqlens: new Tensor('int32', Int32Array.of(positions - 1), [1]),
      total: new Tensor('int32', Int32Array.of(positions), []),
      past_key: Tensor.zeros('float32', [1, 2, positions, width / 2]),
      past_value: Tensor.zeros('float32', [1, 2, positions, width / 2]),
    }),
  },
} satisfies Record<string, Canary>;

export type CanaryName = keyof typeof canaries;

async function answer(name: CanaryName, provider: string): Promise<Float32Array> {
  const canary: Canary = canaries[name];
  await using session = await openSession(canary.model(), { providers: [provider] });
  const { logits } = await session.run(canary.inputs(), { outputs: ['logits'] });
  return logits!.data as Float32Array;
}

/**
 * Difference of two answers, in words; undefined when they agree.
 *
 * @param largestDifference of two numbers, as a share of the largest one expected
 */
export function disagreement(
  expected: Float32Array,
  actual: Float32Array,
  { largestDifference, leastCosine } = bounds,
): string | undefined {
  let [product, left, right, difference, largest] = [0, 0, 0, 0, 0];
  for (const [index, value] of expected.entries()) {
    const other = actual[index] ?? Number.NaN;
    product += value * other;
    left += value * value;
    right += other * other;
    largest = Math.max(largest, Math.abs(value));
    // Math.max keeps a NaN, which then agrees with nothing.
    difference = Math.max(difference, Math.abs(value - other));
  }
  const cosine = product / Math.sqrt(left * right);
  if (cosine >= leastCosine && difference <= largestDifference * largest) return undefined;
  return `its answer differs from the CPU's (cosine ${cosine.toFixed(5)}, difference ${difference.toPrecision(3)})`;
}

/** Reason why a provider may not run graphs of this kind; undefined when it may. */
export async function tryProvider(provider: string, name: CanaryName): Promise<string | undefined> {
  const expected = await answer(name, 'cpu');
  try {
    return disagreement(expected, await answer(name, provider));
  } catch (error) {
    return error instanceof OnnxError ? error.detail : String(error);
  }
}
