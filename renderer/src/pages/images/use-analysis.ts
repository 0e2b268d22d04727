/** One file's analysis, and its captions in further languages. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImagesResult } from '../../../../server/api/images.ts';
import type { BodyOf } from '../../../../server/api/operations.ts';
import { useClient } from '../../api/api-context.tsx';
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

export function useAnalysis() {
  const client = useClient();
  const abort = useRef<AbortController | null>(null);
  const [language, setLanguage] = useState<CaptionLanguage>('en');
  const [captions, setCaptions] = useState<Partial<Record<CaptionLanguage, string[]>>>({});

  const ask = async ({ body, pack }: Asked): Promise<ImagesResult> => {
    abort.current?.abort();
    abort.current = new AbortController();
    const { signal } = abort.current;
    const headers: Record<string, string> = pack ? { 'x-model-pack': pack } : {};
    return (await client.call('POST /v1/images/analyze', { body, signal, headers })).data;
  };
  const captionsOf = ({ results }: ImagesResult) => results.map(({ caption }) => caption);

  const analyse = useMutation({
    mutationFn: ask,
    onSuccess: (answer, { body }) => {
      const asked = body.language ?? 'en';
      setLanguage(asked);
      setCaptions({ [asked]: captionsOf(answer) });
    },
  });
  const translate = useMutation({
    mutationFn: ask,
    onSuccess: (answer, { body: { language: asked = 'en' } }) =>
      setCaptions((previous) => ({ ...previous, [asked]: captionsOf(answer) })),
  });

  return {
    answer: analyse.data,
    error: analyse.error ?? translate.error,
    pending: analyse.isPending,
    /** @param pack `id@version` that answers in place of the bound one */
    run: (source: OpenedFile, parameters: ImageParameters, pack: string | null = null) =>
      analyse.mutate({ body: { ...toBody(parameters), image: source.base64 }, pack }),
    cancel: () => abort.current?.abort(),
    captionAt: (frame: number) => captions[language]?.[frame] ?? '',
    language,
    translating: translate.isPending,
    setLanguage(next: CaptionLanguage, source: OpenedFile, parameters: ImageParameters) {
      setLanguage(next);
      if (!captions[next]) {
        const body = { ...toBody(parameters), language: next, tasks: ['caption' as const] };
        translate.mutate({ body: { ...body, image: source.base64 }, pack: null });
      }
    },
  };
}
