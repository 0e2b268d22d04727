/** A page as a picture, drawn by the server; cached while the file stays open. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { PageImage } from '../../../../server/api/console/console.ts';
import { useClient } from '../../api/api-context.tsx';
import type { Client } from '../../api/client.ts';
import type { SourceFile } from '../../components/source-file.ts';

export const pageWidths = { thumbnail: 160, plain: 1200, sharp: 2200 } as const;

export const pageImageQuery = (client: Client, source: SourceFile, page: number, width: number) =>
  queryOptions<PageImage>({
    queryKey: ['page-image', source.id, page, width],
    queryFn: async ({ signal }) => {
      const body = { file: source.base64, page, width };
      return (await client.call('POST /console/documents/page', { body, signal })).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });

export function usePageImage(
  source: SourceFile,
  page: number,
  options: { width: number; enabled?: boolean },
) {
  return useQuery({
    ...pageImageQuery(useClient(), source, page, options.width),
    enabled: options.enabled ?? true,
    placeholderData: (previous) => (previous?.page === page ? previous : pictureAsIs(source, page)),
  });
}

/** A picture is its own page until the server has drawn it; browsers tell its format from its bytes. */
const pictureAsIs = ({ name, base64 }: SourceFile, page: number): PageImage | undefined =>
  page === 1 && /\.(?:png|jpe?g)$/i.test(name) ? { page, pages: 1, png: base64 } : undefined;

export const pageDataUrl = (png: string): string => `data:image/png;base64,${png}`;
