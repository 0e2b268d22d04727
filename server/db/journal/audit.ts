/** Tables `audit_log` and `audit_head`: what was done to this installation, in a chain of hashes. Lines are only added. */
import { dirname } from 'node:path';
import type { Database } from '../open.ts';
import { withBallast } from '../room.ts';

/** One administrative act, as it is stored, exported and hashed. Never a secret or a payload. */
export interface AuditLine {
  /** 1, 2, 3 … without a gap. */
  sequence: number;
  /** Unix milliseconds. */
  time_ms: number;
  /** `console ses_…`, `key key_…`, `command line` or `system`. */
  actor: string;
  /** The act, e.g. `key.create`. */
  action: string;
  /** To what; null where there is one alone. */
  target: string | null;
  changes: Record<string, unknown>;
  /** SHA-256 over this line and the hash of the one before. */
  hash: string;
}

export interface AuditHead {
  sequence: number;
  hash: string;
}

export interface AuditStore {
  /**
   * Runs `write` and adds the line that `toLine` makes of the latest one: both or neither, also beside another process and on a
   * full disk.
   */
  append<T>(write: () => T, toLine: (head: AuditHead | null) => AuditLine): T;
  /** In their order; `newest` alone where given. */
  lines(newest?: number): AuditLine[];
  head(): AuditHead | null;
}

export function createAuditStore(db: Database): AuditStore {
  type Row = Omit<AuditLine, 'changes'> & { changes: string };
  const insert = db.prepare<[Row]>(
    'INSERT INTO audit_log VALUES (@sequence, @time_ms, @actor, @action, @target, @changes, @hash)',
  );
  const setHead = db.prepare<[number, string]>('INSERT OR REPLACE INTO audit_head VALUES (1, ?, ?)');
  const head = db.prepare<[], AuditHead>('SELECT sequence, hash FROM audit_head');
  const newest = db.prepare<[number], Row>(
    'SELECT * FROM (SELECT * FROM audit_log ORDER BY sequence DESC LIMIT ?) ORDER BY sequence',
  );
  return {
    append: <T>(write: () => T, toLine: (head: AuditHead | null) => AuditLine): T => {
      const transaction = db.transaction(() => {
        const result = write();
        const line = toLine(head.get() ?? null);
        insert.run({ ...line, changes: JSON.stringify(line.changes) });
        setHead.run(line.sequence, line.hash);
        return result;
      }).immediate;
      // A transaction within another cannot be run again by itself.
      return db.inTransaction ? transaction() : withBallast(dirname(db.name), transaction);
    },
    lines: (count = -1) => newest.all(count).map((row) => ({ ...row, changes: JSON.parse(row.changes) })),
    head: () => head.get() ?? null,
  };
}
