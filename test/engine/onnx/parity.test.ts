import { InferenceSession, Tensor as PeerTensor } from 'onnxruntime-node';
import { describe, expect, test } from 'vitest';
import { elementTypeNames } from '../../../server/engine/onnx/element-types.ts';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import type { ElementType, TensorData } from '../../../server/engine/onnx/types.ts';
import { bertModel, tinyBert } from '../../support/onnx/bert-graph.ts';
import { identityModel } from '../../support/onnx/models.ts';
import { randomNumbers, randomWeights } from '../../support/onnx/random.ts';

/** What onnxruntime-node answers for the same model and inputs. */
async function peerRun(
  model: Uint8Array,
  inputs: Record<string, Tensor>,
): Promise<Record<string, PeerTensor>> {
  const session = await InferenceSession.create(model);
  const feeds = Object.entries(inputs).map(([name, { type, data, dims }]) => {
    return [name, new PeerTensor(type as 'float32', data as Float32Array, dims)] as const;
  });
  const results = await session.run(Object.fromEntries(feeds));
  await session.release();
  return results as Record<string, PeerTensor>;
}

const bytesOf = (data: ArrayBufferView) =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex');

const samples: Record<ElementType, TensorData> = {
  float32: Float32Array.of(1.5, -2, 0, 1e30, 3, 4),
  float64: Float64Array.of(1.5, -2, 0, 1e300, 3, 4),
  float16: Uint16Array.of(0x3c00, 0xc000, 0, 0x7bff, 0x0001, 0x8000),
  bfloat16: Uint16Array.of(0x3f80, 0xc000, 0, 0x7f7f, 0x0001, 0x8000),
  uint8: Uint8Array.of(0, 1, 127, 128, 254, 255),
  int8: Int8Array.of(0, 1, 127, -128, -1, 5),
  uint16: Uint16Array.of(0, 1, 32767, 32768, 65535, 5),
  int16: Int16Array.of(0, 1, 32767, -32768, -1, 5),
  uint32: Uint32Array.of(0, 1, 2 ** 31, 2 ** 32 - 1, 7, 5),
  int32: Int32Array.of(0, 1, 2 ** 31 - 1, -(2 ** 31), -1, 5),
  uint64: BigUint64Array.of(0n, 1n, 2n ** 63n, 2n ** 64n - 1n, 7n, 5n),
  int64: BigInt64Array.of(0n, 1n, 2n ** 63n - 1n, -(2n ** 63n), -1n, 5n),
  bool: Uint8Array.of(0, 1, 1, 0, 1, 0),
  uint4: Uint8Array.of(0x10, 0xf7, 0x3a),
  int4: Uint8Array.of(0x10, 0xf7, 0x3a),
};

/** Types that the peer's binding does not take; of float16 it reads nothing where Node has Float16Array. */
const ownOnly = new Set<ElementType>(['float16', 'bfloat16', 'uint4', 'int4']);

describe('same outputs as onnxruntime-node', () => {
  test.each(elementTypeNames)('%s passes through unchanged', async (type) => {
    // The optimizer would turn the 4-bit pair of operators into the Identity that is missing.
    await using session = await openSession(identityModel(type), { graphLevel: 'none' });
    using x = new Tensor(type, samples[type], [2, 3]);
    const { y } = await session.run({ x });
    expect(y?.type).toBe(type);
    expect(y?.dims).toEqual([2, 3]);
    expect(bytesOf(y!.data)).toBe(bytesOf(samples[type]));
    expect(session.inputs).toEqual([{ name: 'x', type, dims: ['rows', 'columns'] }]);
    if (ownOnly.has(type)) return;
    const peer = await peerRun(identityModel(type), { x });
    expect(bytesOf(peer.y!.data as Float32Array)).toBe(bytesOf(y!.data));
  });

  test('float16 means what it should', async () => {
    const graph = createGraph('widen');
    graph.input('x', 'float16', ['n']);
    graph.node('Cast', ['x'], ['y'], { attributes: { to: 1 } });
    graph.output('y', 'float32', ['n']);
    await using session = await openSession(graph.toModel());
    const { y } = await session.run({ x: new Tensor('float16', samples.float16, [6]) });
    expect([...(y!.data as Float32Array)]).toEqual([1, -2, 0, 65504, 2 ** -24, -0]);
  });

  test('an encoder', async () => {
    const model = bertModel(tinyBert);
    await using session = await openSession(model, { threads: 2 });
    const random = randomNumbers(5);
    const ids = BigInt64Array.from({ length: 24 }, () => BigInt(Math.floor(random() * tinyBert.vocabulary)));
    const mask = BigInt64Array.from({ length: 24 }, (_, index) => (index % 12 < 9 ? 1n : 0n));
    const inputs = {
      input_ids: new Tensor('int64', ids, [2, 12]),
      attention_mask: new Tensor('int64', mask, [2, 12]),
      token_type_ids: Tensor.zeros('int64', [2, 12]),
    };
    const ours = (await session.run(inputs)).last_hidden_state!;
    const peer = (await peerRun(model, inputs)).last_hidden_state!;
    expect(ours.dims).toEqual(peer.dims);
    const expected = peer.data as Float32Array;
    const difference = (ours.data as Float32Array).map((value, index) => Math.abs(value - expected[index]!));
    expect(Math.max(...difference)).toBeLessThan(1e-5);
  });

  test('quantized weights: MatMulNBits and 4-bit initializers', async () => {
    const random = randomNumbers(2);
    const graph = createGraph('quantized');
    graph.input('x', 'float32', ['rows', 64]);
    const packed = Uint8Array.from({ length: 16 * 2 * 16 }, () => Math.floor(random() * 256));
    graph.initializer('weight', 'uint8', [16, 2, 16], packed);
    graph.initializer('scales', 'float32', [32], randomWeights(random, 32, 0.1));
    graph.node('MatMulNBits', ['x', 'weight', 'scales'], ['product'], {
      domain: 'com.microsoft',
      attributes: { K: 64, N: 16, bits: 4, block_size: 32, accuracy_level: 4 },
    });
    graph.initializer('table', 'int4', [2, 16], packed.slice(0, 16));
    graph.initializer('step', 'float32', [], Float32Array.of(0.5));
    graph.node('DequantizeLinear', ['table', 'step'], ['wide']);
    graph.node('ReduceSum', ['wide'], ['bias'], { attributes: { keepdims: 0 } });
    graph.node('Add', ['product', 'bias'], ['y']);
    graph.output('y', 'float32', ['rows', 16]);
    const model = graph.toModel();
    await using session = await openSession(model);
    using x = new Tensor('float32', randomWeights(random, 3 * 64, 1), [3, 64]);
    const { y } = await session.run({ x });
    const peer = await peerRun(model, { x });
    expect([...(y!.data as Float32Array)]).toEqual([...(peer.y!.data as Float32Array)]);
    expect(new Set(y!.data as Float32Array).size).toBeGreaterThan(10);
  });
});
