/** Table `failures`: the latest unexpected errors, bounded. */
import type { FailureRecord } from '../../api/console/installation/failures.ts';
import type { Database } from '../open.ts';

export interface FailureStore {
  /** Adds one, then drops the oldest beyond `keep`. */
  append(record: FailureRecord, keep: number): void;
  /** Newest first. */
  latest(count: number): FailureRecord[];
}

export function createFailureStore(db: Database): FailureStore {
  const insert = db.prepare<[string]>('INSERT INTO failures (record) VALUES (?)');
  const prune = db.prepare<[number]>(
    'DELETE FROM failures WHERE sequence <= (SELECT max(sequence) FROM failures) - ?',
  );
  const latest = db
    .prepare<[number], string>('SELECT record FROM failures ORDER BY sequence DESC LIMIT ?')
    .pluck();
  return {
    append: db.transaction((record: FailureRecord, keep: number) => {
      insert.run(JSON.stringify(record));
      prune.run(keep);
    }),
    latest: (count) => latest.all(count).map((text) => JSON.parse(text)),
  };
}
