/** Reads the documents of a batch one after the other; the server reads one at a time anyway. */
import { useRef, useState } from 'react';
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { useClient, useConsoleEvents } from '../../../api/api-context.tsx';
import { hasCode } from '../../../api/problem.ts';
import { tellLeftOut } from '../../../components/sorted-files.ts';
import { readFile } from '../../../components/source-file.ts';
import { maxPages } from '../../../format/pages.ts';
import { t } from '../../../strings/t.ts';
import { keepContent } from '../../../work/keep.ts';
import type { RunningJob } from '../../../work/store.ts';
import { usePageWork } from '../../../work/work-context.ts';
import type { Corrections } from '../corrections/corrections.ts';
import {
  type Batch,
  type BatchItem,
  emptyBatch,
  nextItem,
  sortDocuments,
  withAllAgain,
  withAnswer,
  withFiles,
  withItem,
  withRetry,
} from './batch.ts';
import { fromKept, isKeepable, type KeptBatch, toKept } from './kept-batch.ts';

/** @param restored as an earlier run of the app kept it */
export function useDocumentBatch(restored: KeptBatch | null) {
  const client = useClient();
  const page = usePageWork();
  const job = useRef<RunningJob | null>(null);
  const [batch, setBatch] = useState<Batch>(() => (restored ? fromKept(restored) : emptyBatch));
  /** The queue goes on while the page is hidden, when no effect runs. */
  const latest = useRef(batch);
  const running = useRef<{ id: number; requestId: string; abort: AbortController } | null>(null);

  useConsoleEvents((event) => {
    if (event.type !== 'progress' || event.request_id !== running.current?.requestId) return;
    const { id } = running.current;
    show(withItem(latest.current, id, { progress: { page: event.page, pages: event.pages } }));
  });

  function show(next: Batch): void {
    latest.current = next;
    setBatch(next);
  }

  function change(step: (previous: Batch) => Batch): void {
    const changed = step(latest.current);
    show(changed);
    if (isKeepable(changed)) keepContent(page.id, () => toKept(changed));
    const next = running.current ? null : nextItem(latest.current);
    if (next) void read(next, latest.current.template);
    tell();
  }

  /** The frame hears of the queue as one job, from its first file to its last. */
  function tell(): void {
    const { items } = latest.current;
    if (running.current) {
      job.current ??= page.start({ cancel: () => change((previous) => ({ ...previous, paused: true })) });
      job.current.progress(items.filter(({ state }) => state === 'done').length, items.length);
    } else if (job.current) {
      job.current.end(items.some(({ state }) => state === 'failed') ? 'failed' : 'done');
      job.current = null;
    }
  }

  async function read(item: BatchItem, template: Batch['template']): Promise<void> {
    const mine = { id: item.id, requestId: crypto.randomUUID(), abort: new AbortController() };
    running.current = mine;
    change((previous) => withItem(previous, item.id, { state: 'reading', progress: null }));
    const outcome = await answer(item, template, mine);
    if (running.current !== mine) return;
    running.current = null;
    change(outcome);
  }

  async function answer(
    { file, id }: BatchItem,
    template: Batch['template'],
    { abort, requestId }: { abort: AbortController; requestId: string },
  ): Promise<(previous: Batch) => Batch> {
    try {
      const body = {
        model: 'svc-parse-pro',
        file: (await readFile(file)).base64,
        ...(template ? { template } : {}),
      };
      const { data } = await client.call('POST /v1/documents/parse', {
        body,
        signal: abort.signal,
        requestId,
      });
      return (previous) => withAnswer(previous, id, data);
    } catch (error) {
      const problem = hasCode(error, 'invalid_page_range')
        ? t('documents.batch.more_pages', { most: maxPages })
        : error instanceof Error
          ? error.message
          : String(error);
      return (previous) => withItem(previous, id, { state: 'failed', problem });
    }
  }

  return {
    batch,
    add(files: File[]) {
      const sorted = sortDocuments(files);
      tellLeftOut(sorted);
      change((previous) => withFiles(previous, sorted.taken));
    },
    setTemplate: (template: Batch['template']) => change((previous) => ({ ...previous, template })),
    readAgain: () => change(withAllAgain),
    pause: (paused: boolean) => change((previous) => ({ ...previous, paused })),
    retry: (id?: number) =>
      change((previous) => withRetry(previous, (item) => id === undefined || item.id === id)),
    settle: (id: number, read: DocumentsResult, corrections: Corrections) =>
      change((previous) => withAnswer(previous, id, read, corrections)),
    approve: (id: number, approved: boolean) => change((previous) => withItem(previous, id, { approved })),
    clear: () => {
      running.current?.abort.abort();
      running.current = null;
      change(() => emptyBatch);
    },
  };
}

export type BatchControl = ReturnType<typeof useDocumentBatch>;
