/** One EventSource for the whole page, shared by every listener; it reconnects by itself. */
import type { ConsoleEvent } from '../../../server/api/console.ts';

export type FeedState = 'connecting' | 'open' | 'lost';

export interface EventFeed {
  onEvent(listener: (event: ConsoleEvent) => void): () => void;
  onState(listener: () => void): () => void;
  state(): FeedState;
  close(): void;
}

/** After the browser gives an EventSource up for good (an error status), it is opened anew. */
const reopenMs = 3_000;

export function openEventFeed(url = '/console/events'): EventFeed {
  const eventListeners = new Set<(event: ConsoleEvent) => void>();
  const stateListeners = new Set<() => void>();
  let state: FeedState = 'connecting';
  let source: EventSource;
  let timer = 0;

  function become(next: FeedState): void {
    if (state === next) return;
    state = next;
    for (const listener of stateListeners) listener();
  }

  function open(): void {
    source = new EventSource(url);
    source.onopen = () => become('open');
    source.onerror = () => {
      become('lost');
      if (source.readyState === EventSource.CLOSED) timer = window.setTimeout(open, reopenMs);
    };
    source.onmessage = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as ConsoleEvent;
      for (const listener of eventListeners) listener(event);
    };
  }
  open();

  return {
    onEvent: (listener) => subscribe(eventListeners, listener),
    onState: (listener) => subscribe(stateListeners, listener),
    state: () => state,
    close() {
      clearTimeout(timer);
      source.close();
    },
  };
}

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}
