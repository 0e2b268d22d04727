import { describe, expect, it } from 'vitest';
import { quantizeRows } from '../../../../server/engine/model-import/weights/quantize.ts';
import type { AttributeValue } from '../../../../server/engine/onnx/graph/attribute.ts';
import { createGraph, Graph } from '../../../../server/engine/onnx/graph/graph.ts';
import { readFields, textOf } from '../../../../server/engine/onnx/graph/protobuf-reader.ts';
import { operatorDomain, operatorName } from '../../../../server/engine/onnx/kernels/custom-op.ts';
import { withCustomKernels } from '../../../../server/engine/onnx/kernels/graph-rewrite.ts';
import type { MatMulShape } from '../../../../server/engine/onnx/kernels/matmul-layout.ts';
import { openSession } from '../../../../server/engine/onnx/open.ts';
import type { SessionOptions } from '../../../../server/engine/onnx/session-options.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';
import { servingFamilies } from '../../../support/chat/serving-families.ts';
import { residentMb } from '../../../support/resident-mb.ts';

const serving = await servingFamilies();

/** Numbers that differ from one to the next without a random source. */
const waves = (count: number, phase: number) =>
  Float32Array.from({ length: count }, (_, at) => Math.sin(at * 1.3 + phase) + 0.2 * Math.sin(at * 0.071));

const largest = (numbers: Float32Array) => numbers.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
const largestDifference = (a: Float32Array, b: Float32Array) => largest(a.map((each, at) => each - b[at]!));

interface Setting {
  /** Of MatMulNBits; null leaves one out. */
  attributes?: Record<string, AttributeValue | null>;
  /** Sizes that are not those the product needs. */
  codes?: number;
  /** Scales that a run may set anew. */
  openScales?: boolean;
  scaleType?: 'float32' | 'float16';
}

/** y = x · Wᵀ by MatMulNBits. */
function matMulModel(
  shape: MatMulShape,
  { attributes = {}, codes, openScales = false, scaleType = 'float32' }: Setting = {},
) {
  const { bits, block, columns, outputs, zeroPoints } = shape;
  const weights = quantizeRows(waves(columns * outputs, 1), columns, { bits, block });
  const blocks = Math.ceil(columns / block);
  const graph = createGraph('product');
  graph.input('x', 'float32', ['batch', 'rows', columns]);
  const bytes = codes === undefined ? weights.codes : new Uint8Array(codes);
  const dims = codes === undefined ? [outputs, blocks, (block * bits) / 8] : [codes];
  graph.initializer('codes', 'uint8', dims, bytes);
  graph.initializer(
    'scales',
    scaleType,
    [outputs * blocks],
    scaleType === 'float32' ? weights.scales : new Uint16Array(outputs * blocks),
  );
  if (openScales) graph.input('scales', scaleType, [outputs * blocks]);
  const inputs = ['x', 'codes', 'scales'];
  if (zeroPoints) {
    graph.initializer('zeros', 'uint8', [weights.zeroPoints.length], weights.zeroPoints);
    inputs.push('zeros');
  }
  const all = { K: columns, N: outputs, bits, block_size: block, accuracy_level: 4, ...attributes };
  const given = Object.entries<AttributeValue | null>(all).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  graph.node('MatMulNBits', inputs, ['y'], {
    domain: 'com.microsoft',
    attributes: Object.fromEntries(given),
  });
  graph.output('y', 'float32', ['batch', 'rows', outputs]);
  return graph.toModel();
}

async function multiply(
  model: Uint8Array,
  { columns, rows, kernels }: { columns: number; rows: number; kernels?: SessionOptions['kernels'] },
): Promise<Float32Array> {
  await using session = await openSession(model, { threads: 2, ...(kernels && { kernels }) });
  using x = new Tensor('float32', waves(rows * columns, 2), [1, rows, columns]);
  const { y } = await session.run({ x });
  return y!.data as Float32Array;
}

const shapes: MatMulShape[] = [
  { columns: 256, outputs: 64, bits: 4, block: 256, zeroPoints: true },
  { columns: 576, outputs: 50, bits: 4, block: 64, zeroPoints: true },
  { columns: 250, outputs: 37, bits: 4, block: 256, zeroPoints: true },
  { columns: 100, outputs: 4, bits: 4, block: 32, zeroPoints: true },
  { columns: 1000, outputs: 21, bits: 4, block: 32, zeroPoints: false },
  // More than 16 blocks; more columns than the first cache takes at once; several pieces.
  { columns: 4352, outputs: 131, bits: 4, block: 256, zeroPoints: true },
  { columns: 8192, outputs: 35, bits: 4, block: 32, zeroPoints: true },
  { columns: 1536, outputs: 7, bits: 8, block: 256, zeroPoints: true },
  { columns: 5000, outputs: 66, bits: 8, block: 64, zeroPoints: true },
  { columns: 96, outputs: 33, bits: 8, block: 32, zeroPoints: false },
  { columns: 1408, outputs: 50, bits: 4, block: 128, zeroPoints: false },
  { columns: 900, outputs: 16, bits: 4, block: 128, zeroPoints: true },
];

