/** Keeps the pages' content across restarts, where the person has said so; on the server, sealed, and never in the browser. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../api/api-context.tsx';
import type { Client } from '../api/client.ts';
import { hasCode, offlineCode } from '../api/problem.ts';
import { useRead } from '../api/queries.ts';
import type { Session } from './store.ts';
import { guardUnload } from './unload-guard.ts';
import { usePageWork, work } from './work-context.ts';

/** Changes that follow each other quickly are written once. */
const pauseMs = 1_200;
/** A server that is lost comes back. */
const retryMs = 5_000;
/** Longer content fits no request, and is not kept. */
const mostLetters = 45_000_000;

/** Begins a page that is opened again; or makes what does. */
type Kept = object | (() => Promise<object>);

/** By session, whether it is to be kept or not: one who says so later means what lies there too. */
const contents = new Map<string, Kept>();
const unwritten = new Set<string>();
let wake = (): void => {};

export function keepContent(id: string, content: Kept): void {
  if (contents.get(id) === content) return;
  contents.set(id, content);
  unwritten.add(id);
  wake();
}

/** @param content null: nothing to keep yet. Must be stable between renders. */
export function useKeepWork(content: Kept | null): void {
  const { id } = usePageWork();
  // Not in an effect: those of a hidden page rest, and its work may end meanwhile.
  if (content !== null) keepContent(id, content);
}

/** Writes what has changed, for the whole app; all there is as soon as the person says that work is kept. */
export function useWorkKeeper(): void {
  const client = useClient();
  const queries = useQueryClient();
  const settings = useRead('GET /console/settings').data;
  const days = settings?.work_history_days ?? 0;
  const keepsChats = settings?.chat_history_days !== 0;
  useEffect(() => (days === 0 ? askBeforeLoss(keepsChats) : undefined), [days, keepsChats]);
  useEffect(() => {
    if (days === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let writing = false;
    const writeIn = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(write, ms);
    };
    async function write(): Promise<void> {
      if (writing) return writeIn(pauseMs);
      writing = true;
      const isLost = await writeAll(client).finally(() => {
        writing = false;
      });
      void queries.invalidateQueries({ queryKey: ['GET /console/work'] });
      if (isLost) writeIn(retryMs);
    }
    const ask = (event: BeforeUnloadEvent) => {
      if (!writing && unwritten.size === 0) return;
      event.preventDefault();
      void write();
    };
    for (const id of contents.keys()) unwritten.add(id);
    wake = () => writeIn(pauseMs);
    wake();
    window.addEventListener('beforeunload', ask);
    return () => {
      clearTimeout(timer);
      wake = () => {};
      window.removeEventListener('beforeunload', ask);
    };
  }, [client, queries, days]);
}

/** Content that is kept nowhere is not to go with its page: an answer, a text, a picture, a conversation. */
const askBeforeLoss = (keepsChats: boolean): (() => void) =>
  guardUnload(() => work.get().sessions.some((session) => isUnkept(session, keepsChats)));

/** @param keepsChats conversations are kept by themselves; one that has only begun to be typed is none yet */
export const isUnkept = (
  { id, kind, state, removed }: Pick<Session, 'id' | 'kind' | 'state' | 'removed'>,
  keepsChats: boolean,
): boolean => !removed && state !== 'empty' && !(keepsChats && kind === 'chat' && contents.has(id));

/** @returns the server did not answer: what is left is still to be written */
async function writeAll(client: Client): Promise<boolean> {
  for (const id of [...unwritten]) {
    unwritten.delete(id);
    try {
      await put(client, id);
    } catch (error) {
      if (!hasCode(error, offlineCode) && !hasCode(error, 'shutting_down')) continue;
      unwritten.add(id);
      return true;
    }
  }
  return false;
}

async function put(client: Client, id: string): Promise<void> {
  const session = work.get().sessions.find((each) => each.id === id);
  const content = contents.get(id);
  if (!session || !content) return void contents.delete(id);
  if (!session.title || session.removed) return;
  const text = JSON.stringify(typeof content === 'function' ? await content() : content);
  if (text.length > mostLetters) return;
  const { kind, title, pinned } = session;
  await client.call('PUT /console/work/{id}', {
    params: { id },
    body: { kind, title: title.slice(0, 200), pinned, content: text },
  });
}
