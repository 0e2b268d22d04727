/** Entry of a quantizing thread. */
import { parentPort } from 'node:worker_threads';
import { quantizeRows } from './quantize.ts';
import type { QuantizeTask } from './quantizer-pool.ts';

parentPort!.on('message', ({ weights, cols, bits, block }: QuantizeTask) => {
  const rows = quantizeRows(weights, cols, { bits, block });
  parentPort!.postMessage(rows, [
    rows.codes.buffer as ArrayBuffer,
    rows.scales.buffer as ArrayBuffer,
    rows.zeroPoints.buffer as ArrayBuffer,
  ]);
});
