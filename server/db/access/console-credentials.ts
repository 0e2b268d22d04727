/** Table `console_credentials`: hashes of one-time tokens. */
import type { Database } from '../open.ts';

export interface ConsoleCredentialStore {
  add(hash: string, expiresMs: number): void;
  /** Deletes it; its expiry in Unix milliseconds if it was there. */
  take(hash: string): number | undefined;
  clear(): void;
  deleteExpired(nowMs: number): void;
}

export function createConsoleCredentialStore(db: Database): ConsoleCredentialStore {
  const add = db.prepare<[string, number]>("INSERT INTO console_credentials VALUES (?, 'token', ?)");
  const take = db
    .prepare<[string], number>('DELETE FROM console_credentials WHERE hash = ? RETURNING expires_ms')
    .pluck();
  const clear = db.prepare('DELETE FROM console_credentials');
  const deleteExpired = db.prepare<[number]>('DELETE FROM console_credentials WHERE expires_ms <= ?');
  return {
    add: (hash, expiresMs) => void add.run(hash, expiresMs),
    take: (hash) => take.get(hash),
    clear: () => void clear.run(),
    deleteExpired: (nowMs) => void deleteExpired.run(nowMs),
  };
}
