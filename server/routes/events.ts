/** Cancellation and the first event of streamed answers. */
import type { Exchange } from '../plugins/exchange.ts';

/** Headers go out after this long without a first event, so that the client hears the pings. */
const firstEventMs = 15_000;

/** Settles as `work` does, or with the reason as soon as the exchange is cancelled, whether or not the work notices. */
export function untilCancelled<T>(work: Promise<T>, exchange: Exchange): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    exchange.whenCancelled(reject);
    work.then(
      (value) => {
        exchange.whenCancelled(null);
        resolve(value);
      },
      (error: unknown) => {
        exchange.whenCancelled(null);
        reject(error);
      },
    );
  });
}

export interface OpenedEvents {
  events: AsyncIterator<unknown>;
  /** There was no event for so long that the client is to hear something else. */
  isLate: boolean;
}

/**
 * The same events, the first one asked for, failing with the reason when the exchange is cancelled.
 * @throws whatever the first event throws, while the answer's status can still say so
 */
export async function openEvents(
  source: AsyncIterable<unknown>,
  exchange: Exchange,
  limitMs = firstEventMs,
): Promise<OpenedEvents> {
  const iterator = source[Symbol.asyncIterator]();
  const ask = () => untilCancelled(iterator.next(), exchange);
  const first = ask();
  let asked: typeof first | null = first;
  const next = () => {
    const event = asked ?? ask();
    asked = null;
    return event;
  };
  try {
    const isLate = !(await settlesWithin(first, limitMs));
    return { events: { next, return: () => endQuietly(iterator) }, isLate };
  } catch (error) {
    void endQuietly(iterator);
    throw error;
  }
}

/** Not awaited: a generator that still waits inside its own next() would hold the connection open. */
async function endQuietly(iterator: AsyncIterator<unknown>): Promise<IteratorResult<unknown>> {
  void Promise.resolve(iterator.return?.()).catch(() => undefined);
  return { done: true, value: undefined };
}

/** The same events, once their turn has come. */
export async function* afterTurn(
  turn: Promise<void>,
  events: AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  await turn;
  yield* events;
}

async function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
    timer.unref();
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
