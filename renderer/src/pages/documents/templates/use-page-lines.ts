/** Lines of a page with their boxes, read by the server; kept while the file stays open. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useClient } from '../../../api/api-context.tsx';
import type { Client } from '../../../api/client.ts';
import type { SourceFile } from '../../../components/source-file.ts';
import type { Line } from './draft.ts';

export const pageLinesQuery = (client: Client, source: SourceFile, page: number) =>
  queryOptions<Line[]>({
    queryKey: ['page-lines', source.id, page],
    queryFn: async ({ signal }) => {
      const body = { file: source.base64, page };
      return (await client.call('POST /console/documents/lines', { body, signal })).data.lines;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });

export const usePageLines = (source: SourceFile, page: number) =>
  useQuery(pageLinesQuery(useClient(), source, page));
