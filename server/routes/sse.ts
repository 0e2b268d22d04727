/**
 * Server-sent events as the OpenAI SDKs read them: `data: {…}` per event, `: ping` after a silence, one
 * `data: {"error":…}` where the work fails after the headers are out, and `data: [DONE]` only after a whole answer.
 */
import { Readable } from 'node:stream';
import { ApiError } from '../errors.ts';

export interface EventStreamOptions {
  /** Milliseconds of silence before a comment keeps the connection alive. */
  pingMs?: number;
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
  const { pingMs = defaultPingMs, done = true } = options;
  if (options.greeting) yield `: ${options.greeting}\n\n`;
  try {
    let pending = events.next();
    for (;;) {
      const next = await withPing(pending, pingMs);
      if (next === 'ping') {
        yield ': ping\n\n';
        continue;
      }
      if (next.done) break;
      yield `data: ${JSON.stringify(next.value)}\n\n`;
      pending = events.next();
    }
    options.onComplete?.();
    if (done) yield 'data: [DONE]\n\n';
  } catch (error) {
    options.onFailure?.(error);
    const known = error instanceof ApiError ? error : new ApiError('internal_error', 'The answer broke off.');
    yield `data: ${JSON.stringify(known.toBody())}\n\n`;
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
