/**
 * The typed client: operations, bodies and answers are those of server/api/operations.ts. /console calls go with the
 * session's cookie and the page's own secret, /v1 calls with the playground key.
 */
import { secretHeader } from '../../../server/api/console/secret.ts';
import type { BodyOf, OperationKey, ResponseOf } from '../../../server/api/operations.ts';
import { memorySecret, type PageSecret } from './page-secret.ts';
import { createKeySource } from './playground-key.ts';
import { isAbort, offlineCode, Problem, toProblem } from './problem.ts';

export type Transport = (path: string, init: RequestInit) => Promise<Response>;

export interface CallOptions<K extends OperationKey> {
  body?: BodyOf<K>;
  /** In place of the body, of an operation that takes multipart/form-data. */
  form?: FormData;
  /** Values of `{id}` segments. */
  params?: Record<string, string>;
  signal?: AbortSignal;
  /** Sent as x-request-id, so that progress events can be told apart. */
  requestId?: string;
  headers?: Record<string, string>;
}

export interface Answer<T> {
  data: T;
  requestId: string | null;
  headers: Headers;
}

export interface Client {
  /** @throws Problem */
  call<K extends OperationKey>(operation: K, options?: CallOptions<K>): Promise<Answer<ResponseOf<K>>>;
  /** The open answer of an operation that streams. @throws Problem */
  open<K extends OperationKey>(operation: K, options?: CallOptions<K>): Promise<Response>;
}

export function toPath(
  operation: string,
  params: Record<string, string> = {},
): { method: string; path: string } {
  const [method = 'GET', template = '/'] = operation.split(' ', 2);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { method, path };
}

export function createClient(
  transport: Transport = (path, init) => fetch(path, init),
  pageSecret: PageSecret = memorySecret(),
): Client {
  const keys = createKeySource(async () => (await call('POST /console/playground-key')).data);

  async function send<K extends OperationKey>(operation: K, options: CallOptions<K>, secret: string | null) {
    const { method, path } = toPath(operation, options.params);
    const headers = new Headers({ accept: 'application/json, text/event-stream', ...options.headers });
    if (options.body !== undefined) headers.set('content-type', 'application/json');
    if (options.requestId) headers.set('x-request-id', options.requestId);
    if (secret) headers.set('authorization', `Bearer ${secret}`);
    const own = operation.includes(' /console/') ? pageSecret.get() : null;
    if (own) headers.set(secretHeader, own);
    try {
      return await transport(path, {
        method,
        headers,
        credentials: 'same-origin',
        ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
        ...(options.form === undefined ? {} : { body: options.form }),
        ...(options.signal ? { signal: options.signal } : {}),
      });
    } catch (error) {
      if (isAbort(error)) throw error;
      throw new Problem('', { status: 0, code: offlineCode });
    }
  }

  async function open<K extends OperationKey>(operation: K, options: CallOptions<K> = {}): Promise<Response> {
    const isApi = operation.includes(' /v1/');
    let secret = isApi ? await keys.get() : null;
    let response = await send(operation, options, secret);
    if (secret && response.status === 401) {
      keys.drop(secret);
      secret = await keys.get();
      response = await send(operation, options, secret);
    }
    if (!response.ok) throw await toProblem(response);
    return response;
  }

  async function call<K extends OperationKey>(operation: K, options: CallOptions<K> = {}) {
    const response = await open(operation, options);
    const data = (await response.json()) as ResponseOf<K>;
    return { data, requestId: response.headers.get('x-request-id'), headers: response.headers };
  }

  return { call, open };
}
