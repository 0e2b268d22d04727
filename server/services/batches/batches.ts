/** /v1/batches: what waits, what runs, and what came of it. Those of live keys run one at a time, in the order they came. */

import type { Settings } from '../../api/console/console.ts';
import { operations } from '../../api/operations.ts';
import type { Batch, BatchList, BatchQuery, BatchRequest } from '../../api/protocols/batches.ts';
import type { BatchLineStore } from '../../db/batch-lines.ts';
import { ApiError } from '../../errors.ts';
import type { Caller, Principal } from '../caller.ts';
import { identify } from '../model-call.ts';
import type { SealedRecordDeps } from '../sealed-records.ts';
import { type BatchState, createBatchRecords, isOver } from './batch-records.ts';
import { type BatchRunDeps, finishBatch, type LinePerformer, runBatch, secondsOf } from './batch-run.ts';
import { toListPage } from './list-page.ts';

export type OwnedBatch = Pick<BatchState, 'owner' | 'keyId' | 'batch'>;

export interface BatchService {
  /** @throws ApiError not_found for the file, insufficient_scope, conflict */
  create(body: BatchRequest, caller: Caller): Batch;
  list(query: BatchQuery, caller: Caller): BatchList;
  /** @throws ApiError not_found */
  get(id: string, owner: string): Batch;
  /** @throws ApiError not_found; conflict for one that is over */
  cancel(id: string, owner: string): Batch;
  /** Of all keys, newest first. */
  all(): OwnedBatch[];
  /** Forgets one that is over, and its files. @throws ApiError not_found, conflict */
  remove(id: string, owner: string): void;
  /** Goes on with what an earlier process left. */
  start(perform: LinePerformer): void;
  /** Leaves the work under way to the next start. */
  stop(): Promise<void>;
  deleteExpired(): void;
}

export interface BatchDeps
  extends SealedRecordDeps,
    Omit<BatchRunDeps, 'records' | 'perform' | 'deadlineMs'> {
  lines: BatchLineStore;
  settings: () => Settings;
  ownerOf: (principal: Principal) => string;
  /** Tells of owners one of whose keys was revoked. */
  onRevoked: (listener: (owner: string) => void) => void;
  onFailure: (error: unknown) => void;
}

const windowSeconds = 86_400;
/** Of one key, waiting or running. */
const mostOpen = 100;
const retryMs = 30_000;

interface Job {
  owner: string;
  id: string;
  /** Once it runs. */
  control: AbortController | null;
}

