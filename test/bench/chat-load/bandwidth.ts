/** How fast this machine's memory can be read: the limit of decoding, where every step reads every weight. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGraph } from '../../../server/engine/onnx/graph/graph.ts';
import { openSession } from '../../../server/engine/onnx/open.ts';
import { Tensor } from '../../../server/engine/onnx/tensor.ts';
import { median, timeMs } from '../measure.ts';

/** Far beyond any cache. */
const rows = 256;
const cols = 512 * 1024;

/** Bytes a second: `threads` threads look for the largest number of each row of a matrix of 512 MB. */
export async function measureReadBandwidth(threads: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-bandwidth-'));
  try {
    const graph = createGraph('bandwidth');
    graph.input('matrix', 'float32', [rows, cols]);
    graph.initializer('axis', 'int64', [1], BigInt64Array.of(1n));
    graph.node('ReduceMax', ['matrix', 'axis'], ['largest'], { attributes: { keepdims: 0 } });
    graph.output('largest', 'float32', [rows]);
    const path = join(folder, 'model.onnx');
    writeFileSync(path, graph.toModel());
    const session = await openSession(path, { threads });
    const matrix = Tensor.zeros('float32', [rows, cols]);
    // Pages that were never written are all the same one.
    (matrix.data as Float32Array).fill(1);
    const binding = session.bind({ matrix }, { largest: Tensor.zeros('float32', [rows]) });
    const times: number[] = [];
    for (let run = 0; run < 8; run += 1) times.push(await timeMs(() => binding.run()));
    matrix.close();
    await session.close();
    return (rows * cols * 4 * 1000) / median(times);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
