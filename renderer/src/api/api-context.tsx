/** The client and the event feed, handed to pages by context so that tests can put others in their place. */
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsoleEvent } from '../../../server/api/console/console.ts';
import type { Client } from './client.ts';
import type { EventFeed, FeedState } from './event-feed.ts';

export const ClientContext = createContext<Client | null>(null);
export const FeedContext = createContext<EventFeed | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('No client in context');
  return client;
}

/** Calls `listener` with every console event while the component is mounted. */
export function useConsoleEvents(listener: (event: ConsoleEvent) => void): void {
  const feed = useContext(FeedContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => feed?.onEvent((event) => latest.current(event)), [feed]);
}

const never = () => () => undefined;

export function useFeedState(): FeedState {
  const feed = useContext(FeedContext);
  return useSyncExternalStore(feed?.onState ?? never, () => feed?.state() ?? 'connecting');
}
