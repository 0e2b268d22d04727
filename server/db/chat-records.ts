/** Table `chat_records`: conversations and presets of the chat playground, sealed. */
import type { Database } from './open.ts';

export type ChatRecordKind = 'conversation' | 'preset';

export interface ChatRecordHead {
  id: string;
  updatedMs: number;
  title: Buffer;
}

export interface ChatRecordRow extends ChatRecordHead {
  content: Buffer;
}

export interface ChatRecordStore {
  /** Newest first. */
  list(kind: ChatRecordKind): ChatRecordHead[];
  find(kind: ChatRecordKind, id: string): ChatRecordRow | undefined;
  put(kind: ChatRecordKind, row: ChatRecordRow): void;
  remove(kind: ChatRecordKind, id: string): boolean;
  clear(kind: ChatRecordKind): void;
  /** Removes what was last changed before, and all but the newest `keep`. */
  prune(kind: ChatRecordKind, beforeMs: number, keep: number): void;
}

const columns = 'id, updated_ms AS updatedMs, title';

export function createChatRecordStore(db: Database): ChatRecordStore {
  const list = db.prepare<[string], ChatRecordHead>(
    `SELECT ${columns} FROM chat_records WHERE kind = ? ORDER BY updated_ms DESC, id`,
  );
  const find = db.prepare<[string, string], ChatRecordRow>(
    `SELECT ${columns}, content FROM chat_records WHERE kind = ? AND id = ?`,
  );
  const put = db.prepare<[ChatRecordRow & { kind: string }]>(
    'INSERT OR REPLACE INTO chat_records VALUES (@id, @kind, @updatedMs, @title, @content)',
  );
  const remove = db.prepare<[string, string]>('DELETE FROM chat_records WHERE kind = ? AND id = ?');
  const clear = db.prepare<[string]>('DELETE FROM chat_records WHERE kind = ?');
  const expire = db.prepare<[string, number]>('DELETE FROM chat_records WHERE kind = ? AND updated_ms < ?');
  const trim = db.prepare<[{ kind: string; keep: number }]>(
    `DELETE FROM chat_records WHERE kind = @kind AND id NOT IN
       (SELECT id FROM chat_records WHERE kind = @kind ORDER BY updated_ms DESC LIMIT @keep)`,
  );
  return {
    list: (kind) => list.all(kind),
    find: (kind, id) => find.get(kind, id),
    put: (kind, row) => void put.run({ ...row, kind }),
    remove: (kind, id) => remove.run(kind, id).changes > 0,
    clear: (kind) => void clear.run(kind),
    prune(kind, beforeMs, keep) {
      expire.run(kind, beforeMs);
      trim.run({ kind, keep });
    },
  };
}
