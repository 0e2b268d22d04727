/** One import from choice to pack: files handed over where they must be, an estimate, the import itself, cancel. */
import { useRef, useState } from 'react';
import type { ImportEstimate, ImportRequest, PackSummary } from '../../../../../server/api/console/packs.ts';
import { useClient, useConsoleEvents } from '../../../api/api-context.tsx';
import { isAbort } from '../../../api/problem.ts';
import { useChange } from '../../../api/queries.ts';
import type { DroppedFile } from './dropped-files.ts';
import { upload } from './upload.ts';

export type Preset = NonNullable<ImportRequest['preset']>;
/** A path of this machine, or files that were handed over. */
export type Source = { path: string } | { upload: string };

export interface ImportStep {
  phase: string;
  /** 0 to 1. */
  done: number;
}

export interface Import {
  source: Source | null;
  estimate: ImportEstimate | null;
  /** The import under way; null: none is. */
  step: ImportStep | null;
  error: unknown;
  imported: PackSummary | null;
  look(path: string): Promise<void>;
  take(files: DroppedFile[]): Promise<void>;
  start(preset: Preset | null): Promise<void>;
  /** Ends what is under way, or forgets what was chosen. */
  cancel(): void;
}

export function useImport(): Import {
  const client = useClient();
  const [source, setSource] = useState<Source | null>(null);
  const [estimate, setEstimate] = useState<ImportEstimate | null>(null);
  const [step, setStep] = useState<ImportStep | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [imported, setImported] = useState<PackSummary | null>(null);
  const abort = useRef<AbortController | null>(null);
  const load = useChange('POST /console/packs/import', ['GET /console/packs', 'GET /console/state']);

  useConsoleEvents((event) => {
    if (event.type !== 'import' || !source) return;
    const mine = 'path' in source ? source.path : source.upload;
    if (event.source === mine && step) setStep({ phase: event.phase, done: event.done });
  });

  /** One thing at a time; what is ended by the person is no error. */
  async function during(phase: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const mine = new AbortController();
    abort.current = mine;
    setError(null);
    setImported(null);
    setStep({ phase, done: 0 });
    try {
      await work(mine.signal);
    } catch (problem) {
      if (!isAbort(problem)) setError(problem);
    } finally {
      setStep(null);
    }
  }

  async function readEstimate(chosen: Source, signal: AbortSignal): Promise<void> {
    setSource(chosen);
    setEstimate(null);
    const { data } = await client.call('POST /console/packs/estimate', { body: chosen, signal });
    setEstimate(data);
  }

  function forget(): void {
    if (source && 'upload' in source) {
      const params = { id: source.upload };
      // An upload that cannot be removed now goes with the server's next start.
      client.call('DELETE /console/packs/uploads/{id}', { params }).catch(() => undefined);
    }
    setSource(null);
    setEstimate(null);
  }

  return {
    source,
    estimate,
    step,
    error,
    imported,
    look: (path) => during('looking', (signal) => readEstimate({ path }, signal)),
    take: (files) =>
      during('handing_over', async (signal) => {
        const onProgress = (done: number) => setStep({ phase: 'handing_over', done });
        const id = await upload(client, files, { signal, onProgress });
        await readEstimate({ upload: id }, signal);
      }),
    start: (preset) =>
      during('copying', async (signal) => {
        if (!source) return;
        const pack = await load.mutateAsync({ body: { ...source, ...(preset && { preset }) }, signal });
        setImported(pack);
        setSource(null);
        setEstimate(null);
      }),
    cancel() {
      if (step) abort.current?.abort();
      else forget();
    },
  };
}
