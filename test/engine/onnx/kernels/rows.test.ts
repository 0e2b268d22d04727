import { describe, expect, it } from 'vitest';
import { createGraph } from '../../../../server/engine/onnx/graph/graph.ts';
import { withCustomKernels } from '../../../../server/engine/onnx/kernels/graph-rewrite.ts';
import type { RowShape } from '../../../../server/engine/onnx/kernels/row-layout.ts';
import { plainRows } from '../../../../server/engine/onnx/kernels/row-plain.ts';
import { withRowOperators } from '../../../../server/engine/onnx/kernels/row-rewrite.ts';
import { type RowInputs, rowRefusal, runRows } from '../../../../server/engine/onnx/kernels/row-support.ts';
import { openSession } from '../../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { random } from '../../../support/chat/tiny-decoder.ts';

const serving = await servingFamilies();
/** Of families that share their code, one. */
const families = (['avx512_vnni', 'avx2'] as const).filter((family) => serving.includes(family));

const widthOf = ({ columns, kind }: RowShape) => (kind === 'gated' ? 2 * columns : columns);

function numbersOf(next: () => number, shape: RowShape, rows: number, spread: number): RowInputs {
  const some = (length: number, most: number) => Float32Array.from({ length }, () => (next() - 0.5) * most);
  const count = rows * widthOf(shape);
  return { x: some(count, spread), addend: some(count, spread / 8), weights: some(shape.columns, 3) };
}

const farthest = (found: Float32Array, expected: Float32Array): number =>
  found.reduce(
    (most, number, at) =>
      Math.max(most, Math.abs(number - expected[at]!) / Math.max(1e-3, Math.abs(expected[at]!))),
    0,
  );

describe.each(families)('row operators: %s', (family) => {
  const randomShape = (next: () => number): RowShape => {
    const columns = 16 * (1 + Math.floor(next() * 300));
    return next() < 0.5
      ? { kind: 'gated', columns }
      : { kind: 'normed', columns, epsilon: next() < 0.5 ? 1e-5 : 1e-6 };
  };

  it('serve', async () => {
    expect(await rowRefusal(family)).toBeNull();
  });

  it('are what plain numbers say, whatever the shape, and the same for a row alone', async () => {
    const next = random(5);
    for (let each = 0; each < 120; each += 1) {
      const shape = randomShape(next);
      const rows = 1 + Math.floor(next() * (next() < 0.2 ? 60 : 5));
      const inputs = numbersOf(next, shape, rows, 2 ** Math.floor(next() * 9));
      const found = await runRows(shape, inputs, { family, threads: 2 });
      const expected = plainRows(shape, inputs);
      expect(farthest(found.y, expected.y), JSON.stringify(shape)).toBeLessThan(3e-6);
      expect(found.sum).toEqual(expected.sum);
      const [chosen, width] = [Math.floor(next() * rows), widthOf(shape)];
      const part = (all: Float32Array) => all.slice(chosen * width, (chosen + 1) * width);
      const alone = { x: part(inputs.x), addend: part(inputs.addend), weights: inputs.weights };
      const { columns } = shape;
      expect((await runRows(shape, alone, { family })).y).toEqual(
        found.y.slice(chosen * columns, (chosen + 1) * columns),
      );
    }
  }, 120_000);

  it('bear gates of any size', async () => {
    const shape: RowShape = { kind: 'gated', columns: 16 };
    const gates = [0, -0, 1e-30, -1e-30, 80, -80, 90, -90, 200, -200, 1e30, -1e30, 88, -88, 0.5, -0.5];
    const x = Float32Array.from([...gates, ...gates.map(() => 2)]);
    const inputs = { x, addend: x, weights: x };
    const { y } = await runRows(shape, inputs, { family });
    const expected = plainRows(shape, inputs).y;
    for (const [at, number] of y.entries())
      expect(Math.abs(number - expected[at]!)).toBeLessThanOrEqual(3e-6 * Math.abs(expected[at]!) + 1e-30);
  });

  it('give what a graph gave', async () => {
    const plain = layer({});
    const { model: multiplied, kernels: shapes } = withCustomKernels(plain);
    const { model, rows } = withRowOperators(multiplied);
    expect(rows).toEqual([
      { kind: 'gated', columns: 32 },
      { kind: 'normed', columns: 32, epsilon: Math.fround(1e-5) },
    ]);
    const run = async (bytes: Uint8Array, kernels?: Parameters<typeof openSession>[1]) => {
      await using session = await openSession(bytes, kernels);
      using x = new Tensor(
        'float32',
        Float32Array.from({ length: 3 * 64 }, (_, at) => Math.sin(at)),
        [1, 3, 64],
      );
      using stream = new Tensor(
        'float32',
        Float32Array.from({ length: 3 * 32 }, (_, at) => Math.cos(at)),
        [1, 3, 32],
      );
      const found = await session.run({ x, stream });
      return ['sum', 'normed'].map((name) => (found[name]!.data as Float32Array).slice());
    };
    const expected = await run(multiplied, { kernels: { family, shapes } });
    const found = await run(model, { kernels: { family, shapes, rows } });
    for (const [index, numbers] of found.entries())
      expect(farthest(numbers, expected[index]!)).toBeLessThan(2e-3);
  });
});

