import { expect, test } from 'vitest';
import { foldAffine } from '../../../../server/engine/onnx/graph/fold-affine.ts';
import { Graph } from '../../../../server/engine/onnx/graph/graph.ts';
import { readNode } from '../../../../server/engine/onnx/graph/model-nodes.ts';
import { readFields } from '../../../../server/engine/onnx/graph/protobuf-reader.ts';
import { openSession } from '../../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../../server/engine/onnx/tensor.ts';

const wave = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(3.7 * at + 1));

/** Convolution, scale, offset and hard swish with a scale and an offset behind it, as PP-OCRv4's blocks are. */
class Blocks {
  readonly graph = new Graph('blocks', { '': 13 });
  #names = 0;

  number(value: number): string {
    return this.graph.initializer(`n${this.#names++}`, 'float32', [1], Float32Array.of(value));
  }

  convolution(input: string, [out, within, side]: [number, number, number], group = 1): string {
    const name = `conv${this.#names++}`;
    const weights = this.graph.initializer(
      `${name}/w`,
      'float32',
      [out, within, side, side],
      wave(out * within * side * side),
    );
    const rim = (side - 1) / 2;
    const attributes = { group, kernel_shape: [side, side], pads: [rim, rim, rim, rim] };
    return this.graph.node('Conv', [input, weights], [name], { attributes });
  }

  affine(input: string, scale: number, offset: number): string {
    const name = `affine${this.#names++}`;
    const scaled = this.graph.node('Mul', [this.number(scale), input], [`${name}/scaled`]);
    return this.graph.node('Add', [scaled, this.number(offset)], [name]);
  }

  hardSwish(input: string): string {
    const name = `swish${this.#names++}`;
    const { graph } = this;
    const sum = graph.node('Add', [input, this.number(3)], [`${name}/sum`]);
    const clip = graph.node('Clip', [sum, this.number(0), this.number(6)], [`${name}/clip`]);
    const product = graph.node('Mul', [input, clip], [`${name}/product`]);
    return graph.node('Div', [product, this.number(6)], [name]);
  }
}

function operatorsOf(model: Uint8Array): string[] {
  const graph = [...readFields(model)].find(({ number }) => number === 7)!;
  return [...readFields(graph.content)].flatMap(({ number, content }) =>
    number === 1 ? [readNode(content).operator] : [],
  );
}

async function run(model: Uint8Array): Promise<Float32Array> {
  const session = await openSession(model);
  try {
    using input = new Tensor('float32', wave(3 * 6 * 7), [1, 3, 6, 7]);
    return Float32Array.from(Object.values(await session.run({ x: input }))[0]!.data as Float32Array);
  } finally {
    await session.close();
  }
}

function expectNear(actual: Float32Array, expected: Float32Array): void {
  expect(actual.length).toBe(expected.length);
  for (const [at, value] of expected.entries()) expect(actual[at]).toBeCloseTo(value, 4);
}

test('folded blocks answer as the plain ones, before padded and unpadded convolutions', async () => {
  const blocks = new Blocks();
  const { graph } = blocks;
  const x = graph.input('x', 'float32', [1, 3, 6, 7]);
  const weights = ['s', 'b', 'm'].map((name) => graph.initializer(name, 'float32', [8], wave(8)));
  const variance = graph.initializer('v', 'float32', [8], wave(8).map(Math.abs));
  graph.node('BatchNormalization', [blocks.convolution(x, [8, 3, 3]), ...weights, variance], ['normal']);
  const first = blocks.affine(blocks.hardSwish(blocks.affine('normal', 1.7, 0.4)), 0.6, -0.3);
  const second = blocks.affine(
    blocks.hardSwish(blocks.affine(blocks.convolution(first, [8, 1, 3], 8), 0.9, 1.2)),
    2,
    0.5,
  );
  graph.node('Relu', [blocks.convolution(second, [4, 8, 1])], [graph.output('y', 'float32', [1, 4, 6, 7])]);
  const plain = graph.toModel();
  const folded = foldAffine(plain);
  // Beside the swishes one convolution of each channel alone is left: an offset before a padded border.
  expect(operatorsOf(folded).sort()).toEqual(
    ['Conv', 'HardSigmoid', 'Mul', 'Conv', 'Conv', 'HardSigmoid', 'Mul', 'Conv', 'Relu'].sort(),
  );
  expectNear(await run(folded), await run(plain));
});

test('what two nodes read, or an output, is not folded away', async () => {
  const blocks = new Blocks();
  const { graph } = blocks;
  const x = graph.input('x', 'float32', [1, 3, 6, 7]);
  const seen = blocks.convolution(x, [4, 3, 1]);
  const scaled = blocks.affine(seen, 3, 1);
  graph.node('Add', [seen, blocks.hardSwish(scaled)], [graph.output('y', 'float32', [1, 4, 6, 7])]);
  const plain = graph.toModel();
  expectNear(await run(foldAffine(plain)), await run(plain));
});

test('bytes that are no model are refused', () => {
  expect(() => foldAffine(Uint8Array.of(0x3a, 0x7f, 1))).toThrow(RangeError);
});
