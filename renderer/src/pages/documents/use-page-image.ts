/** A page as a picture, drawn by the server; cached while the file stays open. */
import { useQuery } from '@tanstack/react-query';
import type { PageImage } from '../../../../server/api/console.ts';
import { useClient } from '../../api/api-context.tsx';
import type { SourceFile } from './source-file.ts';

export const pageWidths = { thumbnail: 160, plain: 1200, sharp: 2200 } as const;

export function usePageImage(
  source: SourceFile,
  page: number,
  options: { width: number; enabled?: boolean },
) {
  const client = useClient();
  return useQuery<PageImage>({
    queryKey: ['page-image', source.id, page, options.width],
    queryFn: async ({ signal }) => {
      const body = { file: source.base64, page, width: options.width };
      return (await client.call('POST /console/documents/page', { body, signal })).data;
    },
    enabled: options.enabled ?? true,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    placeholderData: (previous) => (previous?.page === page ? previous : undefined),
  });
}

export const toDataUrl = (png: string): string => `data:image/png;base64,${png}`;
