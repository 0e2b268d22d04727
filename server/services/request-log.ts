/** The request log: metadata of requests, of finished ones written in batches and bounded by a setting. */
import type { RequestEntry, Settings } from '../api/console/console.ts';
import type { RequestLogStore } from '../db/journal/request-log.ts';

export interface RequestLogService {
  /** Under way until `end` is called with the same `entry`, which gives the request as it stands. */
  begin(entry: () => RequestEntry): void;
  end(entry: () => RequestEntry): void;
  add(entry: RequestEntry): void;
  flush(): void;
  /** Newest first, those under way before all others. */
  latest(count: number): RequestEntry[];
  clear(): void;
}

/** Of a burst between two flushes, the log keeps the last thousand at least. */
const mostPending = 1_000;

export function createRequestLogService(store: RequestLogStore, settings: () => Settings): RequestLogService {
  let pending: RequestEntry[] = [];
  const running = new Set<() => RequestEntry>();

  function flush(): void {
    if (pending.length === 0) return;
    const keep = settings().request_log_rows;
    store.append(keep === 0 ? [] : pending.slice(-keep), keep);
    pending = [];
  }

  return {
    begin: (entry) => void running.add(entry),
    end: (entry) => void running.delete(entry),
    add(entry) {
      pending.push(entry);
      if (pending.length >= 2 * mostPending) pending = pending.slice(-mostPending);
    },
    flush,
    latest(count) {
      flush();
      return [...[...running].reverse().map((entry) => entry()), ...store.latest(count)].slice(0, count);
    },
    clear() {
      pending = [];
      store.clear();
    },
  };
}
