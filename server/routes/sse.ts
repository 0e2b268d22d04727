/**
 * Events as a protocol's clients read them; OpenAI's: `data: {…}` per event, `: ping` after a silence, one
 * `data: {"error":…}` where the work fails after the headers are out, and `data: [DONE]` only after a whole answer.
 */
import { Readable } from 'node:stream';
import { ApiError } from '../errors.ts';
import { type Dialect, dialectOf } from '../plugins/http/dialects.ts';

export interface EventStreamOptions {
  /** Milliseconds of silence before a comment keeps the connection alive. */
  pingMs?: number;
  /** Lokal's own where absent. */
  dialect?: Dialect;
  requestId?: string;
  /** Called when the last event is out, before `[DONE]`. */
  onComplete?: () => void;
  /** Told of what ended the events early; the text of what is no ApiError never reaches the client. */
  onFailure?: (error: unknown) => void;
  /** Console streams never end with [DONE]. */
  done?: boolean;
  /** A comment that goes out first, with the headers, before there is an event. */
  greeting?: 'open' | 'ping' | null;
}

const defaultPingMs = 15_000;

export function toEventStream(events: AsyncIterator<unknown>, options: EventStreamOptions = {}): Readable {
  return Readable.from(serialize(events, options), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* serialize(
  events: AsyncIterator<unknown>,
  options: EventStreamOptions,
): AsyncGenerator<string> {
  const { pingMs = defaultPingMs, done = true, dialect = dialectOf(null), requestId = '' } = options;
  if (options.greeting) yield options.greeting === 'ping' ? dialect.ping : `: ${options.greeting}\n\n`;
  try {
    let pending = events.next();
    for (;;) {
      const next = await withPing(pending, pingMs);
      if (next === 'ping') {
        yield dialect.ping;
        continue;
      }
      if (next.done) break;
      yield dialect.event(next.value);
      pending = events.next();
    }
    options.onComplete?.();
    if (done) yield dialect.end;
  } catch (error) {
    options.onFailure?.(error);
    const known = error instanceof ApiError ? error : new ApiError('internal_error', 'The answer broke off.');
    yield dialect.failure(known, requestId);
  } finally {
    await events.return?.();
  }
}

/** The next event, or 'ping' when it takes longer than `pingMs`; the pending promise stays good either way. */
async function withPing<T>(
  pending: Promise<IteratorResult<T>>,
  pingMs: number,
): Promise<IteratorResult<T> | 'ping'> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'ping'>((resolve) => {
    timer = setTimeout(() => resolve('ping'), pingMs);
    timer.unref();
  });
  try {
    return await Promise.race([pending, silence]);
  } finally {
    clearTimeout(timer);
  }
}
