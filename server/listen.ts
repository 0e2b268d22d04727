/** Listens where the configuration says: by default on both loopback addresses, 127.0.0.1 and, where there is one, ::1. */
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, isAnyAddress, toHostName } from './config.ts';
import { answerBrokenRequest, answerConnect } from './plugins/http/error-handler.ts';
import { StartError } from './start-error.ts';

/** From a request's first byte to its last; enough for the largest body on a slow network. The answer takes as long as it takes. */
const receiveLimitMs = 300_000;

/** Options of both of the app's servers. */
export const httpOptions = {
  /** A GET's body is known to be empty from its head, so its stream need not be played. */
  optimizeEmptyRequests: true,
  /** Its absence is refused with all other hosts that are not ours, in the API's own words. */
  requireHostHeader: false,
};

export interface Listening {
  /** As a person opens it: an address for all is told by a name of this machine's, or its loopback address. */
  url: string;
  /** As this machine's own commands reach it. */
  localUrl: string;
  /** A notice about where it listens; null: none. */
  warning: string | null;
}

/**
 * Closes the app when it cannot listen.
 * @throws StartError when the address is taken or not to be had
 */
export async function listen(app: FastifyInstance, config: Config): Promise<Listening> {
  const { port, tls } = config;
  const both = config.host === 'localhost';
  const host = both ? '127.0.0.1' : config.host;
  const second = both ? createSecond(app, tls) : null;
  // Before the app's own server: hooks cannot be added to one that listens.
  if (second) app.addHook('onClose', () => closeServer(second));
  for (const server of second ? [app.server, second] : [app.server]) {
    limitReceiving(server, receiveLimitMs);
    // An expectation that is not known may be passed over (RFC 9110, 10.1.1); Node's own refusal has no body.
    server.on('checkExpectation', (request, response) => app.routing(request, response));
    server.on('connect', answerConnect);
  }
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw toStartError(error, host, port);
  }
  const bound = (app.server.address() as AddressInfo).port;
  const isForeign = second !== null && (await listenIfPossible(second, bound)) === 'EADDRINUSE';
  const urlOf = (name: string) => `${tls ? 'https' : 'http'}://${name}:${bound}`;
  const loopback = host === '::' ? '[::1]' : '127.0.0.1';
  return {
    url: urlOf(isAnyAddress(host) ? (config.hostNames[0] ?? loopback) : toHostName(host)),
    localUrl: urlOf(isAnyAddress(host) ? loopback : toHostName(host)),
    warning: isForeign
      ? `Another program holds [::1]:${bound}; whoever asks “localhost” over IPv6 hands it the API key. Use 127.0.0.1, or end that program and start again.`
      : null,
  };
}

function createSecond(app: FastifyInstance, tls: Config['tls']): Server {
  const listener: RequestListener = (request, response) => app.routing(request, response);
  const options = { ...httpOptions, keepAliveTimeout: 72_000 };
  const server = tls ? createHttps({ ...tls, ...options }, listener) : createHttp(options, listener);
  return server.on('clientError', answerBrokenRequest);
}

/** A client that stalls in the middle of its body would hold its key's slot for ever. */
export function limitReceiving(server: Server, limitMs: number): void {
  (server as Server & { requestTimeout: number }).requestTimeout = limitMs;
  // After the answer: a peer that is gone never closes its half, and only the end of the socket frees the slot.
  server.on('clientError', (_error: Error, socket: Socket) => socket.destroySoon());
}

/** The code of what stood in the way, or null. A machine without IPv6 has no ::1, which is no reason not to start. */
function listenIfPossible(server: Server, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
    server.listen({ host: '::1', port }, () => resolve(null));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    (server as { closeIdleConnections?: () => void }).closeIdleConnections?.();
  });
}

function toStartError(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is in use on ${host}; --port names another (0: any free one).`);
  }
  if (code === 'EACCES')
    return new StartError(`Port ${port} on ${host} needs more rights; --port names another.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartError(`${host} is not an address of this machine.`);
  }
  return error;
}
