/** One file's analysis, and its captions in further languages. */
import { useRef, useState } from 'react';
import type { BodyOf } from '../../../../server/api/operations.ts';
import type { ImagesResult } from '../../../../server/api/services/images.ts';
import { useClient, useConsoleEvents } from '../../api/api-context.tsx';
import { isAbort } from '../../api/problem.ts';
import { currentLanguage } from '../../strings/language.ts';
import { usePageWork } from '../../work/work-context.ts';
import type { ImageParameters } from './image-options.tsx';
import type { CaptionLanguage } from './image-result.tsx';
import type { OpenedFile } from './picture.tsx';

interface Asked {
  body: BodyOf<'POST /v1/images/analyze'>;
  pack: string | null;
}

export function toBody({ tasks, language, maxFrames }: ImageParameters) {
  return {
    model: 'svc-vision-pro',
    language,
    max_frames: maxFrames,
    ...(tasks.length > 0 ? { tasks } : {}),
  };
}

const keyOf = (parameters: ImageParameters): string => JSON.stringify(toBody(parameters));

/** @param restored what an earlier run of the app was answered */
export function useAnalysis(restored: ImagesResult | null = null) {
  const client = useClient();
  const page = usePageWork();
  const abort = useRef<AbortController | null>(null);
  const told = restored?.results[0]?.language ?? currentLanguage();
  const [language, setLanguage] = useState<CaptionLanguage>(told);
  const captionsOf = ({ results }: ImagesResult) => results.map(({ caption }) => caption);
  const [captions, setCaptions] = useState<Partial<Record<CaptionLanguage, string[]>>>(
    restored ? { [told]: captionsOf(restored) } : {},
  );

  const [answer, setAnswer] = useState<ImagesResult | undefined>(restored ?? undefined);
  const [error, setError] = useState<unknown>(null);
  const [cancelled, setCancelled] = useState(false);
  /** Choices that the shown answer was asked with. */
  const [askedWith, setAskedWith] = useState<ImageParameters | null>(null);
  /** Times of the frames that the running analysis has done, in ms. */
  const [framesMs, setFramesMs] = useState<number[]>([]);
  const requestIdOfRun = useRef('');
  useConsoleEvents((event) => {
    if (event.type !== 'progress' || event.request_id !== requestIdOfRun.current) return;
    setFramesMs((previous) => [...previous, ...(event.timestamps_ms ?? [])]);
  });
  const [pending, setPending] = useState<'analysis' | 'translation' | null>(null);

  /** One request at a time; the answer of one that was overtaken is dropped. */
  async function ask(
    { body, pack }: Asked,
    kind: 'analysis' | 'translation',
    onAnswer: (answer: ImagesResult) => void,
  ) {
    abort.current?.abort();
    const mine = new AbortController();
    abort.current = mine;
    setPending(kind);
    const requestId = crypto.randomUUID();
    requestIdOfRun.current = requestId;
    setFramesMs([]);
    setCancelled(false);
    const job = page.start({ requestId, cancel: () => mine.abort() });
    setError(null);
    const headers: Record<string, string> = pack ? { 'x-model-pack': pack } : {};
    try {
      const options = { body, signal: mine.signal, headers, requestId };
      const { data } = await client.call('POST /v1/images/analyze', options);
      if (abort.current === mine) onAnswer(data);
      job.end('done');
    } catch (problem) {
      if (abort.current === mine) {
        if (isAbort(problem)) setCancelled(true);
        else setError(problem);
      }
      job.end(isAbort(problem) ? 'cancelled' : 'failed', problem);
    } finally {
      if (abort.current === mine) setPending(null);
    }
  }

  return {
    answer,
    error,
    pending: pending === 'analysis',
    framesMs,
    /** @param pack `id@version` that answers in place of the bound one */
    run(source: OpenedFile, parameters: ImageParameters, pack: string | null = null) {
      const body = { ...toBody(parameters), image: source.base64 };
      void ask({ body, pack }, 'analysis', (next) => {
        setAnswer(next);
        setAskedWith(parameters);
        setLanguage(parameters.language);
        setCaptions({ [parameters.language]: captionsOf(next) });
      });
    },
    cancel: () => abort.current?.abort(),
    cancelled,
    /** Other choices than these led to the shown answer. */
    isOld: (parameters: ImageParameters) => askedWith !== null && keyOf(askedWith) !== keyOf(parameters),
    /** Of an answer without objects: there are none, or none were asked for. */
    lookedForObjects: !askedWith?.tasks.length || askedWith.tasks.includes('objects'),
    /** Ends the analysis and forgets its answer: another file is opened. */
    reset() {
      abort.current?.abort();
      abort.current = null;
      setPending(null);
      setAnswer(undefined);
      setError(null);
    },
    captionAt: (frame: number) => captions[language]?.[frame] ?? '',
    language,
    translating: pending === 'translation',
    setLanguage(next: CaptionLanguage, source: OpenedFile, parameters: ImageParameters) {
      setLanguage(next);
      if (captions[next]) return;
      const body = {
        ...toBody(parameters),
        language: next,
        tasks: ['caption' as const],
        image: source.base64,
      };
      void ask({ body, pack: null }, 'translation', (translated) =>
        setCaptions((previous) => ({ ...previous, [next]: captionsOf(translated) })),
      );
    },
  };
}

export type Analysis = ReturnType<typeof useAnalysis>;
