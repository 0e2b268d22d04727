/**
 * The API for commands: the server that runs on the data folder, or one of this command's own while it works. Requests go as
 * the person's own, with a short-lived key, and are metered and listed like all others, as “Command line”.
 */
import { readConfig } from '../../config.ts';
import { type CommandAccess, readAccess } from '../../db/data-folder.ts';
import { commandSession } from '../../services/console/sessions.ts';
import { StartError } from '../../start-error.ts';
import { fetchPinned } from './pinned-fetch.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface LocalApi {
  /** An operation of `/v1`. @throws StartError with the server's own words */
  ask<T>(path: string, body: object): Promise<T>;
  /** Events of a streamed answer; the server hears of the signal at once. @throws StartError as `ask` */
  stream<T>(path: string, body: object, signal?: AbortSignal): AsyncGenerator<T>;
  /** An operation of `/v1` of any method; a form is sent as multipart/form-data. @throws StartError as `ask` */
  request(method: Method, path: string, body?: object | FormData): Promise<Response>;
  /** An operation of `/console`. @throws StartError */
  console<T>(method: Method, path: string, body?: object): Promise<T>;
  /** Events of `/console/events`. */
  follow<T>(signal: AbortSignal): AsyncGenerator<T>;
}

interface SendOptions {
  method?: Method;
  signal?: AbortSignal;
}

export interface LocalApiOptions {
  /** None is started where no server runs: the command is about one that does. */
  running?: boolean;
}

export async function withApi<T>(
  work: (api: LocalApi) => Promise<T>,
  { running = false }: LocalApiOptions = {},
): Promise<T> {
  const { access, close } = (await joinRunning()) ?? (running ? refuse() : await startOwn());
  try {
    const session = openSession(access);
    try {
      return await work(session);
    } finally {
      await session.console('DELETE', '/console/session').catch(() => undefined);
    }
  } finally {
    await close();
  }
}

interface Server {
  access: CommandAccess;
  close: () => Promise<void>;
}

async function joinRunning(): Promise<Server | null> {
  const access = readAccess(readConfig().home);
  if (!access) return null;
  try {
    if (!(await fetchPinned(access.fingerprint)(`${access.url}/healthz`)).ok) return null;
  } catch {
    return null;
  }
  return { access, close: async () => {} };
}

async function startOwn(): Promise<Server> {
  const { startServer } = await import('../../main.ts');
  const server = await startServer({ ...readConfig({ port: '0' }), logLevel: 'silent' });
  return { access: server.access, close: () => server.close() };
}

function refuse(): never {
  throw new StartError('No Lokal is running on this data folder; `lokal serve` starts one.');
}

function openSession({ url, secret, fingerprint }: CommandAccess): LocalApi {
  const fetch = fetchPinned(fingerprint);
  const { port, protocol } = new URL(url);
  const cookie = `lokal_session_${port || (protocol === 'https:' ? 443 : 80)}=${commandSession()}`;
  const headers = { cookie, 'x-console-secret': secret };
  let key: Promise<{ secret: string }> | null = null;

  const send = async (path: string, body?: object, options: SendOptions = {}): Promise<Response> => {
    const response = await sendOnce(path, body, options);
    if (response.status !== 401) return response;
    // The key lives for an hour.
    key = null;
    return sendOnce(path, body, options);
  };
  const sendOnce = async (
    path: string,
    body: object | undefined,
    { method = 'POST', signal }: SendOptions,
  ) => {
    key ??= api.console<{ secret: string }>('POST', '/console/playground-key');
    const isForm = body instanceof FormData;
    return fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${(await key).secret}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  };
  const api: LocalApi = {
    ask: async (path, body) => readAnswer(await send(path, body)),
    async request(method, path, body) {
      const response = await send(path, body, { method });
      if (!response.ok) await readAnswer(response);
      return response;
    },
    async *stream<T>(path: string, body: object, stopped?: AbortSignal): AsyncGenerator<T> {
      const gone = new AbortController();
      const signal = stopped ? AbortSignal.any([gone.signal, stopped]) : gone.signal;
      try {
        yield* readEvents<T>(await send(path, { ...body, stream: true }, { signal }));
      } finally {
        gone.abort();
      }
    },
    async console(method, path, body) {
      const type = body ? { 'content-type': 'application/json' } : {};
      const content = body ? { body: JSON.stringify(body) } : {};
      return readAnswer(await fetch(url + path, { method, headers: { ...headers, ...type }, ...content }));
    },
    async *follow<T>(signal: AbortSignal): AsyncGenerator<T> {
      yield* readEvents<T>(await fetch(`${url}/console/events`, { headers, signal }));
    },
  };
  return api;
}

async function readAnswer<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T & { error?: { message: string } };
  if (!response.ok) throw new StartError(body.error?.message ?? `The server answered ${response.status}.`);
  return body;
}

/** Data of server-sent events; an error among them ends with its message. */
async function* readEvents<T>(response: Response): AsyncGenerator<T> {
  if (!response.ok) await readAnswer(response);
  const decoder = new TextDecoder();
  let held = '';
  for await (const piece of response.body!) {
    held += decoder.decode(piece as Uint8Array, { stream: true });
    const events = held.split('\n\n');
    held = events.pop()!;
    for (const event of events) {
      const data = /^data: (\{.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const value = JSON.parse(data) as Awaited<T>;
      const { error } = value as { error?: { message: string } };
      if (error) throw new StartError(error.message);
      yield value;
    }
  }
}
