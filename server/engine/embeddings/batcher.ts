import { type BatchLimits, type BatchRow, chooseBatch } from './batch.ts';

type RunBatch = (rows: readonly (readonly number[])[], signal: AbortSignal) => Promise<Float32Array[]>;

/** One `add`, and its share of the work so far. */
interface Call {
  signal: AbortSignal;
  /** Tokens computed for it, counted from where the least served stood when it came. */
  served: number;
}

interface Entry extends BatchRow {
  call: Call;
  settled: boolean;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
}

/**
 * Collects rows of all calls under way and runs them batch by batch, one batch at a time: the run itself uses every
 * thread. The call that was served least opens the next batch, so that one of many rows keeps nobody waiting longer than a
 * batch. A call that is aborted leaves the queue at once; a running batch stops when all its calls are gone.
 */
export class Batcher {
  readonly #run: RunBatch;
  readonly #limits: BatchLimits;
  #waiting: Entry[] = [];
  #draining = false;
  #leastServed = 0;

  constructor(run: RunBatch, limits: BatchLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  /** Vectors of all rows, in order. Rejects with the signal's reason, or with the first failure of a batch. */
  async add(rows: readonly (readonly number[])[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    const call: Call = { signal, served: this.#leastServed };
    const entries: Entry[] = [];
    const vectors = rows.map((ids) => {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
      entries.push({ ids, call, settled: false, resolve, reject });
      return promise;
    });
    const leave = () => {
      this.#waiting = this.#waiting.filter((entry) => entry.call !== call);
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
        const batch = this.#nextBatch();
        const chosen = new Set(batch);
        this.#waiting = this.#waiting.filter((entry) => !chosen.has(entry));
        await this.#runBatch(batch);
      }
    } finally {
      this.#draining = false;
    }
  }

  /** Arrival decides among calls served alike. */
  #nextBatch(): Entry[] {
    const first = this.#waiting.reduce((least, entry) =>
      entry.call.served < least.call.served ? entry : least,
    );
    this.#leastServed = first.call.served;
    const others = this.#waiting.filter((entry) => entry !== first);
    const batch = chooseBatch([first, ...others], this.#limits);
    for (const { call, ids } of batch) call.served += ids.length;
    return batch;
  }

  async #runBatch(batch: readonly Entry[]): Promise<void> {
    const stop = new AbortController();
    const signals = new Set(batch.map((entry) => entry.call.signal));
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
