/** Providers around the routes, and the gate that lets nobody in without a session. */
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { ClientContext } from './api/api-context.tsx';
import type { Client } from './api/client.ts';
import { Problem } from './api/problem.ts';
import { router } from './routes.tsx';
import { theme } from './theme/theme.ts';

/** Only what waiting may heal is tried again, and once. */
const retry = (failures: number, error: Error): boolean =>
  failures < 1 && error instanceof Problem && (error.status === 0 || error.status >= 500);

export function App({ client }: { client: Client }) {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry, retryDelay: 400, refetchOnWindowFocus: false } },
      }),
  );
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queries}>
        <ClientContext value={client}>
          <Notifications position="bottom-right" autoClose={4000} />
          <RouterProvider router={router} />
        </ClientContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}
