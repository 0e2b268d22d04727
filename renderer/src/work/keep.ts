/** Keeps a page's content across restarts, where the person has said so; on the server, sealed, and never in the browser. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '../api/api-context.tsx';
import type { Client } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { usePageWork, work } from './work-context.ts';

/** Changes that follow each other quickly are written once. */
const pauseMs = 1_200;
/** Longer content fits no request, and is not kept. */
const mostLetters = 45_000_000;

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

async function put(client: Client, id: string, content: unknown): Promise<boolean> {
  const session = work.get().sessions.find((each) => each.id === id);
  const text = JSON.stringify(content);
  if (!session?.title || session.removed || text.length > mostLetters) return false;
  const { kind, title, pinned } = session;
  await client.call('PUT /console/work/{id}', {
    params: { id },
    body: { kind, title: title.slice(0, 200), pinned, content: text },
  });
  return true;
}

/** @param content what the page begins with when it is opened again; null: nothing to keep yet. Must be stable between renders. */
export function useKeepWork(content: object | null): void {
  const client = useClient();
  const queries = useQueryClient();
  const { id } = usePageWork();
  const days = useRead('GET /console/settings').data?.work_history_days ?? 0;
  useEffect(() => {
    if (days === 0 || content === null) return;
    clearTimeout(waiting.get(id));
    // Not bound to this effect: a page that is left meanwhile is kept all the same.
    const timer = setTimeout(() => {
      waiting.delete(id);
      put(client, id, content).then(
        (kept) => kept && void queries.invalidateQueries({ queryKey: ['GET /console/work'] }),
        // The banner says that the server is lost; the next change is kept again.
        () => undefined,
      );
    }, pauseMs);
    waiting.set(id, timer);
  }, [client, queries, id, days, content]);
}
