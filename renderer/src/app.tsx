/** Providers around the routes, and the gate that lets nobody in without a session. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { ClientContext } from './api/api-context.tsx';
import type { Client } from './api/client.ts';
import { hasCode, Problem } from './api/problem.ts';
import { router } from './routes.tsx';
import { theme } from './theme/theme.ts';

/** Only what waiting may heal is tried again, and once. */
const retry = (failures: number, error: Error): boolean =>
  failures < 1 && error instanceof Problem && (error.status === 0 || error.status >= 500);

/** Every answer that the page has read. */
export function createQueries(): QueryClient {
  // The gate asks again, and shows how to sign in.
  const onError = (error: Error, key?: unknown) => {
    if (hasCode(error, 'session_required') && key !== gate)
      void queries.invalidateQueries({ queryKey: [gate] });
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError: (error, { queryKey }) => onError(error, queryKey[0]) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error) }),
    defaultOptions: { queries: { retry, retryDelay: 400, refetchOnWindowFocus: false } },
  });
  return queries;
}

/** A server that is slower than this is waited for on the page. */
const gateWaitMs = 150;

/** Asks for what the frame cannot be drawn without: mostly it is there before a sign of waiting would be. */
export async function readGate(queries: QueryClient, client: Client): Promise<void> {
  const queryFn = async () => (await client.call(gate)).data;
  const slow = new Promise((resolve) => setTimeout(resolve, gateWaitMs));
  await Promise.race([queries.prefetchQuery({ queryKey: [gate], queryFn }), slow]);
}

const gate = 'GET /console/state';

export function App({ client, queries }: { client: Client; queries: QueryClient }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <ClientContext value={client}>
          <Notifications position="bottom-right" containerWidth={340} autoClose={4000} />
          <RouterProvider router={router} />
        </ClientContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
