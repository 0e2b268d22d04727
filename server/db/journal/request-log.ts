/** Table `request_log`: metadata of the latest requests, bounded. Entries are numbered; a row holds a group of them. */
import type { RequestEntry } from '../../api/console/console.ts';
import type { Database } from '../open.ts';

export interface RequestLogStore {
  /** Appends in order, then drops the oldest beyond `keep`. */
  append(entries: RequestEntry[], keep: number): void;
  /** Newest first. */
  latest(count: number): RequestEntry[];
  clear(): void;
}

interface Row {
  /** Number of its last entry. */
  last: number;
  entries: string;
}

const groupSize = 100;
const parse = (entries: string): RequestEntry[] => JSON.parse(entries);

export function createRequestLogStore(db: Database): RequestLogStore {
  const newest = db.prepare<[], number | null>('SELECT max(last) FROM request_log').pluck();
  const insert = db.prepare<[number, string]>('INSERT INTO request_log VALUES (?, ?)');
  const prune = db.prepare<[number]>('DELETE FROM request_log WHERE last <= ?');
  const oldest = db.prepare<[], Row>('SELECT last, entries FROM request_log ORDER BY last LIMIT 1');
  const replace = db.prepare<[string, number]>('UPDATE request_log SET entries = ? WHERE last = ?');
  const latest = db.prepare<[], string>('SELECT entries FROM request_log ORDER BY last DESC').pluck();
  const clear = db.prepare('DELETE FROM request_log');

  /** The oldest group may hold some that are kept. @param upTo number of the last entry that is not */
  function dropUpTo(upTo: number): void {
    prune.run(upTo);
    const row = oldest.get();
    if (!row) return;
    const entries = parse(row.entries);
    const kept = row.last - upTo;
    if (kept < entries.length) replace.run(JSON.stringify(entries.slice(-kept)), row.last);
  }

  return {
    append: db.transaction((entries: RequestEntry[], keep: number) => {
      let last = newest.get() ?? 0;
      for (let start = 0; start < entries.length; start += groupSize) {
        const group = entries.slice(start, start + groupSize);
        last += group.length;
        insert.run(last, JSON.stringify(group));
      }
      dropUpTo(last - keep);
    }),
    latest(count) {
      const found: RequestEntry[] = [];
      if (count > 0)
        for (const group of latest.iterate()) {
          found.push(...parse(group).reverse());
          if (found.length >= count) break;
        }
      return found.slice(0, count);
    },
    clear: () => void clear.run(),
  };
}
