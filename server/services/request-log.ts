/** The request log: metadata of finished requests, written in batches and bounded by a setting. */
import type { RequestEntry, Settings } from '../api/console.ts';
import type { RequestLogStore } from '../db/request-log.ts';

export interface RequestLogService {
  add(entry: RequestEntry): void;
  flush(): void;
  /** Newest first. */
  latest(count: number): RequestEntry[];
  clear(): void;
}

/** Of a burst between two flushes, the log keeps the last thousand at least. */
const mostPending = 1_000;

export function createRequestLogService(store: RequestLogStore, settings: () => Settings): RequestLogService {
  let pending: RequestEntry[] = [];

  function flush(): void {
    if (pending.length === 0) return;
    const keep = settings().request_log_rows;
    store.append(keep === 0 ? [] : pending.slice(-keep), keep);
    pending = [];
  }

  return {
    add(entry) {
      pending.push(entry);
      if (pending.length >= 2 * mostPending) pending = pending.slice(-mostPending);
    },
    flush,
    latest(count) {
      flush();
      return store.latest(count);
    },
    clear() {
      pending = [];
      store.clear();
    },
  };
}
