/** Table `sealed_records`: what is kept of chats, work, answers, files, batches and servers of tools, sealed. */
import type { Database } from './open.ts';

export type SealedKind =
  | 'conversation'
  | 'preset'
  | 'work'
  | 'response'
  | 'file'
  | 'batch'
  | 'mcp_server'
  | 'watched_folder'
  | 'install_key';

export interface SealedHeadRow {
  /** Of the key that reaches it; empty for the person's own. */
  owner: string;
  id: string;
  updatedMs: number;
  head: Buffer;
}

export interface SealedRow extends SealedHeadRow {
  content: Buffer;
}

export interface SealedRecordStore {
  /** True once anything is kept under the installation's key, in this table or another; short-lived answers do not count. */
  holdsAny(): boolean;
  /** Newest first; of every owner where none is named. */
  list(kind: SealedKind, owner?: string): SealedHeadRow[];
  find(kind: SealedKind, owner: string, id: string): SealedRow | undefined;
  put(kind: SealedKind, row: SealedRow): void;
  setHead(kind: SealedKind, row: Omit<SealedHeadRow, 'updatedMs'>): void;
  remove(kind: SealedKind, owner: string, id: string): boolean;
  clear(kind: SealedKind): void;
  /** Removes what was last changed before, and all but the newest `keep`. */
  prune(kind: SealedKind, beforeMs: number, keep: number): void;
}

const headColumns = 'owner, id, updated_ms AS updatedMs, head';

export function createSealedRecordStore(db: Database): SealedRecordStore {
  const list = db.prepare<[{ kind: string; owner: string | null }], SealedHeadRow>(
    `SELECT ${headColumns} FROM sealed_records WHERE kind = @kind AND (@owner IS NULL OR owner = @owner)
       ORDER BY updated_ms DESC, id`,
  );
  const find = db.prepare<[string, string, string], SealedRow>(
    `SELECT ${headColumns}, content FROM sealed_records WHERE kind = ? AND owner = ? AND id = ?`,
  );
  const put = db.prepare<[SealedRow & { kind: string }]>(
    'INSERT OR REPLACE INTO sealed_records VALUES (@kind, @owner, @id, @updatedMs, @head, @content)',
  );
  const setHead = db.prepare<[Buffer, string, string, string]>(
    'UPDATE sealed_records SET head = ? WHERE kind = ? AND owner = ? AND id = ?',
  );
  const remove = db.prepare<[string, string, string]>(
    'DELETE FROM sealed_records WHERE kind = ? AND owner = ? AND id = ?',
  );
  const clear = db.prepare<[string]>('DELETE FROM sealed_records WHERE kind = ?');
  const expire = db.prepare<[string, number]>('DELETE FROM sealed_records WHERE kind = ? AND updated_ms < ?');
  const trim = db.prepare<[{ kind: string; keep: number }]>(
    `DELETE FROM sealed_records WHERE kind = @kind AND rowid NOT IN
       (SELECT rowid FROM sealed_records WHERE kind = @kind ORDER BY updated_ms DESC LIMIT @keep)`,
  );
  const holdsAny = db
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM sealed_records) OR EXISTS (SELECT 1 FROM batch_lines)
         OR EXISTS (SELECT 1 FROM remote_engines WHERE secret IS NOT NULL)`,
    )
    .pluck();
  return {
    holdsAny: () => holdsAny.get() === 1,
    list: (kind, owner) => list.all({ kind, owner: owner ?? null }),
    find: (kind, owner, id) => find.get(kind, owner, id),
    put: (kind, row) => void put.run({ ...row, kind }),
    setHead: (kind, { owner, id, head }) => void setHead.run(head, kind, owner, id),
    remove: (kind, owner, id) => remove.run(kind, owner, id).changes > 0,
    clear: (kind) => void clear.run(kind),
    prune(kind, beforeMs, keep) {
      expire.run(kind, beforeMs);
      trim.run({ kind, keep });
    },
  };
}
