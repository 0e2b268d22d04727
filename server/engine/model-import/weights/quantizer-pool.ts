/** Several threads that quantize: the rows of a piece are shared out among them, and come back in order. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type QuantizedRows, type QuantizeOptions, quantizeRows } from './quantize.ts';

/** A thread's task, answered with QuantizedRows. */
export interface QuantizeTask extends QuantizeOptions {
  weights: Float32Array;
  cols: number;
}

/** Below this, handing the numbers over takes longer than the work. */
const worthSharing = 1024 * 1024;

const entry = new URL(
  import.meta.url.endsWith('.ts') ? './quantize-thread.ts' : './quantize-thread.js',
  import.meta.url,
);

export class QuantizerPool {
  readonly #count: number;
  readonly #threads: Worker[] = [];

  /** Threads start with the first piece that is worth it. */
  constructor(count = availableParallelism()) {
    this.#count = count;
  }

  /** As `quantizeRows`, with the same numbers whatever the count of threads. */
  async quantize(weights: Float32Array, cols: number, options: QuantizeOptions): Promise<QuantizedRows> {
    const rows = weights.length / cols;
    const count = Math.min(this.#count, rows);
    if (count < 2 || weights.length < worthSharing) return quantizeRows(weights, cols, options);
    while (this.#threads.length < count) this.#threads.push(new Worker(entry));
    const share = Math.ceil(rows / count) * cols;
    const parts = this.#threads
      .map((thread, at) => ({ thread, part: weights.slice(at * share, (at + 1) * share) }))
      .filter(({ part }) => part.length > 0)
      .map(({ part, thread }) => ask(thread, { weights: part, cols, ...options }));
    return joined(await Promise.all(parts));
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }
}

/** One task at a time a thread, so the next message is its answer. */
function ask(thread: Worker, task: QuantizeTask): Promise<QuantizedRows> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('a quantizing thread ended'));
    const leave = () => thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    const onMessage = (rows: QuantizedRows) => {
      leave();
      resolve(rows);
    };
    const onError = (error: Error) => {
      leave();
      reject(error);
    };
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(task, [task.weights.buffer as ArrayBuffer]);
  });
}

function joined(parts: readonly QuantizedRows[]): QuantizedRows {
  const sum = (of: (part: QuantizedRows) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    codes: Buffer.concat(parts.map(({ codes }) => codes)),
    scales: joinedScales(parts),
    zeroPoints: Buffer.concat(parts.map(({ zeroPoints }) => zeroPoints)),
    squaredError: sum((part) => part.squaredError),
    squaredNorm: sum((part) => part.squaredNorm),
  };
}

function joinedScales(parts: readonly QuantizedRows[]): Float32Array {
  const scales = new Float32Array(parts.reduce((total, part) => total + part.scales.length, 0));
  let at = 0;
  for (const part of parts) {
    scales.set(part.scales, at);
    at += part.scales.length;
  }
  return scales;
}
