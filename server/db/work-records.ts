/** Table `work_records`: work of the playgrounds that is kept across restarts, sealed. */
import type { Database } from './open.ts';

export interface WorkRecordHead {
  id: string;
  updatedMs: number;
  head: Buffer;
}

export interface WorkRecordRow extends WorkRecordHead {
  content: Buffer;
}

export interface WorkRecordStore {
  /** Newest first. */
  list(): WorkRecordHead[];
  find(id: string): WorkRecordRow | undefined;
  put(row: WorkRecordRow): void;
  setHead(id: string, head: Buffer): void;
  remove(id: string): boolean;
  clear(): void;
  /** Removes what was last changed before, and all but the newest `keep`. */
  prune(beforeMs: number, keep: number): void;
}

export function createWorkRecordStore(db: Database): WorkRecordStore {
  const list = db.prepare<[], WorkRecordHead>(
    'SELECT id, updated_ms AS updatedMs, head FROM work_records ORDER BY updated_ms DESC, id',
  );
  const find = db.prepare<[string], WorkRecordRow>(
    'SELECT id, updated_ms AS updatedMs, head, content FROM work_records WHERE id = ?',
  );
  const put = db.prepare<[WorkRecordRow]>(
    'INSERT OR REPLACE INTO work_records VALUES (@id, @updatedMs, @head, @content)',
  );
  const setHead = db.prepare<[Buffer, string]>('UPDATE work_records SET head = ? WHERE id = ?');
  const remove = db.prepare<[string]>('DELETE FROM work_records WHERE id = ?');
  const clear = db.prepare<[]>('DELETE FROM work_records');
  const expire = db.prepare<[number]>('DELETE FROM work_records WHERE updated_ms < ?');
  const trim = db.prepare<[number]>(
    'DELETE FROM work_records WHERE id NOT IN (SELECT id FROM work_records ORDER BY updated_ms DESC LIMIT ?)',
  );
  return {
    list: () => list.all(),
    find: (id) => find.get(id),
    put: (row) => void put.run(row),
    setHead: (id, head) => void setHead.run(head, id),
    remove: (id) => remove.run(id).changes > 0,
    clear: () => void clear.run(),
    prune(beforeMs, keep) {
      expire.run(beforeMs);
      trim.run(keep);
    },
  };
}
