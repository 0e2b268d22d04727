/** Many pictures, analysed two at a time; held above the two modes of the page, so that neither ends the other's work. */
import { useRef, useState } from 'react';
import type { ImagesResult } from '../../../../server/api/services/images.ts';
import { useClient } from '../../api/api-context.tsx';
import { isAbort } from '../../api/problem.ts';
import { toMessage } from '../../components/feedback/problem-note.tsx';
import { sortFiles, tellLeftOut } from '../../components/sorted-files.ts';
import { readFile } from '../../components/source-file.ts';
import { usePageWork } from '../../work/work-context.ts';
import { firstParameters } from './image-options.tsx';
import { toBody } from './use-analysis.ts';

export interface PictureRow {
  file: File;
  url: string;
  answer: ImagesResult | null;
  problem: string | null;
}

const readable = /\.(png|jpe?g|webp|gif|mp4|webm)$/i;
/** As many as a desktop's engine has use for: one is analysed while the next is decoded. */
const lanes = 2;

export function useImageBatch() {
  const client = useClient();
  const page = usePageWork();
  const [rows, setRows] = useState<PictureRow[]>([]);
  const [running, setRunning] = useState(false);
  const abort = useRef<AbortController | null>(null);

  async function start(files: File[]) {
    const mine = new AbortController();
    abort.current?.abort();
    abort.current = mine;
    for (const { url } of rows) URL.revokeObjectURL(url);
    const sorted = sortFiles(files, ({ name }) => readable.test(name));
    tellLeftOut(sorted);
    const fresh = sorted.taken.map((file) => ({
      file,
      url: URL.createObjectURL(file),
      answer: null,
      problem: null,
    }));
    setRows(fresh);
    if (fresh.length === 0) return;
    setRunning(true);
    const job = page.start({ cancel: () => mine.abort() });
    let settled = 0;
    const update = (index: number, change: Partial<PictureRow>) => {
      if (abort.current !== mine) return;
      setRows((previous) => previous.map((row, at) => (at === index ? { ...row, ...change } : row)));
      job.progress(++settled, fresh.length);
    };
    const queue = fresh.entries();
    const work = async () => {
      for (const [index, { file }] of queue) {
        if (mine.signal.aborted) return;
        try {
          const body = { ...toBody(firstParameters()), image: (await readFile(file)).base64 };
          const { data } = await client.call('POST /v1/images/analyze', { body, signal: mine.signal });
          update(index, { answer: data });
        } catch (error) {
          if (!isAbort(error)) update(index, { problem: toMessage(error) });
        }
      }
    };
    await Promise.all(Array.from({ length: lanes }, work));
    job.end(mine.signal.aborted ? 'cancelled' : 'done');
    if (abort.current === mine) setRunning(false);
  }

  return { rows, running, start, cancel: () => abort.current?.abort() };
}

export type ImageBatch = ReturnType<typeof useImageBatch>;
