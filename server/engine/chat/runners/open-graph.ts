/** Opens a decoder's graph on the processor, its quantized matrix products by custom kernels where these serve. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CustomKernels } from '../../engine.ts';
import { externalFiles } from '../../external-files.ts';
import { readInHugePages } from '../../onnx/huge-pages.ts';
import { withAttention } from '../../onnx/kernels/attention-rewrite.ts';
import { attentionRefusal } from '../../onnx/kernels/attention-support.ts';
import { withChains } from '../../onnx/kernels/chain-rewrite.ts';
import { chainRefusal } from '../../onnx/kernels/chain-support.ts';
import { withCustomKernels } from '../../onnx/kernels/graph-rewrite.ts';
import { withRowOperators } from '../../onnx/kernels/row-rewrite.ts';
import { rowRefusal } from '../../onnx/kernels/row-support.ts';
import { kernelVerdict } from '../../onnx/kernels/support.ts';
import { openSession } from '../../onnx/open.ts';
import type { Session } from '../../onnx/session.ts';
import { refuseChatPack } from '../pack.ts';

export interface OpenGraphOptions {
  threads: number;
  /** Default true. */
  customKernels?: CustomKernels;
  /** Past and present keys and values are one memory, so that attention may have custom kernels as well. */
  sharedCache?: boolean;
  /** A further change of the graph. */
  rewrite?: (model: Uint8Array) => Uint8Array;
}

/** Graphs with their weights inside are not copied about beyond this; the runtime's kernels do. */
const mostBytes = 512 * 1024 * 1024;

/** @throws OnnxError, and EngineError when there is no such file */
export async function openGraph(path: string, options: OpenGraphOptions): Promise<Session> {
  const { threads, customKernels = true, rewrite, sharedCache = false } = options;
  const { size } = await stat(path).catch(() => {
    throw refuseChatPack('its graph is not there.');
  });
  const { family } = await kernelVerdict(size <= mostBytes && customKernels);
  if (!family && !rewrite) return openSession(path, { threads, memoryPattern: false });
  const file = await readFile(path);
  const changed = rewrite ? rewrite(file) : file;
  const { model: multiplied, kernels: shapes } = family
    ? withCustomKernels(changed)
    : { model: changed, kernels: [] };
  // A graph that is not rounded elsewhere is not rounded in its cache either.
  const attends = sharedCache && family && shapes.length > 0 && (await attentionRefusal(family)) === null;
  const attended = attends ? withAttention(multiplied) : { model: multiplied, attentions: [] };
  const { attentions } = attended;
  const fuses = family && shapes.length > 0 && (await rowRefusal(family)) === null;
  const fused = fuses ? withRowOperators(attended.model) : { model: attended.model, rows: [] };
  const { rows } = fused;
  const joins = family && threads > 0 && attentions.length > 0 && (await chainRefusal(family)) === null;
  const { chains, model } = joins
    ? withChains(fused.model, { shapes, attentions, rows }, { threads })
    : { model: fused.model, chains: [] };
  for (const name of externalFiles(file)) await readInHugePages(join(dirname(path), name));
  return openSession(model === file ? path : model, {
    threads,
    memoryPattern: false,
    ...(family && { kernels: { family, shapes, attentions, rows, chains } }),
    config: { 'session.model_external_initializers_file_folder_path': dirname(path) },
  });
}
