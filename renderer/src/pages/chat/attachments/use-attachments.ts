/** The files that will go with the next message, from the moment they are dropped: read, counted, removed. */
import { useRef, useState } from 'react';
import { useClient, useConsoleEvents } from '../../../api/api-context.tsx';
import { notifyProblem } from '../../../components/feedback/notify.ts';
import { t } from '../../../strings/t.ts';
import { usePageWork } from '../../../work/work-context.ts';
import { type Attachment, mostAttachments } from '../model/attachment.ts';
import { countTokens, readAttachment } from './read-attachment.ts';

export interface PendingAttachment {
  id: string;
  name: string;
  sizeBytes: number;
  state: 'reading' | 'ready' | 'failed';
  progress: { page: number; pages: number } | null;
  attachment: Attachment | null;
  error: unknown;
}

export interface Attachments {
  pending: PendingAttachment[];
  add(files: readonly File[]): void;
  remove(id: string): void;
  /** Attachments that are ready; the list is empty afterwards. */
  take(): Attachment[];
  /** Tokens of all that is ready, and the model's window; null: nothing was counted. */
  room: { tokens: number; context: number } | null;
}

/** @param pack `id@version` to ask in place of the bound one */
export function useAttachments(pack: string | null): Attachments {
  const client = useClient();
  const page = usePageWork();
  const [pending, setPending] = useState<PendingAttachment[]>([]);
  const [context, setContext] = useState(0);
  const reading = useRef(new Map<string, AbortController>());
  const held = useRef(new Set<string>());

  const change = (id: string, fields: Partial<PendingAttachment>) =>
    setPending((before) => before.map((each) => (each.id === id ? { ...each, ...fields } : each)));

  useConsoleEvents((event) => {
    if (event.type !== 'progress' || !reading.current.has(event.request_id)) return;
    change(event.request_id, { progress: { page: event.page, pages: event.pages } });
  });

  async function read(file: File, id: string): Promise<void> {
    const abort = new AbortController();
    reading.current.set(id, abort);
    const options = { client, requestId: id, signal: abort.signal };
    const job = page.start({ requestId: id, cancel: () => remove(id) });
    try {
      const content = await readAttachment(file, options);
      const counted = await countTokens(content, options, pack);
      if (counted) setContext(counted.context);
      change(id, { state: 'ready', attachment: { id, ...content, tokens: counted?.tokens ?? null } });
      job.end('done');
    } catch (error) {
      if (!abort.signal.aborted) change(id, { state: 'failed', error });
      job.end(abort.signal.aborted ? 'cancelled' : 'failed', error);
    } finally {
      reading.current.delete(id);
    }
  }

  function remove(id: string): void {
    reading.current.get(id)?.abort();
    held.current.delete(id);
    setPending((before) => before.filter((each) => each.id !== id));
  }

  const ready = pending.flatMap(({ attachment }) => attachment ?? []);
  const tokens = ready.reduce((sum, each) => sum + (each.tokens ?? 0), 0);
  return {
    pending,
    add(files) {
      const room = mostAttachments - held.current.size;
      if (files.length > room)
        notifyProblem(new Error(t('chat.attach.too_many', { count: mostAttachments })));
      for (const file of files.slice(0, room)) {
        const id = crypto.randomUUID();
        held.current.add(id);
        const fields = { id, name: file.name, sizeBytes: file.size, state: 'reading' as const };
        setPending((before) => [...before, { ...fields, progress: null, attachment: null, error: null }]);
        void read(file, id);
      }
    },
    remove,
    take() {
      held.current.clear();
      setPending([]);
      return ready;
    },
    room: context > 0 && ready.length > 0 ? { tokens, context } : null,
  };
}

/** A message that is sent meanwhile waits for them. */
export const isReading = ({ pending }: Attachments): boolean =>
  pending.some(({ state }) => state === 'reading');

/** The reason why the files keep the message from being sent; null: they do not. */
export function blockedBy({ pending, room }: Attachments): string | null {
  if (pending.some(({ state }) => state === 'failed')) return t('chat.attach.unread');
  return room && room.tokens >= room.context ? t('chat.attach.too_long') : null;
}
