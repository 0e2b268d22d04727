/** Batches of all keys, read again while one is not over; and the beginning of one from a file. */
import { useMutation } from '@tanstack/react-query';
import {
  type BatchEndpoint,
  batchEndpoints,
  type KeyBatch,
} from '../../../../server/api/protocols/batches.ts';
import { useClient } from '../../api/api-context.tsx';
import { useChange, useRead } from '../../api/queries.ts';
import { downloadBlob } from '../../export/download.ts';
import { t } from '../../strings/t.ts';

export const overStatuses: readonly KeyBatch['status'][] = ['completed', 'failed', 'expired', 'cancelled'];

const refreshMs = 2_000;

export const useBatches = () => useRead('GET /console/batches', { refetchInterval: refreshMs });

/** The operation that the first line asks for; null where it is none that batches take. */
export function endpointOf(firstLine: string): BatchEndpoint | null {
  try {
    const { url } = JSON.parse(firstLine) as { url?: unknown };
    return batchEndpoints.find((each) => each === url) ?? null;
  } catch {
    return null;
  }
}

/** Longest beginning of a file that is read for its first line. */
const headBytes = 16 * 1024 * 1024;

export function useBeginBatch(onDone: () => void) {
  const client = useClient();
  const create = useChange('POST /v1/batches', ['GET /console/batches']);
  return useMutation({
    mutationFn: async (file: File) => {
      const [first = ''] = (await file.slice(0, headBytes).text()).trimStart().split('\n', 1);
      const endpoint = endpointOf(first);
      if (!endpoint) throw new Error(t('batches.wrong_file', { name: file.name }));
      const form = new FormData();
      form.set('purpose', 'batch');
      form.set('file', file);
      const { data } = await client.call('POST /v1/files', { form });
      const body = { input_file_id: data.id, endpoint, completion_window: '24h' as const };
      await create.mutateAsync({ body });
    },
    onSuccess: onDone,
  });
}

/** Saves an output file of a batch. */
export function useSaveFile() {
  const client = useClient();
  return useMutation({
    mutationFn: async ({ key, id, name }: { key: string; id: string; name: string }) => {
      const params = { key, id };
      const response = await client.open('GET /console/files/{key}/{id}/content', { params });
      downloadBlob(name, await response.blob());
    },
  });
}
