/** Live events for the console: requests, host states, progress. A reader that falls behind loses the oldest. */
import type { ConsoleEvent } from '../../api/console/console.ts';

export interface EventBus {
  publish(event: ConsoleEvent): void;
  /** True while anyone reads, so that events nobody sees need not be made. */
  readonly observed: boolean;
  /** Events from now on, until the signal aborts. */
  subscribe(signal: AbortSignal): AsyncIterable<ConsoleEvent>;
}

const mostBuffered = 1_000;

export function createEventBus(): EventBus {
  const readers = new Set<(event: ConsoleEvent) => void>();
  return {
    publish(event) {
      for (const read of readers) read(event);
    },
    get observed() {
      return readers.size > 0;
    },
    subscribe: (signal) => read(readers, signal),
  };
}

async function* read(
  readers: Set<(event: ConsoleEvent) => void>,
  signal: AbortSignal,
): AsyncGenerator<ConsoleEvent> {
  const buffer: ConsoleEvent[] = [];
  let wake = () => {};
  const receive = (event: ConsoleEvent) => {
    buffer.push(event);
    if (buffer.length > mostBuffered) buffer.shift();
    wake();
  };
  const stop = () => wake();
  readers.add(receive);
  signal.addEventListener('abort', stop, { once: true });
  try {
    while (!signal.aborted) {
      const event = buffer.shift();
      if (event) yield event;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    readers.delete(receive);
    signal.removeEventListener('abort', stop);
  }
}
