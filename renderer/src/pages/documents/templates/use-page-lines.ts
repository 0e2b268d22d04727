/** What stands on a page and where, read by the server; kept while the file stays open. */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../api/api-context.tsx';
import type { SourceFile } from '../source-file.ts';
import type { Line } from './draft.ts';

export function usePageLines(source: SourceFile, page: number) {
  const client = useClient();
  return useQuery<Line[]>({
    queryKey: ['page-lines', source.id, page],
    queryFn: async ({ signal }) => {
      const body = { file: source.base64, page };
      return (await client.call('POST /console/documents/lines', { body, signal })).data.lines;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}
