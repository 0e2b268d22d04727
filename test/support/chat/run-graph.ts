/** Runs a converted graph directly, without the scheduler: logits of chosen positions. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KernelFamily } from '../../../server/engine/engine.ts';
import type { ModelShape } from '../../../server/engine/model-import/graph/model-shape.ts';
import { withCustomKernels } from '../../../server/engine/onnx/kernels/graph-rewrite.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';

const slots = 64;

/** Feeds `chunks` one after another to one row; answers the logits of every token fed. */
export async function runGraph(
  folder: string,
  shape: ModelShape,
  chunks: number[][],
  {
    graph = 'model.onnx',
    customKernels = false,
  }: { graph?: string; customKernels?: KernelFamily | false } = {},
): Promise<Float32Array[]> {
  const file = await readFile(join(folder, graph));
  const { model, kernels: shapes } = customKernels ? withCustomKernels(file) : { model: file, kernels: [] };
  const session = await openSession(model === file ? join(folder, graph) : model, {
    threads: 1,
    ...(customKernels && { kernels: { family: customKernels, shapes } }),
    config: { 'session.model_external_initializers_file_folder_path': folder },
  });
  const caches: Record<string, Tensor> = {};
  for (let layer = 0; layer < shape.layers.length; layer += 1) {
    for (const part of ['key', 'value']) {
      caches[`${layer}.${part}`] = Tensor.zeros('float32', [1, shape.kvHeads, slots, shape.headDim]);
    }
  }
  const named = (prefix: string) =>
    Object.fromEntries(Object.entries(caches).map(([name, tensor]) => [`${prefix}.${name}`, tensor]));
  const rows: Float32Array[] = [];
  let past = 0;
  for (const chunk of chunks) {
    const total = past + chunk.length;
    const inputs = {
      ...named('past_key_values'),
      input_ids: new Tensor('int64', BigInt64Array.from(chunk, BigInt), [1, chunk.length]),
      seqlens_k: new Tensor('int32', Int32Array.of(total - 1), [1]),
      total_sequence_length: new Tensor('int32', Int32Array.of(total), []),
      logit_rows: new Tensor(
        'int64',
        BigInt64Array.from(chunk, (_, index) => BigInt(index)),
        [chunk.length],
      ),
    };
    const logits = Tensor.zeros('float32', [chunk.length, shape.vocab]);
    await session.bind(inputs, { ...named('present'), logits }).run();
    const values = logits.data as Float32Array;
    chunk.forEach((_, index) => void rows.push(values.slice(index * shape.vocab, (index + 1) * shape.vocab)));
    past = total;
  }
  await session.close();
  return rows;
}
