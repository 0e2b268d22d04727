/**
 * Work that the person keeps across restarts, when the settings say so and for as long as they say; sealed as conversations
 * are, title and kind too.
 */
import type { Settings } from '../../api/console/console.ts';
import type {
  WorkRecord,
  WorkRecordInput,
  WorkRecordPatch,
  WorkRecordSummary,
} from '../../api/console/work-records.ts';
import { ApiError } from '../../errors.ts';
import { createSealedRecords, type SealedHead, type SealedRecordDeps } from '../sealed-records.ts';
import { checkRecordId, notKept } from './chats.ts';

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

export interface WorkRecordDeps extends SealedRecordDeps {
  settings: () => Settings;
}

type Head = Pick<WorkRecordSummary, 'kind' | 'title' | 'pinned'>;

const mostRecords = 300;

export function createWorkRecords({ settings, ...deps }: WorkRecordDeps): WorkRecordService {
  const records = createSealedRecords(deps, { kind: 'work', place: (part, id) => `work ${id} ${part}` });
  const toHead = ({ kind, title, pinned }: Head) => JSON.stringify({ kind, title, pinned });

  const summarize = ({ id, head, updatedMs }: SealedHead): WorkRecordSummary => ({
    id,
    ...(JSON.parse(head) as Head),
    updated: Math.floor(updatedMs / 1000),
  });

  function find(id: string) {
    const record = records.find(id);
    if (!record) throw notKept();
    return { content: record.content, summary: summarize(record) };
  }

  return {
    list: () => records.list().map(summarize),

    get(id) {
      const { content, summary } = find(id);
      return { ...summary, content: content.toString() };
    },

    put(id, { content, ...head }) {
      checkRecordId(id);
      if (settings().work_history_days === 0)
        throw new ApiError('conflict', 'Work is not kept; switch that on first.');
      const updatedMs = records.put({ id, head: toHead(head), content: Buffer.from(content) });
      return { id, ...head, updated: Math.floor(updatedMs / 1000) };
    },

    patch(id, patch) {
      const changed = { ...find(id).summary, ...patch };
      records.setHead(id, toHead(changed));
      return changed;
    },

    remove(id) {
      if (!records.remove(id)) throw notKept();
    },

    clear: () => records.clear(),

    /** Switched off, nothing is young enough to stay. */
    deleteExpired: () => records.prune(settings().work_history_days, mostRecords),
  };
}
