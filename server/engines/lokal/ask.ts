/** One request to another Lokal: its path carries our ids, and a repeat of it is not computed twice. */
import { ApiError, isErrorCode } from '../../errors.ts';
import type { RemoteAsk } from '../adapter.ts';
import { readText, statusFault } from '../connection.ts';
import { parseJsonObject, sessionHeader } from '../openai/embeddings.ts';

const mostAnswerBytes = 256 * 1024 * 1024;

export const lokalHeaders = (ask: RemoteAsk): Record<string, string> => ({
  ...sessionHeader(ask),
  ...(ask.caller?.requestId ? { 'x-request-id': ask.caller.requestId } : {}),
  ...(ask.idempotencyKey === '' ? {} : { 'idempotency-key': ask.idempotencyKey }),
  ...(ask.hops.length > 0 ? { 'x-lokal-hops': ask.hops.join(',') } : {}),
});

/** @throws EngineFault */
export async function askLokal<T>(path: string, body: object, ask: RemoteAsk): Promise<T> {
  const response = await ask.connection.send({
    path,
    headers: lokalHeaders(ask),
    body: JSON.stringify(body),
    signal: ask.signal,
    caller: ask.caller,
  });
  if (response.status !== 200) throw await statusFault(response, explainLokal);
  return parseJsonObject<T>(await readText(response, mostAnswerBytes));
}

/** Another Lokal refuses in our own words and names our own fields: its refusal is the caller's. */
export function explainLokal(body: string): ApiError | undefined {
  try {
    const { code, message, param } = JSON.parse(body).error;
    if (!isErrorCode(code) || typeof message !== 'string') return undefined;
    return new ApiError(code, message.slice(0, 2_000), { param: typeof param === 'string' ? param : null });
  } catch {
    return undefined;
  }
}
