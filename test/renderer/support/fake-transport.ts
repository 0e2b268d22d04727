/** A server in memory: one typed handler an operation, everything asked is kept. */

import type { Transport } from '../../../renderer/src/api/client.ts';
import type { BodyOf, OperationKey, ResponseOf } from '../../../server/api/operations.ts';

type Handlers = { [K in OperationKey]?: (body: BodyOf<K>, headers: Headers) => ResponseOf<K> | Response };

interface Asked {
  operation: string;
  body: unknown;
  headers: Headers;
}

export function fakeTransport(handlers: Handlers): { transport: Transport; asked: Asked[] } {
  const asked: Asked[] = [];
  const transport: Transport = async (path, init) => {
    init.signal?.throwIfAborted();
    const operation = `${init.method} ${path}`;
    const headers = new Headers(init.headers);
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    asked.push({ operation, body, headers });
    const key = (Object.keys(handlers) as OperationKey[]).find((name) => matches(name, operation));
    const handler = key && (handlers[key] as (body: unknown, headers: Headers) => unknown);
    if (!handler) return problem(404, 'not_found');
    const answer = handler(body, headers);
    return answer instanceof Response
      ? answer
      : Response.json(answer, { headers: { 'x-request-id': 'req_1' } });
  };
  return { transport, asked };
}

export function problem(
  status: number,
  code: string,
  extra: { param?: string; headers?: HeadersInit } = {},
): Response {
  const error = { message: `says ${code}`, type: 'test', param: extra.param ?? null, code };
  return Response.json({ error }, { status, headers: { 'x-request-id': 'req_2', ...extra.headers } });
}

function matches(name: OperationKey, operation: string): boolean {
  const pattern = name.replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(operation);
}
