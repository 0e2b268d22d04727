/** Table `responses`: kept answers, sealed. A key reaches its own alone. */
import type { Database } from './open.ts';

export interface ResponseRow {
  id: string;
  keyId: string;
  createdMs: number;
  content: Buffer;
}

export interface ResponseStore {
  put(row: ResponseRow): void;
  find(keyId: string, id: string): Buffer | undefined;
  remove(keyId: string, id: string): boolean;
  /** Removes what was made before, and all but the newest `keep`. */
  prune(beforeMs: number, keep: number): void;
}

export function createResponseStore(db: Database): ResponseStore {
  const put = db.prepare<[ResponseRow]>(
    'INSERT OR REPLACE INTO responses VALUES (@id, @keyId, @createdMs, @content)',
  );
  const find = db
    .prepare<[string, string], Buffer>('SELECT content FROM responses WHERE key_id = ? AND id = ?')
    .pluck();
  const remove = db.prepare<[string, string]>('DELETE FROM responses WHERE key_id = ? AND id = ?');
  const expire = db.prepare<[number]>('DELETE FROM responses WHERE created_ms < ?');
  const trim = db.prepare<[number]>(
    'DELETE FROM responses WHERE rowid NOT IN (SELECT rowid FROM responses ORDER BY created_ms DESC LIMIT ?)',
  );
  return {
    put: (row) => void put.run(row),
    find: (keyId, id) => find.get(keyId, id) as Buffer | undefined,
    remove: (keyId, id) => remove.run(keyId, id).changes > 0,
    prune(beforeMs, keep) {
      expire.run(beforeMs);
      trim.run(keep);
    },
  };
}
