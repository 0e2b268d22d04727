import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import type { ElementType } from '../../../server/engine/onnx/types.ts';

/** y = x, for any element type. */
export function identityModel(type: ElementType): Uint8Array {
  const graph = createGraph(`identity-${type}`);
  graph.input('x', type, ['rows', 'columns']);
  if (type === 'int4' || type === 'uint4') {
    // There is no Identity for 4 bits; these two undo each other.
    graph.initializer('one', 'float32', [], Float32Array.of(1));
    graph.initializer('zero', type, [], Uint8Array.of(0));
    graph.node('DequantizeLinear', ['x', 'one', 'zero'], ['wide']);
    graph.node('QuantizeLinear', ['wide', 'one', 'zero'], ['y']);
  } else {
    graph.node('Identity', ['x'], ['y']);
  }
  graph.output('y', type, ['rows', 'columns']);
  return graph.toModel();
}

/** sum = a + b. */
export function addModel(type: ElementType = 'float32'): Uint8Array {
  const graph = createGraph('add');
  graph.input('a', type, ['n']);
  graph.input('b', type, ['n']);
  graph.node('Add', ['a', 'b'], ['sum']);
  graph.output('sum', type, ['n']);
  return graph.toModel();
}

/** `depth` products of `size` × `size` matrices in a row: as slow as asked. */
export function slowModel(size: number, depth: number): Uint8Array {
  const graph = createGraph('slow');
  graph.input('x', 'float32', [size, size]);
  let current = 'x';
  for (let step = 0; step < depth; step++) {
    const product = graph.node('MatMul', [current, 'x'], [`product${step}`]);
    current = graph.node('Softmax', [product], [`step${step}`], { attributes: { axis: -1 } });
  }
  graph.node('Identity', [current], ['y']);
  graph.output('y', 'float32', [size, size]);
  return graph.toModel();
}