describe.each(serving)('kernels for %s', (family) => {
  const of = (...shapes: MatMulShape[]) => ({ family, shapes });

  it.each(shapes)(
    'are those of the runtime: $columns × $outputs, $bits bits, blocks of $block',
    async (shape) => {
      const plain = matMulModel(shape);
      const { model, kernels: shapes } = withCustomKernels(plain);
      expect(shapes).toEqual([shape]);
      const kernels = of(shape);
      const { columns, outputs } = shape;
      const alone = await multiply(model, { columns, rows: 1, kernels });
      for (const rows of [1, 2, 3, 4, 7, 8, 16, 21, 40, 133]) {
        const found = await multiply(model, { columns, rows, kernels });
        const expected = await multiply(plain, { columns, rows });
        expect(found.length).toBe(rows * outputs);
        expect(largestDifference(found, expected)).toBeLessThan(largest(expected) * 5e-6);
        // What else runs beside a row changes nothing of its numbers.
        expect(found.subarray(0, outputs)).toEqual(alone);
      }
    },
  );

  /** A graph that names the operator itself, as no pack does. */
  function ownModel(shape: MatMulShape, { codes, constant = true }: { codes?: number; constant?: boolean }) {
    const { columns, outputs } = shape;
    const blocks = columns / shape.block;
    const count = codes ?? (outputs * columns) / 2;
    const graph = new Graph('own', { [operatorDomain]: 1 });
    graph.input('x', 'float32', ['batch', 'rows', 'columns']);
    if (constant) graph.initializer('codes', 'uint8', [count], new Uint8Array(count));
    else graph.input('codes', 'uint8', [count]);
    graph.initializer('scales', 'float32', [outputs * blocks], new Float32Array(outputs * blocks));
    graph.initializer('zeros', 'uint8', [outputs], new Uint8Array(outputs));
    graph.node(operatorName(shape), ['x', 'codes', 'scales', 'zeros'], ['y'], { domain: operatorDomain });
    graph.output('y', 'float32', ['batch', 'rows', outputs]);
    return graph.toModel();
  }

  it('take no rows, and refuse rows of another length', async () => {
    const shape = shapes[0]!;
    const { columns } = shape;
    const model = ownModel(shape, {});
    expect(await multiply(model, { columns, rows: 0, kernels: of(shape) })).toHaveLength(0);
    expect(await multiply(model, { columns, rows: 3, kernels: of(shape) })).toHaveLength(3 * shape.outputs);
    await expect(multiply(model, { columns: columns / 2, rows: 3, kernels: of(shape) })).rejects.toThrow();
  });

  it('are not made over weights of another size, or such as change', async () => {
    const shape = shapes[0]!;
    for (const setting of [{ codes: 100 }, { codes: 100_000 }, { constant: false }])
      await expect(openSession(ownModel(shape, setting), { kernels: of(shape) })).rejects.toMatchObject({
        detail: expect.stringContaining('not of the shape'),
      });
  });

  it('leave nothing of their runs behind', async () => {
    const shape = shapes[0]!;
    const { model } = withCustomKernels(matMulModel(shape));
    await using session = await openSession(model, { threads: 2, kernels: of(shape), memoryPattern: false });
    const run = async (index: number) => {
      using x = Tensor.zeros('float32', [1, 1 + (index % 90), shape.columns]);
      await session.run({ x });
    };
    for (let index = 0; index < 500; index += 1) await run(index);
    const before = await residentMb();
    for (let index = 0; index < 3000; index += 1) await run(index);
    // What one run takes for x as bytes, kept 3,000 times, would be 50 MB.
    expect((await residentMb()) - before).toBeLessThan(25);
  });

  it('stand beside each other in one graph, each made once', async () => {
    const [first, second] = [shapes[0]!, shapes[2]!];
    await using one = await openSession(withCustomKernels(matMulModel(first)).model, {
      kernels: of(first, second, first),
    });
    expect(one.outputs[0]!.name).toBe('y');
  });
});

describe('a graph for custom kernels', () => {
  const shape = shapes[1]!;
  const operators = (model: Uint8Array): string[] =>
    [...readFields(model)]
      .filter(({ number }) => number === 7)
      .flatMap(({ content }) => [...readFields(content)])
      .filter(({ number }) => number === 1)
      .flatMap(({ content }) => [...readFields(content)])
      .filter(({ number }) => number === 4)
      .map(textOf);

  it('is as it was but for its kernels', () => {
    const { model, kernels } = withCustomKernels(matMulModel(shape));
    expect(kernels).toEqual([shape]);
    expect(operators(model)).toEqual([operatorName(shape)]);
    expect(
      withCustomKernels(matMulModel(shape, { attributes: { accuracy_level: null } })).kernels,
    ).toHaveLength(1);
  });

  it.each<[string, Setting]>([
    ['asks for more exact kernels', { attributes: { accuracy_level: 1 } }],
    ['has blocks of another length', { attributes: { block_size: 16 } }],
    ['has 2 bits', { attributes: { bits: 2 } }],
    ['has more outputs than weights', { attributes: { N: 5000 } }],
    ['has more columns than weights', { attributes: { K: 100_000 } }],
    ['has fewer codes than it says', { codes: 100 }],
    ['has scales of another kind', { scaleType: 'float16' }],
    ['may be run with other scales', { openScales: true }],
    ['names no columns', { attributes: { K: null } }],
    ['has columns beyond all measure', { attributes: { K: 2 ** 40 } }],
    ['has fewer outputs than none', { attributes: { N: -8 } }],
  ])('is left alone where it %s', (_why, setting) => {
    const model = matMulModel(shape, setting);
    expect(withCustomKernels(model)).toEqual({ model, kernels: [] });
  });

  it('is refused when cut off', () => {
    const model = matMulModel(shape);
    expect(() => withCustomKernels(model.subarray(0, model.length - 9))).toThrow(RangeError);
  });
});
