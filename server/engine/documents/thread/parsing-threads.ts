/** Two parsing threads: the second is for small documents that came while the first reads another one. */

import type { CallMethod, ItemOf, ParamsOf, ResultOf, StreamMethod } from '../../contract.ts';
import type { CallContext } from '../../engine.ts';
import { askedAgain } from './asked-again.ts';
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
  /** Calls asked again that run or wait. */
  #alone = 0;
  readonly #openSecond: () => Thread | null;
  readonly #isFull: () => boolean;
  readonly #replaceHost: (() => void) | undefined;
  #served = false;

  /**
   * @param openSecond asked when a small document would wait; null where processors or memory do not allow it now
   * @param host where it is full of what earlier documents left, another takes its place before the next one
   */
  constructor(
    first: Thread,
    openSecond: () => Thread | null,
    { isFull, replace }: { isFull: () => boolean; replace?: (() => void) | undefined },
  ) {
    this.#first = { thread: first, calls: 0 };
    this.#openSecond = openSecond;
    this.#isFull = isFull;
    this.#replaceHost = replace;
  }

  /** Items of one call, on the thread chosen when the first is asked for. @throws EngineError as `ParsingThread.stream` */
  async *stream<Method extends StreamMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    context: CallContext,
  ): AsyncGenerator<ItemOf<'documents', Method>> {
    if (this.#replacesHost()) await askedAgain(context);
    const { lane, end } = this.#begin(params, context);
    try {
      yield* lane.thread.stream(method, params, context);
    } finally {
      end();
    }
  }

  /** The result of one call. @throws EngineError as `stream` */
  async call<Method extends CallMethod<'documents'>>(
    method: Method,
    params: ParamsOf<'documents', Method>,
    context: CallContext,
  ): Promise<ResultOf<'documents', Method>> {
    if (this.#replacesHost()) await askedAgain(context);
    const { lane, end } = this.#begin(params, context);
    try {
      return await lane.thread.call(method, params, context);
    } finally {
      end();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#first.thread.close(), this.#second?.thread.close()]);
  }

  /** Asks for another host where this one is full and rests; true where it will come. */
  #replacesHost(): boolean {
    const rests = this.#first.calls === 0 && (this.#second?.calls ?? 0) === 0;
    if (!rests || !this.#served || !this.#replaceHost || !this.#isFull()) return false;
    this.#replaceHost();
    return true;
  }

  #begin(params: unknown, context: CallContext): { lane: Lane; end: () => void } {
    this.#served = true;
    const lane = this.#laneOf(params, context);
    const alone = context.again ? 1 : 0;
    lane.calls++;
    this.#alone += alone;
    const end = () => {
      lane.calls--;
      this.#alone -= alone;
    };
    return { lane, end };
  }

  /**
   * The second thread takes a small document where fewer wait for it; the first takes all else. A call that is asked again may have
   * needed the memory that the other thread took.
   */
  #laneOf(params: unknown, { again }: CallContext): Lane {
    if (this.#first.calls === 0 || again || this.#alone > 0 || !isSmall(params)) return this.#first;
    const opened = this.#second ? null : this.#openSecond();
    if (opened) this.#second = { thread: opened, calls: 0 };
    return this.#second && this.#second.calls < this.#first.calls ? this.#second : this.#first;
  }
}
