/** Table `batch_lines`: answered lines of batches, sealed, until their output files are made. */
import type { Database } from './open.ts';

export interface BatchLineRow {
  owner: string;
  batch: string;
  /** From 0, in the input file. */
  line: number;
  failed: 0 | 1;
  promptTokens: number;
  completionTokens: number;
  content: Buffer;
}

export interface BatchSums {
  done: number;
  failed: number;
  promptTokens: number;
  completionTokens: number;
}

export interface BatchLineStore {
  put(row: BatchLineRow): void;
  /** Numbers of the lines that are answered. */
  answered(owner: string, batch: string): number[];
  sums(owner: string, batch: string): BatchSums;
  /** In the order of the input. */
  contents(owner: string, batch: string, failed: 0 | 1): { line: number; content: Buffer }[];
  clear(owner: string, batch: string): void;
}

export function createBatchLineStore(db: Database): BatchLineStore {
  const put = db.prepare<[BatchLineRow]>(
    `INSERT OR REPLACE INTO batch_lines
       VALUES (@owner, @batch, @line, @failed, @promptTokens, @completionTokens, @content)`,
  );
  const answered = db
    .prepare<[string, string], number>('SELECT line FROM batch_lines WHERE owner = ? AND batch = ?')
    .pluck();
  const sums = db.prepare<[string, string], BatchSums>(
    `SELECT count(*) AS done, coalesce(sum(failed), 0) AS failed,
       coalesce(sum(prompt_tokens), 0) AS promptTokens, coalesce(sum(completion_tokens), 0) AS completionTokens
       FROM batch_lines WHERE owner = ? AND batch = ?`,
  );
  const contents = db.prepare<[string, string, number], { line: number; content: Buffer }>(
    'SELECT line, content FROM batch_lines WHERE owner = ? AND batch = ? AND failed = ? ORDER BY line',
  );
  const clear = db.prepare<[string, string]>('DELETE FROM batch_lines WHERE owner = ? AND batch = ?');
  return {
    put: (row) => void put.run(row),
    answered: (owner, batch) => answered.all(owner, batch) as number[],
    sums: (owner, batch) => sums.get(owner, batch)!,
    contents: (owner, batch, failed) => contents.all(owner, batch, failed),
    clear: (owner, batch) => void clear.run(owner, batch),
  };
}
