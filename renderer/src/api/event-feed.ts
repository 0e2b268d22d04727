/** One stream of events for the whole page, shared by every listener; it is opened again when it breaks off. */
import type { ConsoleEvent } from '../../../server/api/console/console.ts';
import type { Client } from './client.ts';
import { readEvents } from './sse.ts';

export type FeedState = 'connecting' | 'open' | 'lost';

export interface EventFeed {
  onEvent(listener: (event: ConsoleEvent) => void): () => void;
  onState(listener: () => void): () => void;
  state(): FeedState;
  close(): void;
}

const reopenMs = 3_000;

/** An EventSource cannot carry the page's secret, so the stream is read from a fetch. */
export function openEventFeed(client: Client): EventFeed {
  const eventListeners = new Set<(event: ConsoleEvent) => void>();
  const stateListeners = new Set<() => void>();
  const closed = new AbortController();
  let state: FeedState = 'connecting';

  function become(next: FeedState): void {
    if (state === next || closed.signal.aborted) return;
    state = next;
    for (const listener of stateListeners) listener();
  }

  async function read(): Promise<void> {
    const answer = await client.open('GET /console/events', { signal: closed.signal });
    become('open');
    for await (const data of readEvents(answer.body!)) {
      const event = JSON.parse(data) as ConsoleEvent | { error: unknown };
      if ('type' in event) for (const listener of eventListeners) listener(event);
    }
  }

  async function keepReading(): Promise<void> {
    while (!closed.signal.aborted) {
      await read().catch(() => undefined);
      become('lost');
      await pause(reopenMs, closed.signal);
    }
  }
  void keepReading();

  return {
    onEvent: (listener) => subscribe(eventListeners, listener),
    onState: (listener) => subscribe(stateListeners, listener),
    state: () => state,
    close: () => closed.abort(),
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}
