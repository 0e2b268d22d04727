/**
 * The API for commands: the server that runs on the data folder, or one of this command's own while it works. Requests go as
 * the person's own, with a short-lived key, and are metered and listed like all others, as “Command line”.
 */
import { readConfig } from '../../config.ts';
import { type CommandAccess, readAccess } from '../../db/data-folder.ts';
import { commandSession } from '../../services/console/sessions.ts';
import { StartError } from '../../start-error.ts';
import { fetchPinned, ServerAwayError } from './pinned-fetch.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface LocalApi {
  /** An operation of `/v1`. @throws StartError with the server's own words */
  ask<T>(path: string, body: object): Promise<T>;
  /** Events of a streamed answer; the server hears of the signal at once. @throws StartError as `ask` */
  stream<T>(path: string, body: object, signal?: AbortSignal): AsyncGenerator<T>;
  /** An operation of any method, a form as multipart/form-data; of `/console` as `console` asks it. @throws StartError as `ask` */
  request(method: Method, path: string, body?: object | FormData): Promise<Response>;
  /** An operation of `/console`. @throws StartError */
  console<T>(method: Method, path: string, body?: object): Promise<T>;
  /** Events of `/console/events`. */
  follow<T>(signal: AbortSignal): AsyncGenerator<T>;
  /** After a ServerAwayError: turns to the server that runs on the data folder now. @returns false while there is none */
  rejoin(): Promise<boolean>;
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
  const access = await findRunning();
  return access && { access, close: async () => {} };
}

/** null where no server runs on the data folder, though one that was killed left its access, or another is at its address. */
async function findRunning(): Promise<CommandAccess | null> {
  const access = readAccess(readConfig().home);
  if (!access) return null;
  const init = { headers: sessionHeaders(access) };
  try {
    const answer = await fetchPinned(access.fingerprint)(`${access.url}/console/sessions`, init);
    await answer.body?.cancel();
    return answer.ok ? access : null;
  } catch {
    return null;
  }
}

/** @throws StartError where no server runs on the data folder */
export const mustRun = async (): Promise<CommandAccess> => (await findRunning()) ?? refuse();

async function startOwn(): Promise<Server> {
  const { startServer } = await import('../../main.ts');
  const server = await startServer({ ...readConfig({ port: '0' }), logLevel: 'silent' });
  return { access: server.access, close: () => server.close() };
}

function refuse(): never {
  throw new StartError('No Lokal is running on this data folder; `lokal serve` starts one.');
}

function sessionHeaders({ url, secret }: CommandAccess) {
  const { port, protocol } = new URL(url);
  const cookie = `lokal_session_${port || (protocol === 'https:' ? 443 : 80)}=${commandSession()}`;
  return { cookie, 'x-console-secret': secret };
}

function openSession(first: CommandAccess): LocalApi {
  let access = first;
  let headers = sessionHeaders(access);
  let key: Promise<{ secret: string }> | null = null;

  /** Of a broken connection or an unknown session: the server’s end, or its own words while it goes on. */
  const explained = async (error: unknown): Promise<unknown> => {
    if (error instanceof ServerAwayError) return error;
    if ((await findRunning())?.secret !== access.secret) return new ServerAwayError();
    if (error instanceof StartError) return error;
    return new StartError('The connection to the server broke.');
  };
  const fetchOnce = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const response = await fetchPinned(access.fingerprint)(access.url + path, init);
      // A server that ends answers what it breaks off with 5xx; one that began anew knows no session of before.
      const isOdd = response.status >= 500 || (response.status === 401 && path.startsWith('/console/'));
      return isOdd ? await readAnswer(response) : response;
    } catch (error) {
      throw init.signal?.aborted ? error : await explained(error);
    }
  };
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
    key ??= api.console<{ secret: string }>('POST', '/console/playground-key').catch((error: unknown) => {
      key = null;
      throw error;
    });
    const isForm = body instanceof FormData;
    return fetchOnce(path, {
      method,
      headers: {
        authorization: `Bearer ${(await key).secret}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    });
  };
  const askConsole = (method: Method, path: string, body?: object) => {
    const type = body ? { 'content-type': 'application/json' } : {};
    const content = body ? { body: JSON.stringify(body) } : {};
    return fetchOnce(path, { method, headers: { ...headers, ...type }, ...content });
  };
  const wholeOf = async <T>(response: Response): Promise<T> => {
    try {
      return await readAnswer<T>(response);
    } catch (error) {
      throw error instanceof StartError ? error : await explained(error);
    }
  };
  const api: LocalApi = {
    ask: async (path, body) => wholeOf(await send(path, body)),
    async request(method, path, body) {
      const response = await (path.startsWith('/console/')
        ? askConsole(method, path, body)
        : send(path, body, { method }));
      if (!response.ok) await wholeOf(response);
      return response;
    },
    async *stream<T>(path: string, body: object, stopped?: AbortSignal): AsyncGenerator<T> {
      const gone = new AbortController();
      const signal = stopped ? AbortSignal.any([gone.signal, stopped]) : gone.signal;
      try {
        yield* readEvents<T>(await send(path, { ...body, stream: true }, { signal }));
      } catch (error) {
        throw error instanceof StartError || stopped?.aborted ? error : await explained(error);
      } finally {
        gone.abort();
      }
    },
    console: async (method, path, body) => wholeOf(await askConsole(method, path, body)),
    async *follow<T>(signal: AbortSignal): AsyncGenerator<T> {
      try {
        yield* readEvents<T>(await fetchOnce('/console/events', { headers, signal }));
      } catch (error) {
        throw error instanceof StartError || signal.aborted ? error : await explained(error);
      }
    },
    async rejoin() {
      const now = await findRunning();
      if (!now) return false;
      [access, headers, key] = [now, sessionHeaders(now), null];
      return true;
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