export function createBatches(deps: BatchDeps): BatchService {
  const { files, now, ownerOf, settings } = deps;
  const records = createBatchRecords(deps);
  const lanes = { live: new Set<Job>(), test: new Set<Job>() };
  const working = new Map<Set<Job>, Promise<void>>();
  let runDeps: BatchRunDeps | null = null;
  let stopping = false;

  const jobOf = (owner: string, id: string) =>
    [...lanes.live, ...lanes.test].find((job) => job.owner === owner && job.id === id);

  function enqueue({ owner, batch, isTest }: BatchState): void {
    const lane = isTest ? lanes.test : lanes.live;
    lane.add({ owner, id: batch.id, control: null });
    if (!working.has(lane)) begin(lane);
  }

  function begin(lane: Set<Job>): void {
    const done = work(lane).finally(() => {
      working.delete(lane);
      // One may have come behind the last.
      if (lane.size > 0 && runDeps && !stopping) begin(lane);
    });
    working.set(lane, done);
  }

  async function work(lane: Set<Job>): Promise<void> {
    // The answer that tells of a batch leaves before its first line is begun.
    await new Promise((resolve) => setImmediate(resolve));
    for (const job of lane) {
      if (stopping || !runDeps) return;
      job.control = new AbortController();
      try {
        await runBatch(job, job.control.signal, runDeps);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'not_found')) {
          deps.onFailure(error);
          setTimeout(() => resume(job), retryMs).unref();
        }
      }
      lane.delete(job);
      // A key that was revoked may have been replaced.
      if (job.control.signal.aborted) resume(job);
    }
  }

  function resume({ owner, id }: Job): void {
    if (stopping || jobOf(owner, id) || !records.has(owner, id)) return;
    const state = records.get(owner, id);
    if (!isOver(state.batch)) enqueue(state);
  }

  deps.onRevoked((revoked) => {
    for (const { owner, control } of [...lanes.live, ...lanes.test]) if (owner === revoked) control?.abort();
  });

  function checkScope({ endpoint }: BatchRequest, { principal }: Caller): void {
    const { scope } = operations[`POST ${endpoint}`];
    if (principal.scopes.has(scope)) return;
    throw new ApiError('insufficient_scope', `This API key does not have the scope “${scope}”.`);
  }

  return {
    create(body, caller) {
      files.checkKept();
      checkScope(body, caller);
      const owner = ownerOf(caller.principal);
      checkInputFile(() => files.get(body.input_file_id, owner).purpose);
      const open = records.list(owner).filter(({ batch }) => !isOver(batch));
      if (open.length >= mostOpen)
        throw new ApiError('conflict', `${mostOpen} batches of this key are waiting already.`);
      const identity = identify(caller, body);
      const state: BatchState = {
        owner,
        keyId: caller.principal.keyId,
        startedMs: now(),
        batch: newBatch(body, identity),
        isTest: caller.principal.class === 'test',
        outputSeconds: body.output_expires_after?.seconds ?? null,
      };
      // The same batch of a test key begins anew.
      jobOf(owner, state.batch.id)?.control?.abort();
      records.remove(owner, state.batch.id);
      records.add(state);
      enqueue(state);
      return state.batch;
    },

    list({ limit = '20', after }, { principal }) {
      const all = records.list(ownerOf(principal)).map(({ batch }) => batch);
      return toListPage(all, { limit: Number(limit), after });
    },

    get: (id, owner) => records.get(owner, id).batch,

    cancel(id, owner) {
      const state = records.get(owner, id);
      if (isOver(state.batch)) throw new ApiError('conflict', `The batch is ${state.batch.status} already.`);
      if (state.batch.status === 'cancelling') return state.batch;
      state.batch = { ...state.batch, status: 'cancelling', cancelling_at: secondsOf(state, now) };
      records.save(state);
      const job = jobOf(owner, id);
      if (job?.control) job.control.abort();
      // One that waits for others is ended at once.
      else if (runDeps) void finishBatch({ ...state }, 'cancelled', runDeps).catch(deps.onFailure);
      return state.batch;
    },

    all: () => records.list(),

    remove(id, owner) {
      const { batch } = records.get(owner, id);
      if (!isOver(batch)) throw new ApiError('conflict', 'The batch is not over; cancel it first.');
      for (const file of [batch.input_file_id, batch.output_file_id, batch.error_file_id])
        if (file !== null) forgetFile(() => files.remove(file, owner));
      records.remove(owner, id);
    },

    start(perform) {
      const deadlineMs: BatchRunDeps['deadlineMs'] = ({ plan }) => settings().call_seconds[plan] * 1000;
      runDeps = { ...deps, records, perform, deadlineMs };
      for (const state of records.list().toReversed()) if (!isOver(state.batch)) enqueue(state);
    },

    async stop() {
      stopping = true;
      for (const { control } of [...lanes.live, ...lanes.test]) control?.abort();
      await Promise.allSettled(working.values());
    },

    deleteExpired: () => records.prune(settings().files_days),
  };
}

function checkInputFile(purposeOf: () => string): void {
  const param = 'input_file_id';
  let purpose: string;
  try {
    purpose = purposeOf();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError('not_found', 'There is no such file (any more).', { param });
  }
  if (purpose !== 'batch')
    throw new ApiError('invalid_value', `${param} must be a file of purpose batch.`, { param });
}

function forgetFile(remove: () => void): void {
  try {
    remove();
  } catch (error) {
    // Forgotten before.
    if (!(error instanceof ApiError)) throw error;
  }
}

function newBatch(body: BatchRequest, { id, created }: { id: string; created: number }): Batch {
  return {
    id: `batch_${id}`,
    object: 'batch',
    endpoint: body.endpoint,
    errors: null,
    input_file_id: body.input_file_id,
    completion_window: '24h',
    status: 'validating',
    output_file_id: null,
    error_file_id: null,
    created_at: created,
    in_progress_at: null,
    expires_at: created + windowSeconds,
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
    metadata: body.metadata ?? null,
  };
}
