/** A small HTTP/1.1 load generator over raw sockets, so that the client takes as little of the machine as it can. */
import { connect, type Socket } from 'node:net';

export interface Target {
  port: number;
  /** The whole request, head and body. */
  request: Buffer;
}

export interface Load {
  requests: number;
  /** Requests under way at a time, each on a connection of its own. */
  connections: number;
}

/** Sends `requests` in all and resolves with the milliseconds each took. @throws on any status but 200 */
export async function sendLoad(target: Target, { requests, connections }: Load): Promise<Float64Array> {
  const latencies = new Float64Array(requests);
  let next = 0;
  const take = () => (next < requests ? next++ : -1);
  await Promise.all(Array.from({ length: connections }, () => runConnection(target, take, latencies)));
  return latencies;
}

function runConnection(
  { port, request }: Target,
  take: () => number,
  latencies: Float64Array,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const stop = (error?: Error) => {
      socket.destroy();
      if (error) reject(error);
      else resolve();
    };
    let index = -1;
    let sentAt = 0;
    const send = () => {
      index = take();
      if (index < 0) return stop();
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send).on('error', stop);
    readResponses(socket, stop, () => {
      latencies[index] = performance.now() - sentAt;
      send();
    });
  });
}

/** Calls back after each whole response; all of ours announce their length. */
function readResponses(socket: Socket, fail: (error: Error) => void, onResponse: () => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = pending.toString('latin1', 0, headEnd);
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (!head.startsWith('HTTP/1.1 200'))
      return fail(new Error(`the server answered ${head.split('\r\n')[0]}`));
    if (pending.length < headEnd + 4 + length) return;
    pending = Buffer.alloc(0);
    onResponse();
  });
}

export function toRequest(method: string, path: string, options: { key: string; body?: string }): Buffer {
  const body = options.body ?? '';
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${options.key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}
