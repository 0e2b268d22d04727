/** Table `connections`: the ledger of connections out of this machine, the latest of them. */
import type { Database } from '../open.ts';

export interface ConnectionRow {
  sequence: number;
  timeMs: number;
  keyId: string | null;
  keyName: string | null;
  requestId: string | null;
  /** Name or address and port; never a path, which may hold what is nobody else's business. */
  host: string;
  /** The request field that asked for it, e.g. `file_url`. */
  askedBy: string;
  /** refused: never dialled; failed: dialled without an answer. */
  outcome: 'allowed' | 'refused' | 'failed';
  reason: string;
}

export interface ConnectionStore {
  /** Returns its sequence; the oldest beyond `kept` go. */
  add(row: Omit<ConnectionRow, 'sequence'>, kept: number): number;
  settle(sequence: number, outcome: ConnectionRow['outcome'], reason: string): void;
  /** Newest first. */
  latest(count: number): ConnectionRow[];
}

export function createConnectionStore(db: Database): ConnectionStore {
  const add = db.prepare<[Omit<ConnectionRow, 'sequence'>]>(
    `INSERT INTO connections (time_ms, key_id, key_name, request_id, host, asked_by, outcome, reason)
     VALUES (@timeMs, @keyId, @keyName, @requestId, @host, @askedBy, @outcome, @reason)`,
  );
  const trim = db.prepare<[number]>('DELETE FROM connections WHERE sequence <= ?');
  const settle = db.prepare<[string, string, number]>(
    'UPDATE connections SET outcome = ?, reason = ? WHERE sequence = ?',
  );
  const latest = db.prepare<[number], ConnectionRow>(
    `SELECT sequence, time_ms AS timeMs, key_id AS keyId, key_name AS keyName, request_id AS requestId, host,
     asked_by AS askedBy, outcome, reason FROM connections ORDER BY sequence DESC LIMIT ?`,
  );
  return {
    add: db.transaction((row: Omit<ConnectionRow, 'sequence'>, kept: number) => {
      const sequence = Number(add.run(row).lastInsertRowid);
      trim.run(sequence - kept);
      return sequence;
    }),
    settle: (sequence, outcome, reason) => void settle.run(outcome, reason, sequence),
    latest: (count) => latest.all(count),
  };
}
