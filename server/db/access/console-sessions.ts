/** Table `console_sessions`: one row a session, with hashes of its two secrets. */
import type { Database } from '../open.ts';

/** Times in Unix milliseconds. */
export interface SessionRow {
  id: string;
  cookieHash: string;
  pageHash: string;
  /** The browser's own name. */
  agent: string;
  createdMs: number;
  usedMs: number;
}

export interface ConsoleSessionStore {
  insert(row: SessionRow): void;
  byCookie(hash: string): SessionRow | undefined;
  all(): SessionRow[];
  touch(id: string, usedMs: number): void;
  /** True if it was there. */
  remove(id: string): boolean;
  clear(): void;
  /** Removes those not used since. */
  removeIdle(sinceMs: number): void;
}

const columns =
  'id, cookie_hash AS cookieHash, page_hash AS pageHash, agent, created_ms AS createdMs, used_ms AS usedMs';

export function createConsoleSessionStore(db: Database): ConsoleSessionStore {
  const insert = db.prepare<[SessionRow]>(
    'INSERT INTO console_sessions VALUES (@id, @cookieHash, @pageHash, @agent, @createdMs, @usedMs)',
  );
  const byCookie = db.prepare<[string], SessionRow>(
    `SELECT ${columns} FROM console_sessions WHERE cookie_hash = ?`,
  );
  const all = db.prepare<[], SessionRow>(`SELECT ${columns} FROM console_sessions ORDER BY used_ms DESC, id`);
  const touch = db.prepare<[number, string]>('UPDATE console_sessions SET used_ms = ? WHERE id = ?');
  const remove = db.prepare<[string]>('DELETE FROM console_sessions WHERE id = ?');
  const clear = db.prepare('DELETE FROM console_sessions');
  const removeIdle = db.prepare<[number]>('DELETE FROM console_sessions WHERE used_ms <= ?');
  return {
    insert: (row) => void insert.run(row),
    byCookie: (hash) => byCookie.get(hash),
    all: () => all.all(),
    touch: (id, usedMs) => void touch.run(usedMs, id),
    remove: (id) => remove.run(id).changes > 0,
    clear: () => void clear.run(),
    removeIdle: (sinceMs) => void removeIdle.run(sinceMs),
  };
}
