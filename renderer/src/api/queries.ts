/** TanStack Query over the client: an operation's key is its query key. */
import {
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { RequestEntry, RequestLog } from '../../../server/api/console/console.ts';
import type { HostState, PackOverview } from '../../../server/api/console/packs.ts';
import type { KeyList } from '../../../server/api/keys.ts';
import type { OperationKey, ResponseOf } from '../../../server/api/operations.ts';
import { useClient } from './api-context.tsx';
import type { CallOptions } from './client.ts';

export type ReadKey = Extract<OperationKey, `GET /console/${string}`>;

export function useRead<K extends ReadKey>(
  operation: K,
  options: { refetchInterval?: number } = {},
): UseQueryResult<ResponseOf<K>> {
  const client = useClient();
  return useQuery({
    queryKey: [operation],
    queryFn: async ({ signal }) => (await client.call(operation, { signal })).data,
    ...options,
  }) as UseQueryResult<ResponseOf<K>>;
}

/** A change; the reads it makes stale are fetched again when it has succeeded. */
export function useChange<K extends OperationKey>(
  operation: K,
  stale: ReadKey[] = [],
): UseMutationResult<ResponseOf<K>, Error, CallOptions<K>> {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<ResponseOf<K>, Error, CallOptions<K>>({
    mutationFn: async (options) => (await client.call(operation, options)).data,
    onSuccess: () => Promise.all(stale.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  });
}

/** Rows of the request log kept in the page. */
const maxEntries = 500;

export function mergeEntry(log: RequestEntry[], entry: RequestEntry): RequestEntry[] {
  const index = log.findIndex(({ id, time_ms }) => id === entry.id && time_ms === entry.time_ms);
  if (index < 0) return [entry, ...log].slice(0, maxEntries);
  return log.with(index, entry);
}

export function mergeHost(overview: PackOverview, host: HostState): PackOverview {
  return {
    ...overview,
    roles: overview.roles.map((role) => (role.pack === host.pack ? { ...role, host } : role)),
  };
}

/** Live events written into what the pages have read already. */
export function applyRequest(queries: QueryClient, entry: RequestEntry): void {
  queries.setQueryData<RequestLog>(['GET /console/requests'], (log) =>
    log ? { data: mergeEntry(log.data, entry) } : undefined,
  );
  queries.setQueryData<KeyList>(
    ['GET /console/keys'],
    (list) =>
      list && {
        ...list,
        data: list.data.map((key) =>
          key.id === entry.key_id ? { ...key, last_used: Math.floor(entry.time_ms / 1000) } : key,
        ),
      },
  );
}

export function applyHost(queries: QueryClient, host: HostState): void {
  queries.setQueryData<PackOverview>(['GET /console/packs'], (overview) =>
    overview ? mergeHost(overview, host) : undefined,
  );
}
