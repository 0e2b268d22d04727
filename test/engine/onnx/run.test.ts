import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { addModel, slowModel } from '../../support/onnx/models.ts';
import { randomNumbers, randomWeights } from '../../support/onnx/random.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lokal-onnx-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const vector = (...values: number[]) => new Tensor('float32', Float32Array.from(values), [values.length]);

describe('runs', () => {
  test('a binding writes into preset tensors, in place where input and output are one', async () => {
    await using session = await openSession(addModel());
    const a = vector(1, 2, 3);
    const b = vector(10, 20, 30);
    const binding = session.bind({ a, b }, { sum: a });
    const first = await binding.run();
    expect(first.sum).toBe(a);
    expect([...a.data]).toEqual([11, 22, 33]);
    b.data[0] = -11;
    await binding.run();
    expect([...a.data]).toEqual([0, 42, 63]);
  });

  test('a view of a larger buffer is read and written where it lies', async () => {
    await using session = await openSession(addModel());
    const slab = new Float32Array(9).fill(7);
    const slot = (index: number) => new Tensor('float32', slab.subarray(index * 3, index * 3 + 3), [3]);
    await session.bind({ a: slot(0), b: slot(1) }, { sum: slot(2) }).run();
    expect([...slab]).toEqual([7, 7, 7, 7, 7, 7, 14, 14, 14]);
  });

  test('many at once give each its own answer, and the event loop goes on', async () => {
    await using slow = await openSession(slowModel(256, 20));
    await using session = await openSession(addModel());
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    const x = Tensor.zeros('float32', [256, 256]);
    const slowRuns = Promise.all([slow.run({ x }), slow.run({ x })]);
    const sums = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const { sum } = await session.run({ a: vector(index), b: vector(1000) });
        return sum!.data[0];
      }),
    );
    const results = await slowRuns;
    clearInterval(ticking);
    expect(sums).toEqual(Array.from({ length: 50 }, (_, index) => 1000 + index));
    expect(results[0].y!.data[0]).toBeCloseTo(1 / 256, 6);
    expect(turns).toBeGreaterThan(0);
  });

  test('an abort ends a run between operators, and the session goes on', async () => {
    await using session = await openSession(slowModel(384, 400));
    const x = Tensor.zeros('float32', [384, 384]);
    const reason = new Error('caller is gone');
    const controller = new AbortController();
    const run = session.run({ x }, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(run).rejects.toBe(reason);
    await expect(session.run({ x }, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await using small = await openSession(addModel());
    expect((await small.run({ a: vector(1), b: vector(2) })).sum!.data[0]).toBe(3);
  });

  test('closing waits for what runs; afterwards nothing runs', async () => {
    const session = await openSession(slowModel(256, 20));
    const x = Tensor.zeros('float32', [256, 256]);
    const order: string[] = [];
    const run = session.run({ x }).then(() => order.push('ran'));
    const closed = session.close().then(() => order.push('closed'));
    x.close();
    await Promise.all([run, closed]);
    expect(order.sort()).toEqual(['closed', 'ran']);
    await expect(session.run({ x: Tensor.zeros('float32', [256, 256]) })).rejects.toThrow('closed');
    await session.close();
  });
});

describe('models', () => {
  test('load from a path, with weights in a file beside, and from bytes with that file in memory', async () => {
    const weights = Float32Array.from({ length: 1024 }, (_, index) => index);
    const data = new Uint8Array(weights.buffer);
    const graph = createGraph('external');
    graph.input('x', 'float32', [1024]);
    graph.externalInitializer('w', 'float32', [1024], {
      location: 'weights.bin',
      offset: 0,
      length: data.length,
    });
    graph.node('Add', ['x', 'w'], ['y']);
    graph.output('y', 'float32', [1024]);
    const model = graph.toModel();
    const path = join(folder, 'modél 模型.onnx');
    await writeFile(path, model);
    await writeFile(join(folder, 'weights.bin'), data);
    const x = Tensor.zeros('float32', [1024]);
    await using fromPath = await openSession(path);
    await using fromBytes = await openSession(model, { externalFiles: { 'weights.bin': data } });
    for (const session of [fromPath, fromBytes]) {
      expect((await session.run({ x })).y!.data[1023]).toBe(1023);
    }
  });

  test('write their optimized form, and take threads, levels and fixed dimensions', async () => {
    const optimizedModelPath = join(folder, 'optimized.onnx');
    await using session = await openSession(addModel(), {
      optimizedModelPath,
      threads: 2,
      graphLevel: 'basic',
      config: { 'session.intra_op.allow_spinning': '0' },
      dimensions: { n: 3 },
    });
    expect(session.inputs[0]).toEqual({ name: 'a', type: 'float32', dims: [3] });
    expect((await stat(optimizedModelPath)).size).toBeGreaterThan(0);
    await using again = await openSession(optimizedModelPath, { graphLevel: 'none' });
    expect(again.outputs.map((node) => node.name)).toEqual(['sum']);
  });

  test('weights packed for the kernels ahead of time load from their own file with the same answers', async () => {
    const size = 256;
    const weights = new Uint8Array(randomWeights(randomNumbers(1), size * size, 0.1).buffer);
    const graph = createGraph('prepacked');
    graph.input('x', 'float32', ['n', size]);
    const place = { location: 'plain.bin', offset: 0, length: weights.length };
    graph.externalInitializer('w', 'float32', [size, size], place);
    graph.node('MatMul', ['x', 'w'], ['y']);
    graph.output('y', 'float32', ['n', size]);
    const path = join(folder, 'plain.onnx');
    await writeFile(path, graph.toModel());
    await writeFile(join(folder, 'plain.bin'), weights);
    const optimizedModelPath = join(folder, 'packed.onnx');
    const prefix = 'session.optimized_model_external_initializers';
    const config = {
      'session.save_external_prepacked_constant_initializers': '1',
      [`${prefix}_file_name`]: 'packed.bin',
      [`${prefix}_min_size_in_bytes`]: '1024',
    };
    await using plain = await openSession(path, { optimizedModelPath, config });
    await using packed = await openSession(optimizedModelPath);
    const x = new Tensor('float32', randomWeights(randomNumbers(2), 3 * size, 1), [3, size]);
    const expected = (await plain.run({ x })).y!;
    expect((await packed.run({ x })).y!.data).toEqual(expected.data);
    expect((await stat(join(folder, 'packed.bin'))).size).toBeGreaterThan(weights.length);
  });
});
