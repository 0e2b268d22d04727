/**
 * Work that the person keeps across restarts, when the settings say so and for as long as they say. Sealed under the
 * installation's key as conversations are, title and kind too: a copy of the database alone tells nothing of it.
 */
import type { Settings } from '../../api/console.ts';
import type {
  WorkRecord,
  WorkRecordInput,
  WorkRecordPatch,
  WorkRecordSummary,
} from '../../api/work-records.ts';
import type { WorkRecordHead, WorkRecordStore } from '../../db/work-records.ts';
import { ApiError } from '../../errors.ts';
import { seal, unseal } from '../idempotency/install-key.ts';

export interface WorkRecordService {
  list(): WorkRecordSummary[];
  /** @throws ApiError not_found */
  get(id: string): WorkRecord;
  /** @throws ApiError conflict while nothing is kept, invalid_value for the id */
  put(id: string, input: WorkRecordInput): WorkRecordSummary;
  /** Changes title or pin; the content stays as it is. @throws ApiError not_found */
  patch(id: string, patch: WorkRecordPatch): WorkRecordSummary;
  /** @throws ApiError not_found */
  remove(id: string): void;
  clear(): void;
  deleteExpired(): void;
}

export interface WorkRecordDeps {
  store: WorkRecordStore;
  installKey: Buffer;
  settings: () => Settings;
  now: () => number;
}

type Head = Pick<WorkRecordSummary, 'kind' | 'title' | 'pinned'>;

const dayMs = 86_400_000;
const mostRecords = 300;

export function createWorkRecords({ store, installKey, settings, now }: WorkRecordDeps): WorkRecordService {
  const context = (id: string, part: string) => `work ${id} ${part}`;
  const sealHead = (id: string, { kind, title, pinned }: Head) =>
    seal(installKey, Buffer.from(JSON.stringify({ kind, title, pinned })), context(id, 'head'));

  /** Undefined for what was sealed under a key that is lost. */
  function summarize({ id, updatedMs, head }: WorkRecordHead): WorkRecordSummary | undefined {
    const text = unseal(installKey, head, context(id, 'head'))?.toString();
    return text === undefined
      ? undefined
      : { id, ...(JSON.parse(text) as Head), updated: Math.floor(updatedMs / 1000) };
  }

  function find(id: string) {
    const row = store.find(id);
    const summary = row && summarize(row);
    if (!summary) throw new ApiError('not_found', 'It is not kept (any more).');
    return { row, summary };
  }

  return {
    list: () => store.list().flatMap((head) => summarize(head) ?? []),

    get(id) {
      const { row, summary } = find(id);
      const content = unseal(installKey, row.content, context(id, 'content'));
      if (!content) throw new ApiError('not_found', 'It is not kept (any more).');
      return { ...summary, content: content.toString() };
    },

    put(id, { content, ...head }) {
      if (!/^[0-9A-Za-z-]{1,64}$/.test(id))
        throw new ApiError('invalid_value', 'id is letters, digits and hyphens.', { param: 'id' });
      if (settings().work_history_days === 0)
        throw new ApiError('conflict', 'Work is not kept; switch that on first.');
      const updatedMs = now();
      const sealed = seal(installKey, Buffer.from(content), context(id, 'content'));
      store.put({ id, updatedMs, head: sealHead(id, head), content: sealed });
      return { id, ...head, updated: Math.floor(updatedMs / 1000) };
    },

    patch(id, patch) {
      const changed = { ...find(id).summary, ...patch };
      store.setHead(id, sealHead(id, changed));
      return changed;
    },

    remove(id) {
      if (!store.remove(id)) throw new ApiError('not_found', 'It is not kept (any more).');
    },

    clear: () => store.clear(),

    /** Switched off, nothing is young enough to stay. */
    deleteExpired: () => store.prune(now() - settings().work_history_days * dayMs, mostRecords),
  };
}
