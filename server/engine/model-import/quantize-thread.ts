/** Entry of a quantizing thread. */
import { parentPort } from 'node:worker_threads';
import { quantiseRows } from './quantize.ts';
import type { QuantiseTask } from './quantizer-pool.ts';

parentPort!.on('message', ({ weights, cols, bits, block }: QuantiseTask) => {
  const rows = quantiseRows(weights, cols, { bits, block });
  parentPort!.postMessage(rows, [
    rows.codes.buffer as ArrayBuffer,
    rows.scales.buffer as ArrayBuffer,
    rows.zeroPoints.buffer as ArrayBuffer,
  ]);
});
