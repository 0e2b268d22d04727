/**
 * Chat playground records that the person keeps: conversations, when the settings say so and for as long as they say, and
 * presets. Sealed under the installation's key (which the system's key store guards where there is one), so a copy of the
 * database alone tells nothing. The server knows a title and a text; what the text means is the page's business.
 */
import type { ChatRecord, ChatRecordInput, ChatRecordSummary } from '../../api/chat-records.ts';
import type { Settings } from '../../api/console.ts';
import type { ChatRecordHead, ChatRecordKind, ChatRecordStore } from '../../db/chat-records.ts';
import { ApiError } from '../../errors.ts';
import { seal, unseal } from '../idempotency/install-key.ts';

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

export interface ChatRecordDeps {
  store: ChatRecordStore;
  installKey: Buffer;
  settings: () => Settings;
  now: () => number;
}

const dayMs = 86_400_000;
const mostConversations = 2_000;
const mostPresets = 200;

export function createChatRecords({ store, installKey, settings, now }: ChatRecordDeps): ChatRecordService {
  const context = (kind: string, id: string, part: string) => `chat ${kind} ${id} ${part}`;
  const sealText = (text: string, place: string) => seal(installKey, Buffer.from(text), place);
  const open = (sealed: Buffer, place: string) => unseal(installKey, sealed, place)?.toString();

  /** Undefined for what was sealed under a key that is lost. */
  function summarize(kind: ChatRecordKind, { id, updatedMs, title }: ChatRecordHead) {
    const text = open(title, context(kind, id, 'title'));
    return text === undefined ? undefined : { id, title: text, updated: Math.floor(updatedMs / 1000) };
  }

  function checkRoom(kind: ChatRecordKind, id: string): void {
    if (kind === 'conversation' && settings().chat_history_days === 0) {
      throw new ApiError('conflict', 'Conversations are not kept; switch the history on first.');
    }
    if (kind === 'preset' && !store.find(kind, id) && store.list(kind).length >= mostPresets) {
      throw new ApiError('conflict', `There are ${mostPresets} presets already; remove one first.`);
    }
  }

  return {
    list: (kind) => store.list(kind).flatMap((head) => summarize(kind, head) ?? []),

    get(kind, id) {
      const row = store.find(kind, id);
      const summary = row && summarize(kind, row);
      const content = row && open(row.content, context(kind, id, 'content'));
      if (!summary || content === undefined) throw new ApiError('not_found', 'It is not kept (any more).');
      return { ...summary, content };
    },

    put(kind, id, { title, content }) {
      if (!/^[0-9A-Za-z-]{1,64}$/.test(id)) {
        throw new ApiError('invalid_value', 'id is letters, digits and hyphens.', { param: 'id' });
      }
      checkRoom(kind, id);
      const updatedMs = now();
      store.put(kind, {
        id,
        updatedMs,
        title: sealText(title, context(kind, id, 'title')),
        content: sealText(content, context(kind, id, 'content')),
      });
      return { id, title, updated: Math.floor(updatedMs / 1000) };
    },

    remove(kind, id) {
      if (!store.remove(kind, id)) throw new ApiError('not_found', 'It is not kept (any more).');
    },

    clear: (kind) => store.clear(kind),

    /** Switched off, nothing is young enough to stay. */
    deleteExpired() {
      store.prune('conversation', now() - settings().chat_history_days * dayMs, mostConversations);
    },
  };
}
