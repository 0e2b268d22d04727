import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiMembers } from '../../../build/ort-api-index.ts';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { ProtobufWriter } from '../../../server/engine/onnx/graph/protobuf.ts';
import { apiIndex } from '../../../server/engine/onnx/library/api-index.ts';
import { pinnedVersion } from '../../../server/engine/onnx/library/library.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';

const hex = (writer: ProtobufWriter) => Buffer.from(writer.finish()).toString('hex');

describe('protobuf', () => {
  test('the examples of the encoding guide', () => {
    expect(hex(new ProtobufWriter().integer(1, 150))).toBe('089601');
    expect(hex(new ProtobufWriter().text(2, 'testing'))).toBe('120774657374696e67');
    expect(hex(new ProtobufWriter().message(3, new ProtobufWriter().integer(1, 150)))).toBe('1a03089601');
    expect(hex(new ProtobufWriter().integer(1, -2))).toBe('08feffffffffffffffff01');
    expect(hex(new ProtobufWriter().float(16, 1))).toBe('85010000803f');
  });
});

describe('graphs', () => {
  test('attributes of every kind reach the operator', async () => {
    const graph = createGraph('attributes');
    graph.input('x', 'float32', ['n', 2]);
    graph.node('Transpose', ['x'], ['turned'], { attributes: { perm: [1, 0] } });
    graph.node('LeakyRelu', ['turned'], ['bent'], { attributes: { alpha: { float: 0.5 } } });
    graph.node('Constant', [], ['shift'], { attributes: { value_floats: { floats: [10, 20] } } });
    graph.initializer('column', 'int64', [2], BigInt64Array.of(2n, 1n));
    graph.node('Reshape', ['shift', 'column'], ['tall']);
    graph.node('Add', ['bent', 'tall'], ['y']);
    graph.node('Cast', ['y'], ['z'], { attributes: { to: 6 } });
    graph.output('z', 'int32', [2, 'n']);
    await using session = await openSession(graph.toModel());
    const x = new Tensor('float32', Float32Array.of(1, -2, 3, -4), [2, 2]);
    expect([...(await session.run({ x })).z!.data]).toEqual([11, 13, 19, 18]);
  });

  test('mistakes are found while building', () => {
    const graph = createGraph('mistakes');
    expect(() => graph.initializer('w', 'float32', [3], new Float32Array(2))).toThrow(RangeError);
    expect(() => graph.node('Op', [], ['y'], { attributes: { alpha: 0.5 } })).toThrow('use {float');
  });
});

describe('the function table', () => {
  test('is read from a header in order, comments aside', () => {
    const header = `
struct OrtApi {
  /* ORT_API2_STATUS(NotThis, int a); */
  OrtErrorCode(ORT_API_CALL* GetErrorCode)(_In_ const OrtStatus* status) NO_EXCEPTION;
  // ORT_API2_STATUS(NorThis, int a);
  ORT_API2_STATUS(Run, _Inout_ OrtSession* session,
                  size_t input_len);
  ORT_CLASS_RELEASE(Value);
};
struct Other {
  ORT_API2_STATUS(Elsewhere, int a);
};`;
    expect(apiMembers(header)).toEqual(['GetErrorCode', 'Run', 'ReleaseValue']);
  });

  test('has one place a function, and the package is the pinned one', () => {
    const places = Object.values(apiIndex);
    expect(new Set(places).size).toBe(places.length);
    const path = new URL('../../../package.json', import.meta.url);
    const packageJson = JSON.parse(readFileSync(path, 'utf8')) as { dependencies: Record<string, string> };
    expect(packageJson.dependencies['onnxruntime-node']).toBe(pinnedVersion);
  });
});
