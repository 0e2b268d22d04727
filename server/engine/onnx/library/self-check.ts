import { OnnxError } from '../errors.ts';
import { createGraph } from '../graph/graph.ts';
import { loadSession } from '../session.ts';
import { Tensor } from '../tensor.ts';

/** y = 2x + 1, with an integer output beside it so that both kinds of element are read. */
function tinyModel(): Uint8Array {
  const graph = createGraph('self-check');
  graph.input('x', 'float32', ['n']);
  graph.initializer('two', 'float32', [], Float32Array.of(2));
  graph.initializer('one', 'float32', [], Float32Array.of(1));
  graph.node('Mul', ['x', 'two'], ['doubled']);
  graph.node('Add', ['doubled', 'one'], ['y']);
  graph.node('Shape', ['y'], ['size']);
  graph.output('y', 'float32', ['n']);
  graph.output('size', 'int64', [1]);
  return graph.toModel();
}

async function runTinyModel(): Promise<void> {
  await using session = await loadSession(tinyModel());
  using x = new Tensor('float32', Float32Array.of(-1, 0, 0.25), [3]);
  const { y, size } = await session.run({ x });
  const names = [...session.inputs, ...session.outputs].map((node) => node.name).join();
  if (names !== 'x,y,size' || y?.data.join() !== '-1,1,1.5' || size?.data.join() !== '3') {
    throw new OnnxError('fail', 'onnxruntime does not give the known answer of the built-in model');
  }
}

let checked: Promise<void> | undefined;

/**
 * Once a process: the version is the pinned one (loading the library refuses another) and a built-in model gives its
 * known numbers. A wrong index into the function table would show here, before any real model is touched.
 */
export function checkRuntime(): Promise<void> {
  checked ??= runTinyModel();
  return checked;
}
