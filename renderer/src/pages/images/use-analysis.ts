/** One file's analysis, and its captions in further languages. */
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ImagesResult } from '../../../../server/api/images.ts';
import type { BodyOf } from '../../../../server/api/operations.ts';
import { useClient } from '../../api/api-context.tsx';
import type { ImageParameters } from './image-options.tsx';
import type { CaptionLanguage } from './image-result.tsx';
import type { OpenedFile } from './picture.tsx';

type Body = BodyOf<'POST /v1/images/analyze'>;

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

  const ask = async (body: Body): Promise<ImagesResult> => {
    abort.current?.abort();
    abort.current = new AbortController();
    return (await client.call('POST /v1/images/analyze', { body, signal: abort.current.signal })).data;
  };
  const captionsOf = ({ results }: ImagesResult) => results.map(({ caption }) => caption);

  const analyse = useMutation({
    mutationFn: ask,
    onSuccess: (answer, body) => {
      const asked = body.language ?? 'en';
      setLanguage(asked);
      setCaptions({ [asked]: captionsOf(answer) });
    },
  });
  const translate = useMutation({
    mutationFn: (body: Body) => ask({ ...body, tasks: ['caption'] }),
    onSuccess: (answer, { language: asked = 'en' }) =>
      setCaptions((previous) => ({ ...previous, [asked]: captionsOf(answer) })),
  });

  return {
    answer: analyse.data,
    error: analyse.error ?? translate.error,
    pending: analyse.isPending,
    run: (source: OpenedFile, parameters: ImageParameters) =>
      analyse.mutate({ ...toBody(parameters), image: source.base64 }),
    cancel: () => abort.current?.abort(),
    captionAt: (frame: number) => captions[language]?.[frame] ?? '',
    language,
    translating: translate.isPending,
    setLanguage(next: CaptionLanguage, source: OpenedFile, parameters: ImageParameters) {
      setLanguage(next);
      if (!captions[next]) {
        translate.mutate({ ...toBody(parameters), language: next, image: source.base64 });
      }
    },
  };
}
