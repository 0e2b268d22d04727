/** One parse at a time: start, progress, cancel, answer or problem. */
import { useCallback, useRef, useState } from 'react';
import type { DocumentsRequest, DocumentsResult } from '../../../../server/api/services/documents.ts';
import { useClient, useConsoleEvents } from '../../api/api-context.tsx';
import { isAbort } from '../../api/problem.ts';
import { usePageWork } from '../../work/work-context.ts';

export interface DocumentRun {
  running: boolean;
  progress: { page: number; pages: number } | null;
  result: DocumentsResult | null;
  error: unknown;
  durationMs: number | null;
  cancelled: boolean;
}

const idle: DocumentRun = {
  running: false,
  progress: null,
  result: null,
  error: null,
  durationMs: null,
  cancelled: false,
};

/** @param restored what an earlier run of the app has read */
export function useDocumentRun(restored: Partial<DocumentRun> | null = null) {
  const client = useClient();
  const page = usePageWork();
  const [run, setRun] = useState<DocumentRun>({ ...idle, ...restored });
  const current = useRef<{ requestId: string; abort: AbortController } | null>(null);

  useConsoleEvents((event) => {
    if (event.type !== 'progress' || event.request_id !== current.current?.requestId) return;
    setRun((previous) => ({ ...previous, progress: { page: event.page, pages: event.pages } }));
  });

  const cancel = useCallback(() => current.current?.abort.abort(), []);

  const reset = useCallback(() => {
    current.current?.abort.abort();
    current.current = null;
    setRun(idle);
  }, []);

  /** An answer that is there already. */
  const show = useCallback((result: DocumentsResult) => {
    current.current?.abort.abort();
    current.current = null;
    setRun({ ...idle, result });
  }, []);

  /** @param after waited for before the request is sent */
  const start = useCallback(
    async (body: DocumentsRequest, after?: Promise<unknown>) => {
      current.current?.abort.abort();
      const mine = { requestId: crypto.randomUUID(), abort: new AbortController() };
      current.current = mine;
      setRun({ ...idle, running: true });
      const job = page.start({ requestId: mine.requestId, cancel: () => mine.abort.abort() });
      const settle = (outcome: Partial<DocumentRun>) => {
        if (current.current === mine) setRun({ ...idle, ...outcome });
      };
      await after;
      if (current.current !== mine) return job.end('cancelled');
      const begun = performance.now();
      try {
        const options = { body, signal: mine.abort.signal, requestId: mine.requestId };
        const { data } = await client.call('POST /v1/documents/parse', options);
        settle({ result: data, durationMs: performance.now() - begun });
        job.end('done');
      } catch (error) {
        settle(isAbort(error) ? { cancelled: true } : { error });
        job.end(isAbort(error) ? 'cancelled' : 'failed', error);
      }
    },
    [client, page],
  );

  return { run, start, show, cancel, reset };
}

export type DocumentRunControl = ReturnType<typeof useDocumentRun>;
