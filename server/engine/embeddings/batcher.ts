import { type BatchLimits, type BatchRow, chooseBatch } from './batch.ts';

type RunBatch = (rows: readonly (readonly number[])[], signal: AbortSignal) => Promise<Float32Array[]>;

interface Entry extends BatchRow {
  signal: AbortSignal;
  settled: boolean;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/**
 * Collects rows of all calls under way and runs them batch by batch, one batch at a time: the run itself uses every
 * thread. A call that is aborted leaves the queue at once; a running batch stops when all its calls are gone.
 */
export class Batcher {
  readonly #run: RunBatch;
  readonly #limits: BatchLimits;
  #waiting: Entry[] = [];
  #draining = false;

  constructor(run: RunBatch, limits: BatchLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** Vectors of all rows, in order. Rejects with the signal's reason, or with the first failure of a batch. */
  async add(rows: readonly (readonly number[])[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    const entries: Entry[] = [];
    const vectors = rows.map((ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
      entries.push({ ids, signal, settled: false, resolve, reject });
      return promise;
    });
    const leave = () => {
      this.#waiting = this.#waiting.filter((entry) => entry.signal !== signal);
      for (const entry of entries) settle(entry, () => entry.reject(signal.reason));
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#waiting.push(...entries);
    if (!this.#draining) void this.#drain();
    try {
      return await Promise.all(vectors);
    } finally {
      signal.removeEventListener('abort', leave);
      // After one failure the rest of this call is of no use to anybody.
      for (const entry of entries) entry.settled = true;
      this.#waiting = this.#waiting.filter((entry) => !entry.settled);
    }
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    try {
      while (this.#waiting.length > 0) {
        const batch = chooseBatch(this.#waiting, this.#limits);
        const chosen = new Set(batch);
        this.#waiting = this.#waiting.filter((entry) => !chosen.has(entry));
        await this.#runBatch(batch);
      }
    } finally {
      this.#draining = false;
    }
  }

  async #runBatch(batch: readonly Entry[]): Promise<void> {
    const stop = new AbortController();
    const signals = new Set(batch.map((entry) => entry.signal));
    const onAbort = () => {
      if ([...signals].every((signal) => signal.aborted)) stop.abort();
    };
    for (const signal of signals) signal.addEventListener('abort', onAbort);
    try {
      const rows = batch.map((entry) => entry.ids);
      const vectors = await this.#run(rows, stop.signal);
      for (const [index, entry] of batch.entries()) settle(entry, () => entry.resolve(vectors[index]!));
    } catch (error) {
      for (const entry of batch) settle(entry, () => entry.reject(error));
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    }
  }
}

function settle(entry: Entry, finish: () => void): void {
  if (entry.settled) return;
  entry.settled = true;
  finish();
}
