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

const mostPending = 20_000;

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
      // While the database cannot be written, the log must not grow without end.
      if (pending.length > mostPending) pending = pending.slice(-mostPending / 2);
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
