/**
 * Chat playground records that the person keeps, sealed: conversations, when the settings say so and for as long as they say,
 * and presets. The server knows a title and a text; what the text means is the page's business.
 */
import type { ChatRecord, ChatRecordInput, ChatRecordSummary } from '../../api/console/chat-records.ts';
import type { Settings } from '../../api/console/console.ts';
import { ApiError } from '../../errors.ts';
import { createSealedRecords, type SealedHead, type SealedRecordDeps } from '../sealed-records.ts';

export type ChatRecordKind = 'conversation' | 'preset';

export interface ChatRecordService {
  list(kind: ChatRecordKind): ChatRecordSummary[];
  /** @throws ApiError not_found */
  get(kind: ChatRecordKind, id: string): ChatRecord;
  /** @throws ApiError conflict while conversations are not kept, invalid_value for the id or too many presets */
  put(kind: ChatRecordKind, id: string, input: ChatRecordInput): ChatRecordSummary;
  /** @throws ApiError not_found */
  remove(kind: ChatRecordKind, id: string): void;
  clear(kind: ChatRecordKind): void;
  deleteExpired(): void;
}

export interface ChatRecordDeps extends SealedRecordDeps {
  settings: () => Settings;
}

const mostConversations = 2_000;
const mostPresets = 200;

export function createChatRecords({ settings, ...deps }: ChatRecordDeps): ChatRecordService {
  const of = (kind: ChatRecordKind) =>
    createSealedRecords(deps, {
      kind,
      place: (part, id) => `chat ${kind} ${id} ${part === 'head' ? 'title' : part}`,
    });
  const records = { conversation: of('conversation'), preset: of('preset') };

  const summarize = ({ id, head, updatedMs }: SealedHead): ChatRecordSummary => ({
    id,
    title: head,
    updated: Math.floor(updatedMs / 1000),
  });

  function checkRoom(kind: ChatRecordKind, id: string): void {
    if (kind === 'conversation' && settings().chat_history_days === 0) {
      throw new ApiError('conflict', 'Conversations are not kept; switch the history on first.');
    }
    if (kind === 'preset' && !records.preset.find(id) && records.preset.list().length >= mostPresets) {
      throw new ApiError('conflict', `There are ${mostPresets} presets already; remove one first.`);
    }
  }

  return {
    list: (kind) => records[kind].list().map(summarize),

    get(kind, id) {
      const record = records[kind].find(id);
      if (!record) throw notKept();
      return { ...summarize(record), content: record.content.toString() };
    },

    put(kind, id, { title, content }) {
      checkRecordId(id);
      checkRoom(kind, id);
      const updatedMs = records[kind].put({ id, head: title, content: Buffer.from(content) });
      return { id, title, updated: Math.floor(updatedMs / 1000) };
    },

    remove(kind, id) {
      if (!records[kind].remove(id)) throw notKept();
    },

    clear: (kind) => records[kind].clear(),

    /** Switched off, nothing is young enough to stay. */
    deleteExpired: () => records.conversation.prune(settings().chat_history_days, mostConversations),
  };
}

export const notKept = () => new ApiError('not_found', 'It is not kept (any more).');

/** @throws ApiError invalid_value */
export function checkRecordId(id: string): void {
  if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) {
    throw new ApiError('invalid_value', 'id is letters, digits and hyphens.', { param: 'id' });
  }
}
