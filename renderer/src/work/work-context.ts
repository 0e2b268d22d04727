/** The one store of the app's work, and what a playground's page uses of it. */
import { createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { createWorkStore, type Delivery, type JobOptions, type RunningJob, type Work } from './store.ts';

export const work = createWorkStore();

/** The session whose page a component stands on. */
export const SessionContext = createContext<string>('');

export const useAllWork = (): Work => useSyncExternalStore(work.subscribe, work.get);

export interface PageWork {
  id: string;
  /** Names what the page holds; null: nothing. */
  setTitle(title: string | null): void;
  /** Tells the frame of running work until `end` is called. */
  start(options?: JobOptions): RunningJob;
  /** Content kept by an earlier run of the app, as this page handed it over. */
  restored: unknown;
}

export function usePageWork(): PageWork {
  const id = useContext(SessionContext);
  return useMemo(
    () => ({
      id,
      setTitle: (title) => work.setTitle(id, title),
      start: (options) => work.start(id, options),
      restored: work.get().sessions.find((each) => each.id === id)?.restored ?? null,
    }),
    [id],
  );
}

/** Keeps the session's name that of what the page holds. */
export function useTitle(title: string | null): void {
  const { setTitle } = usePageWork();
  useEffect(() => setTitle(title), [setTitle, title]);
}

/** Called once with what was dropped or pasted elsewhere and brought here. */
export function useDelivery(take: (delivery: Delivery) => void): void {
  const id = useContext(SessionContext);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  const delivery = useSyncExternalStore(
    work.subscribe,
    () => work.get().sessions.find((each) => each.id === id)?.delivery ?? null,
  );
  useEffect(() => {
    if (!delivery) return;
    work.taken(id);
    latest.current(delivery);
  }, [delivery, id]);
}
