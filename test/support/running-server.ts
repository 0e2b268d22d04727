/** A real server on a free port with a data folder of its own, and its first two keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FirstKeys } from '../../server/api/console/console.ts';
import { readConfig } from '../../server/config.ts';
import { startServer } from '../../server/main.ts';

export type Session = { cookie: string; 'x-console-secret': string };

export interface TestServer {
  url: string;
  /** Secrets of an enterprise live key and of a test key. */
  live: string;
  test: string;
  /** Headers of a console session. */
  session: Session;
  close(): Promise<void>;
}

export interface TestServerOptions {
  /** Fills the data folder before the start. */
  prepare?: (home: string) => Promise<unknown>;
}

export async function startTestServer({ prepare }: TestServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'lokal-server-'));
  await prepare?.(home);
  const config = readConfig({ port: '0' }, { ...process.env, LOKAL_LOG: 'silent', LOKAL_HOME: home });
  const server = await startServer(config);
  const session = await openSession(server.url, server.issueConsoleToken());
  const keys = await post<FirstKeys>(`${server.url}/console/first-keys`, undefined, session);
  // A developer's suite asks faster than a minute's allowance of the reserved pool.
  const generous = { requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, concurrent: 64 };
  const limits = { free: generous, professional: generous, enterprise: generous, test: generous };
  await send('PATCH', `${server.url}/console/settings`, { limits }, session);
  return {
    url: server.url,
    live: keys.live.secret,
    test: keys.test.secret,
    session,
    close: async () => {
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export async function openSession(url: string, token: string): Promise<Session> {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (!cookie) throw new Error(`no console session: ${response.status}`);
  const { secret } = (await response.json()) as { secret: string };
  return { cookie, 'x-console-secret': secret };
}

export const post = <T>(url: string, body: unknown, session: Session): Promise<T> =>
  send<T>('POST', url, body, session);

async function send<T>(method: string, url: string, body: unknown, session: Session): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...session, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${new URL(url).pathname}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
