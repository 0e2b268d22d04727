/** Table `console_credentials`: hashes of one-time tokens and sessions. */
import type { Database } from './open.ts';

export type CredentialKind = 'token' | 'session';

export interface ConsoleCredentialStore {
  add(hash: string, kind: CredentialKind, expiresMs: number): void;
  /** Expiry in Unix milliseconds. */
  expiry(hash: string, kind: CredentialKind): number | undefined;
  /** Deletes it; its expiry if it was there. */
  take(hash: string, kind: CredentialKind): number | undefined;
  deleteExpired(nowMs: number): void;
}

export function createConsoleCredentialStore(db: Database): ConsoleCredentialStore {
  const add = db.prepare<[string, string, number]>('INSERT INTO console_credentials VALUES (?, ?, ?)');
  const expiry = db
    .prepare<[string, string], number>(
      'SELECT expires_ms FROM console_credentials WHERE hash = ? AND kind = ?',
    )
    .pluck();
  const take = db
    .prepare<[string, string], number>(
      'DELETE FROM console_credentials WHERE hash = ? AND kind = ? RETURNING expires_ms',
    )
    .pluck();
  const deleteExpired = db.prepare<[number]>('DELETE FROM console_credentials WHERE expires_ms <= ?');
  return {
    add: (hash, kind, expiresMs) => void add.run(hash, kind, expiresMs),
    expiry: (hash, kind) => expiry.get(hash, kind),
    take: (hash, kind) => take.get(hash, kind),
    deleteExpired: (nowMs) => void deleteExpired.run(nowMs),
  };
}
