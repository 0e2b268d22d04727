/** A server over Streamable HTTP on this machine: each message is a POST, answered with JSON or with one stream of events. */
import { isLoopback } from '../../config.ts';
import { ApiError } from '../../errors.ts';
import { type McpTransport, maxMessageBytes, type RpcMessage } from './rpc.ts';

/** @throws ApiError invalid_value for what is not HTTP on a loopback address */
export function toLoopbackUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !isLoopback(host) ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new ApiError(
      'invalid_value',
      'A server over HTTP is on this machine: http://127.0.0.1:PORT/path.',
      {
        param: 'url',
      },
    );
  return url;
}

export function openHttpTransport(url: URL): McpTransport {
  const closed = new AbortController();
  let session: string | null = null;
  let version: string | null = null;
  return {
    async exchange(message, signal) {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([signal, closed.signal]),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session === null ? {} : { 'mcp-session-id': session }),
          ...(version === null ? {} : { 'mcp-protocol-version': version }),
        },
        body: JSON.stringify(message),
      });
      session = response.headers.get('mcp-session-id') ?? session;
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      if (message.id === undefined) {
        await response.body?.cancel();
        return null;
      }
      const answer = await readAnswer(response, message.id);
      const agreed = answer.result?.protocolVersion;
      if (message.method === 'initialize' && typeof agreed === 'string') version = agreed;
      return answer;
    },
    onEnded() {},
    close: () => closed.abort(),
  };
}

async function readAnswer(response: Response, id: RpcMessage['id']): Promise<RpcMessage> {
  const stream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxMessageBytes) throw new Error('it sent a message that is too long');
    if (!stream) continue;
    // The stream may stay open after its answer.
    const found = findAnswer(text, id);
    if (found) return found;
  }
  const answer = stream ? findAnswer(`${text}\n\n`, id) : (JSON.parse(text) as RpcMessage);
  if (!answer) throw new Error('it closed the stream without an answer');
  return answer;
}

function findAnswer(text: string, id: RpcMessage['id']): RpcMessage | null {
  const events = text.replaceAll('\r\n', '\n').split('\n\n').slice(0, -1);
  for (const event of events) {
    const data = event
      .split('\n')
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      .join('\n');
    if (data === '') continue;
    const message = JSON.parse(data) as RpcMessage;
    if (message.id === id && message.method === undefined) return message;
  }
  return null;
}
