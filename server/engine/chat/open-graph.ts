/** Opens a decoder's graph on the processor, its products done by our own code where that serves. */
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withCustomKernels } from '../onnx/kernels/graph-rewrite.ts';
import { kernelRefusal } from '../onnx/kernels/support.ts';
import { openSession } from '../onnx/open.ts';
import type { Session } from '../onnx/session.ts';
import { refusePack } from './pack.ts';

export interface GraphOptions {
  threads: number;
  /** Default true. */
  ownProducts?: boolean;
  /** What else is changed of the graph. */
  rewrite?: (model: Uint8Array) => Uint8Array;
}

/** Graphs with their weights inside are not copied about beyond this; the runtime's kernels do. */
const mostBytes = 512 * 1024 * 1024;

/** @throws OnnxError, and EngineError when there is no such file */
export async function openGraph(path: string, options: GraphOptions): Promise<Session> {
  const { threads, ownProducts = true, rewrite } = options;
  const { size } = await stat(path).catch(() => {
    throw refusePack('its graph is not there.');
  });
  const own = ownProducts && size <= mostBytes && (await kernelRefusal()) === null;
  if (!own && !rewrite) return openSession(path, { threads, memoryPattern: false });
  const file = await readFile(path);
  const changed = rewrite ? rewrite(file) : file;
  const { model, products } = own ? withCustomKernels(changed) : { model: changed, products: [] };
  return openSession(model === file ? path : model, {
    threads,
    memoryPattern: false,
    products,
    config: { 'session.model_external_initializers_file_folder_path': dirname(path) },
  });
}