interface Setting {
  sizes?: [number, number];
  alpha?: number;
  /** A second reader of what the nodes hand on among themselves. */
  shared?: 'gate' | 'activated' | 'up';
  norms?: number;
  axis?: number;
}

/** Gate and up, brought down again and added to the stream, as in a decoder's layer. */
function layer({ alpha = 1, axis = -1, norms = 1, shared, sizes = [32, 32] }: Setting): Uint8Array {
  const graph = createGraph('layer');
  const [gate, up] = sizes;
  graph.input('x', 'float32', [1, 'tokens', gate + up]);
  graph.input('stream', 'float32', [1, 'tokens', 32]);
  graph.initializer('sizes', 'int64', [2], BigInt64Array.from(sizes, BigInt));
  graph.initializer('codes', 'uint8', [32, 1, 16], new Uint8Array(32 * 16).fill(0x79));
  graph.initializer('scales', 'float32', [32], new Float32Array(32).fill(0.1));
  graph.node('Split', ['x', 'sizes'], ['gate', 'up'], { attributes: { axis: -1 } });
  const fused = { domain: 'com.microsoft' };
  graph.node('QuickGelu', ['gate'], ['activated'], { ...fused, attributes: { alpha: { float: alpha } } });
  graph.node('Mul', ['activated', gate === up ? 'up' : 'activated'], ['product']);
  graph.node('MatMulNBits', ['product', 'codes', 'scales'], ['down'], {
    ...fused,
    attributes: { K: 32, N: 32, bits: 4, block_size: 32, accuracy_level: 4 },
  });
  graph.node('Add', ['stream', 'down'], ['sum']);
  graph.output('sum', 'float32', [1, 'tokens', 32]);
  for (let norm = 0; norm < norms; norm += 1) {
    const name = norm === 0 ? 'normed' : `normed${norm}`;
    graph.initializer(`${name}_weights`, 'float32', [32], new Float32Array(32).fill(1.5));
    graph.node('SimplifiedLayerNormalization', ['sum', `${name}_weights`], [name], {
      attributes: { axis, epsilon: { float: 1e-5 }, stash_type: 1 },
    });
    graph.output(name, 'float32', [1, 'tokens', 32]);
  }
  if (shared) {
    graph.node('Neg', [shared], ['negative']);
    graph.output('negative', 'float32', [1, 'tokens', 32]);
  }
  return graph.toModel();
}

describe('what stands between products', () => {
  const kindsOf = (setting: Setting) => withRowOperators(layer(setting)).rows.map(({ kind }) => kind);

  it('stays as it was where it is something else', () => {
    expect(kindsOf({})).toEqual(['gated', 'normed']);
    expect(kindsOf({ alpha: 1.702 })).toEqual(['normed']);
    expect(kindsOf({ sizes: [32, 64] })).toEqual(['normed']);
    for (const shared of ['gate', 'activated', 'up'] as const)
      expect(kindsOf({ shared })).toEqual(['normed']);
    expect(kindsOf({ norms: 2 })).toEqual(['gated']);
    expect(kindsOf({ norms: 0 })).toEqual(['gated']);
    for (const axis of [1, -2]) expect(kindsOf({ axis })).toEqual(['gated']);
    const plain = layer({ alpha: 1.702, norms: 0 });
    expect(withRowOperators(plain).model).toBe(plain);
  });

  it('refuses a file that is cut off', () => {
    expect(() => withRowOperators(layer({}).subarray(0, 900))).toThrow(RangeError);
  });
});
