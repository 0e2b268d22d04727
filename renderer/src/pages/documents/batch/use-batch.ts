/** Reads the documents of a batch one after the other; the server reads one at a time anyway. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useClient, useConsoleEvents } from '../../../api/api-context.tsx';
import { isAbort } from '../../../api/problem.ts';
import { toBase64 } from '../../../components/source-file.ts';
import {
  type Batch,
  type BatchItem,
  emptyBatch,
  nextItem,
  withAllAgain,
  withFiles,
  withItem,
  withRetry,
} from './batch.ts';

export function useDocumentBatch() {
  const client = useClient();
  const [batch, setBatch] = useState<Batch>(emptyBatch);
  const running = useRef<{ id: number; requestId: string; abort: AbortController } | null>(null);

  useConsoleEvents((event) => {
    if (event.type !== 'progress' || event.request_id !== running.current?.requestId) return;
    const { id } = running.current;
    setBatch((previous) => withItem(previous, id, { progress: { page: event.page, pages: event.pages } }));
  });
  // Who leaves the page no longer waits for the answers.
  useEffect(() => () => running.current?.abort.abort(), []);

  const read = useCallback(
    async (item: BatchItem, template: Batch['template']) => {
      const mine = { id: item.id, requestId: crypto.randomUUID(), abort: new AbortController() };
      running.current = mine;
      setBatch((previous) => withItem(previous, item.id, { state: 'reading', progress: null }));
      const settle = (change: Partial<BatchItem>) =>
        setBatch((previous) => withItem(previous, item.id, change));
      try {
        const file = await toBase64(item.file);
        const body = { model: 'svc-parse-pro', file, ...(template ? { template } : {}) };
        const options = { body, signal: mine.abort.signal, requestId: mine.requestId };
        settle({ state: 'done', result: (await client.call('POST /v1/documents/parse', options)).data });
      } catch (error) {
        if (!isAbort(error))
          settle({ state: 'failed', problem: error instanceof Error ? error.message : String(error) });
      } finally {
        if (running.current === mine) running.current = null;
      }
    },
    [client],
  );

  useEffect(() => {
    const next = running.current ? null : nextItem(batch);
    if (next) void read(next, batch.template);
  }, [batch, read]);

  return {
    batch,
    add: (files: File[]) => setBatch((previous) => withFiles(previous, files)),
    setTemplate: (template: Batch['template']) => setBatch((previous) => ({ ...previous, template })),
    readAgain: () => setBatch(withAllAgain),
    pause: (paused: boolean) => setBatch((previous) => ({ ...previous, paused })),
    retry: (id?: number) =>
      setBatch((previous) => withRetry(previous, (item) => id === undefined || item.id === id)),
    clear: () => {
      running.current?.abort.abort();
      running.current = null;
      setBatch(emptyBatch);
    },
  };
}

export type BatchControl = ReturnType<typeof useDocumentBatch>;
