import { useRef, useState } from 'react';
import type { SafetyResult } from '../../../../server/api/services/moderations.ts';
import { useClient } from '../../api/api-context.tsx';
import { usePageWork } from '../../work/work-context.ts';
import { type BatchRow, runBatch } from './batch.ts';
import type { SafetyOutcome, Thresholds } from './categories.ts';

/** A batch as state: rows fill in as answers come. @param restored what an earlier run of the app has scored */
export function useModerationBatch(thresholds: Thresholds, restored: BatchRow[] = []) {
  const client = useClient();
  const page = usePageWork();
  const [rows, setRows] = useState<BatchRow[]>(restored);
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController | null>(null);

  async function classify(input: string, signal: AbortSignal): Promise<SafetyOutcome> {
    const body = {
      model: 'svc-shield-base',
      input,
      ...(Object.keys(thresholds).length > 0 ? { thresholds } : {}),
    };
    const { data } = await client.call('POST /v1/moderations', { body, signal });
    return (data as SafetyResult).results[0] as SafetyOutcome;
  }

  async function start(texts: string[]) {
    const mine = new AbortController();
    abort.current = mine;
    setRows([]);
    setRunning(true);
    const job = page.start({ cancel: () => mine.abort() });
    let settled = 0;
    const onRow = (index: number, row: BatchRow) => {
      if (abort.current !== mine) return;
      job.progress(++settled, texts.length);
      setRows((previous) => {
        const next = previous.slice();
        next[index] = row;
        return next;
      });
    };
    await runBatch(texts, { classify, signal: mine.signal, onRow });
    job.end(mine.signal.aborted ? 'cancelled' : 'done');
    if (abort.current === mine) setRunning(false);
  }

  const cancel = () => {
    abort.current?.abort();
    setRunning(false);
  };

  return {
    rows,
    done: rows.filter(Boolean).length,
    running,
    start,
    cancel,
    reset: () => {
      cancel();
      abort.current = null;
      setRows([]);
    },
  };
}

export type ModerationBatch = ReturnType<typeof useModerationBatch>;
