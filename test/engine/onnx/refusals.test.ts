import { describe, expect, test } from 'vitest';
import { EngineError } from '../../../server/engine/engine.ts';
import { OnnxError } from '../../../server/engine/onnx/errors.ts';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { openOnFirst, openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { addModel } from '../../support/onnx/models.ts';

const floats = (length: number) => new Tensor('float32', new Float32Array(length), [length]);

describe('tensors that cannot be', () => {
  test.each([
    ['wrong length', () => new Tensor('float32', new Float32Array(5), [2, 3]), RangeError],
    ['wrong array', () => new Tensor('float32', new Int32Array(6) as never, [6]), TypeError],
    ['half as numbers', () => new Tensor('float16', new Float32Array(1), [1]), TypeError],
    ['int64 as numbers', () => new Tensor('int64', new Int32Array(1), [1]), TypeError],
    ['no array', () => new Tensor('float32', undefined as never, [1]), TypeError],
    ['a plain array', () => new Tensor('float32', [1] as never, [1]), TypeError],
    ['NaN dimension', () => new Tensor('float32', new Float32Array(1), [Number.NaN]), RangeError],
    ['negative dimensions', () => new Tensor('float32', new Float32Array(4), [-2, -2]), RangeError],
    ['fraction', () => new Tensor('float32', new Float32Array(1), [1.5]), RangeError],
    ['too many elements', () => new Tensor('float32', new Float32Array(1), [2 ** 40, 2 ** 40]), RangeError],
    ['4-bit length', () => new Tensor('int4', new Uint8Array(2), [5]), RangeError],
    ['unknown type', () => new Tensor('string' as never, new Uint8Array(1), [1]), TypeError],
    ['prototype name', () => new Tensor('constructor' as never, new Uint8Array(1), [1]), TypeError],
    [
      'resizable buffer',
      () => new Tensor('uint8', new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 })), [4]),
      TypeError,
    ],
  ])('%s', (_name, create, kind) => {
    expect(create).toThrow(kind);
  });
});

describe('runs that cannot be', () => {
  test('inputs and outputs are checked before anything native', async () => {
    await using session = await openSession(addModel());
    const [a, b] = [floats(3), floats(3)];
    await expect(session.run({ a })).rejects.toThrow("the input 'b' is missing");
    await expect(session.run({ a, b, c: b })).rejects.toThrow("no input 'c'");
    await expect(session.run({ a, b }, { outputs: ['nothing'] })).rejects.toThrow("no output 'nothing'");
    await expect(session.run({ a, b: Tensor.zeros('int64', [3]) })).rejects.toThrow('must be float32');
    await expect(session.run({ a, b: Tensor.zeros('float32', [3, 1]) })).rejects.toThrow('must be [n]');
    await expect(session.run({ a, b: {} as Tensor })).rejects.toThrow('must be a Tensor');
    expect(() => session.bind({ a, b }, { sum: Tensor.zeros('int32', [3]) })).toThrow('must be float32');
  });

  test('shapes that do not go together are an error of the run, not a crash', async () => {
    await using session = await openSession(addModel());
    await expect(session.run({ a: floats(3), b: floats(4) })).rejects.toBeInstanceOf(OnnxError);
    const wrongOutput = session.bind({ a: floats(3), b: floats(3) }, { sum: floats(5) });
    await expect(wrongOutput.run()).rejects.toBeInstanceOf(OnnxError);
    const { sum } = await session.run({ a: floats(0), b: floats(0) });
    expect(sum!.dims).toEqual([0]);
  });

  test('a buffer that was transferred away is noticed', async () => {
    await using session = await openSession(addModel());
    const [a, b] = [floats(3), floats(3)];
    const binding = session.bind({ a, b });
    await binding.run();
    structuredClone(a.data, { transfer: [a.data.buffer as ArrayBuffer] });
    await expect(binding.run()).rejects.toThrow('transferred');
  });

  test('a closed tensor and a second run of one binding are refused', async () => {
    await using session = await openSession(addModel());
    const [a, b] = [floats(3), floats(3)];
    const binding = session.bind({ a, b }, { sum: floats(3) });
    const first = binding.run();
    await expect(binding.run()).rejects.toThrow('already running');
    await first;
    a.close();
    a.close();
    await expect(binding.run()).rejects.toThrow('closed');
  });
});

describe('models that cannot be', () => {
  const strange = createGraph('strange');
  strange.input('x', 'float32', [1]);
  strange.node('NoSuchOperator', ['x'], ['y']);
  strange.output('y', 'float32', [1]);
  const dangling = createGraph('dangling');
  dangling.node('Add', ['nowhere', 'nothing'], ['y']);
  dangling.output('y', 'float32', [1]);

  test.each([
    ['random bytes', new Uint8Array(100).fill(7)],
    ['a truncated model', addModel().slice(0, 40)],
    ['an unknown operator', strange.toModel()],
    ['an input from nowhere', dangling.toModel()],
    ['a missing file', 'nowhere/model.onnx'],
  ])('%s', async (_name, model) => {
    const error = await openSession(model).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(OnnxError);
    expect(error).toBeInstanceOf(EngineError);
    expect((error as OnnxError).detail).not.toBe('');
    expect((error as OnnxError).message).not.toMatch(/nowhere|NoSuchOperator|onnxruntime_src/);
  });

  test.each([
    ['no bytes', new Uint8Array(0), {}],
    ['no path', '', {}],
    ['a path with NUL', 'a\0b', {}],
    ['neither', 5 as never, {}],
    ['threads', addModel(), { threads: -1 }],
    ['half a thread', addModel(), { threads: 1.5 }],
    ['a provider of no name', addModel(), { providers: ['quantum'] }],
    ['a dimension', addModel(), { dimensions: { n: Number.NaN } }],
  ])('%s is a mistake of the caller', async (_name, model, options) => {
    await expect(openSession(model, options)).rejects.toThrow(/^(?!.*onnxruntime_src)/);
    await expect(openSession(model, options)).rejects.not.toBeInstanceOf(OnnxError);
  });

  test('a provider that is not in this build gives way to the CPU, and says why', async () => {
    const absent = process.platform === 'darwin' ? 'directml' : 'coreml';
    const { session, provider, refused } = await openOnFirst([absent, 'cpu'], addModel());
    expect(provider).toBe('cpu');
    expect(refused).toMatchObject([{ provider: absent }]);
    await session.close();
  });
});
