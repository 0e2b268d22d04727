/** Asks the server of this machine over TLS by its own certificate, which no authority and no name need vouch for. */
import { request as askHttps } from 'node:https';
import { Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { StartError } from '../../start-error.ts';

/** SHA-256 of a certificate, as its running server noted it; null: the address is plain HTTP. */
export type Pin = string | null;

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The server that was asked ended, and may have begun anew. */
export class ServerAwayError extends StartError {
  constructor(message = 'The server ended while it was asked; `lokal serve` starts it again.') {
    super(message);
  }
}

/** `fetch`, or the same over a connection whose certificate was compared before a byte is sent. */
export const fetchPinned =
  (pin: Pin): Fetch =>
  (url, init = {}) =>
    pin === null ? fetch(url, init) : ask(new URL(url), init, pin);

async function ask(url: URL, init: RequestInit, pin: string): Promise<Response> {
  const { method, headers, body, signal } = new Request(url, init);
  const content = body === null ? null : Buffer.from(await new Response(body).arrayBuffer());
  const socket = await connectPinned(url, pin);
  return new Promise((resolve, reject) => {
    const request = askHttps(url, {
      method,
      headers: { ...Object.fromEntries(headers), ...(content && { 'content-length': content.length }) },
      signal,
      createConnection: () => socket,
    });
    request.on('error', reject).on('response', (answer) => {
      const status = answer.statusCode ?? 500;
      const isEmpty = status === 204 || status === 304;
      const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
      resolve(new Response(stream, { status, headers: answer.headers as Record<string, string> }));
    });
    request.end(content);
  });
}

function connectPinned({ hostname, port }: URL, pin: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || 443, rejectUnauthorized: false }, () => {
      if (socket.getPeerCertificate().fingerprint256 === pin) return resolve(socket);
      socket.destroy();
      reject(new ServerAwayError(`Another server than Lokal’s answers at ${hostname}:${port}.`));
    });
    socket.once('error', reject);
  });
}
