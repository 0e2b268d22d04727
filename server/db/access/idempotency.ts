/** Table `idempotency`: finished answers under an Idempotency-Key, sealed, until they expire. */
import type { Database } from '../open.ts';

export interface StoredAnswer {
  id: string;
  fingerprint: string;
  sealed: Buffer;
  /** Unix milliseconds. */
  expires: number;
}

export interface IdempotencyStore {
  find(id: string): StoredAnswer | undefined;
  put(answer: StoredAnswer): void;
  deleteExpired(nowMs: number): void;
}

export function createIdempotencyStore(db: Database): IdempotencyStore {
  const find = db.prepare<[string], StoredAnswer>(
    'SELECT id, fingerprint, sealed, expires_ms AS expires FROM idempotency WHERE id = ?',
  );
  const put = db.prepare<[StoredAnswer]>(
    'INSERT OR REPLACE INTO idempotency VALUES (@id, @fingerprint, @sealed, @expires)',
  );
  const deleteExpired = db.prepare<[number]>('DELETE FROM idempotency WHERE expires_ms <= ?');
  return {
    find: (id) => find.get(id),
    put: (answer) => void put.run(answer),
    deleteExpired: (nowMs) => void deleteExpired.run(nowMs),
  };
}
