/** Batches and their answered lines as they are kept, sealed. */
import type { Batch } from '../../api/protocols/batches.ts';
import type { BatchLineStore, BatchSums } from '../../db/batch-lines.ts';
import { ApiError } from '../../errors.ts';
import { seal, unseal } from '../idempotency/install-key.ts';
import { createSealedRecords, type SealedRecordDeps } from '../sealed-records.ts';

export interface BatchState {
  owner: string;
  /** The key that began it. */
  keyId?: string;
  /** Unix milliseconds by this machine's clock, whatever `created_at` says. */
  startedMs: number;
  batch: Batch;
  /** Of a test key: its times are those of its creation. */
  isTest: boolean;
  outputSeconds: number | null;
}

export interface LineResult {
  line: number;
  failed: boolean;
  promptTokens: number;
  completionTokens: number;
  text: string;
}

export interface BatchRecords {
  /** Newest first; of every key where none is named. */
  list(owner?: string): BatchState[];
  /** @throws ApiError not_found */
  get(owner: string, id: string): BatchState;
  has(owner: string, id: string): boolean;
  add(state: BatchState): void;
  save(state: BatchState): void;
  remove(owner: string, id: string): void;
  putLine(state: BatchState, result: LineResult): void;
  answered(state: BatchState): Set<number>;
  /** The answered lines of one kind, in the order of the input, each with its line break. */
  texts(state: BatchState, failed: boolean): Generator<Buffer>;
  clearLines(state: BatchState): void;
  prune(days: number): void;
}

export function createBatchRecords(deps: SealedRecordDeps & { lines: BatchLineStore }): BatchRecords {
  const { lines, installKey } = deps;
  const records = createSealedRecords(deps, {
    kind: 'batch',
    place: (part, id, owner) => `batch ${owner} ${id} ${part}`,
  });
  const linePlace = ({ owner, batch }: BatchState, line: number) => `batch ${owner} ${batch.id} line ${line}`;

  const toState = (owner: string, updatedMs: number, head: string): BatchState =>
    withSums({
      ...(JSON.parse(head) as Omit<BatchState, 'owner' | 'startedMs'>),
      owner,
      startedMs: updatedMs,
    });

  /** While it runs, the counts are those of its lines. */
  function withSums(state: BatchState): BatchState {
    const { batch, owner } = state;
    if (batch.request_counts.total === 0 || isOver(batch)) return state;
    return { ...state, batch: { ...batch, ...countsOf(batch, lines.sums(owner, batch.id)) } };
  }

  const toHead = ({ batch, keyId, isTest, outputSeconds }: BatchState) =>
    JSON.stringify({ batch, keyId, isTest, outputSeconds });

  return {
    list: (owner) => records.list(owner).map((each) => toState(each.owner, each.updatedMs, each.head)),

    get(owner, id) {
      const record = records.find(id, owner);
      if (!record) throw new ApiError('not_found', 'There is no such batch (any more).', { param: 'id' });
      return toState(owner, record.updatedMs, record.head);
    },

    has: (owner, id) => records.find(id, owner) !== undefined,
    add: (state) =>
      void records.put({
        id: state.batch.id,
        owner: state.owner,
        head: toHead(state),
        content: Buffer.alloc(0),
      }),
    save: (state) => records.setHead(state.batch.id, toHead(state), state.owner),

    remove(owner, id) {
      lines.clear(owner, id);
      records.remove(id, owner);
    },

    putLine(state, { text, failed, ...result }) {
      const content = seal(installKey, Buffer.from(`${text}\n`), linePlace(state, result.line));
      lines.put({
        owner: state.owner,
        batch: state.batch.id,
        ...result,
        failed: failed ? 1 : 0,
        content,
      });
    },

    answered: ({ owner, batch }) => new Set(lines.answered(owner, batch.id)),

    *texts(state, failed) {
      for (const { line, content } of lines.contents(state.owner, state.batch.id, failed ? 1 : 0)) {
        const text = unseal(installKey, content, linePlace(state, line));
        if (text) yield text;
      }
    },

    clearLines: ({ owner, batch }) => lines.clear(owner, batch.id),

    /** Switched off, nothing is young enough to stay. */
    prune(days) {
      const gone = deps.now() - days * 86_400_000;
      for (const { id, owner, updatedMs } of records.list()) if (updatedMs < gone) lines.clear(owner, id);
      records.prune(days, Number.MAX_SAFE_INTEGER);
    },
  };
}

export const isOver = ({ status }: Batch): boolean =>
  status === 'completed' || status === 'failed' || status === 'expired' || status === 'cancelled';

export const countsOf = (
  { request_counts: { total } }: Batch,
  { done, failed, promptTokens, completionTokens }: BatchSums,
): Pick<Batch, 'request_counts' | 'usage'> => ({
  request_counts: { total, completed: done - failed, failed },
  usage: {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: promptTokens + completionTokens,
  },
});
