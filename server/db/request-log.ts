/** Table `request_log`: metadata of the latest requests, bounded. */
import type { RequestEntry } from '../api/console.ts';
import type { Database } from './open.ts';

export interface RequestLogStore {
  /** Appends in order, then drops the oldest beyond `keep`. */
  append(entries: RequestEntry[], keep: number): void;
  /** Newest first. */
  latest(count: number): RequestEntry[];
  clear(): void;
}

export function createRequestLogStore(db: Database): RequestLogStore {
  const insert = db.prepare<[string]>('INSERT INTO request_log (entry) VALUES (?)');
  const prune = db.prepare<[number]>(
    'DELETE FROM request_log WHERE sequence <= (SELECT max(sequence) FROM request_log) - ?',
  );
  const latest = db
    .prepare<[number], string>('SELECT entry FROM request_log ORDER BY sequence DESC LIMIT ?')
    .pluck();
  const clear = db.prepare('DELETE FROM request_log');
  return {
    append: db.transaction((entries: RequestEntry[], keep: number) => {
      for (const entry of entries) insert.run(JSON.stringify(entry));
      prune.run(keep);
    }),
    latest: (count) => latest.all(count).map((text) => JSON.parse(text)),
    clear: () => void clear.run(),
  };
}
