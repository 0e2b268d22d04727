/** Two parsing threads: the second is for small documents that came while the first reads another one. */

import type { CallMethod, ItemOf, ParamsOf, ResultOf, StreamMethod } from '../../contract.ts';
import type { ParsingThread } from './parsing-thread.ts';

type Thread = Pick<ParsingThread, 'stream' | 'call' | 'close'>;

/** Larger files wait for the first thread. */
export const maxSmallBytes = 2_000_000;

interface Lane {
  thread: Thread;
  /** Calls that it runs, and that wait for it. */
  calls: number;
}

const isSmall = (params: unknown): boolean =>
  ((params as { bytes?: Uint8Array }).bytes?.byteLength ?? 0) <= maxSmallBytes;

export class ParsingThreads {
  readonly #first: Lane;
  #second: Lane | null = null;
  readonly #openSecond: () => Thread | null;

  /** @param openSecond asked when a small document would wait; null where processors or memory do not allow it now */
  constructor(first: Thread, openSecond: () => Thread | null) {
    this.#first = { thread: first, calls: 0 };
    this.#openSecond = openSecond;
  }

  /** Items of one call, on the thread chosen when the first is asked for. @throws EngineError as `ParsingThread.stream` */
  async *stream<Method extends StreamMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    signal: AbortSignal,
  ): AsyncGenerator<ItemOf<'documents', Method>> {
    const lane = this.#laneOf(params);
    lane.calls++;
    try {
      yield* lane.thread.stream(method, params, signal);
    } finally {
      lane.calls--;
    }
  }

  /** The result of one call. @throws EngineError as `stream` */
  async call<Method extends CallMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    signal: AbortSignal,
  ): Promise<ResultOf<'documents', Method>> {
    const lane = this.#laneOf(params);
    lane.calls++;
    try {
      return await lane.thread.call(method, params, signal);
    } finally {
      lane.calls--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#first.thread.close(), this.#second?.thread.close()]);
  }

  /** The second thread takes a small document where fewer wait for it; the first takes all else. */
  #laneOf(params: unknown): Lane {
    if (this.#first.calls === 0 || !isSmall(params)) return this.#first;
    const opened = this.#second ? null : this.#openSecond();
    if (opened) this.#second = { thread: opened, calls: 0 };
    return this.#second && this.#second.calls < this.#first.calls ? this.#second : this.#first;
  }
}
