/**
 * Follows each request to its end. The one sign of a client that went away is 'close' on the raw response before it was
 * written: Fastify's own request.signal aborts every POST once its body is read.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors.ts';
import { Exchange } from './exchange.ts';
import type { RequestHook } from './request-hooks.ts';

const clientClosed = new ApiError('client_closed_request', 'The client closed the connection.');

export function followExchanges(app: FastifyInstance, now: () => number): RequestHook {
  app.decorateRequest('exchange');
  return (request, reply) => {
    const exchange = new Exchange(request.id, now());
    request.exchange = exchange;
    const { raw } = reply;
    // The last byte is with the system.
    raw.on('finish', () => {
      exchange.close(raw.statusCode);
      if (request.raw.complete === false) endLater(request.raw);
    });
    raw.on('close', () => leave(exchange));
  };
}

/** Time that a client has to see that it was answered before its body was whole. */
const senderMs = 2_000;

/** A body without end would be read, or its connection held, as long as its sender likes. */
function endLater(request: IncomingMessage): void {
  const { socket } = request;
  setTimeout(() => request.complete || socket.destroy(), senderMs).unref();
}

/** The end of the response; where its last byte did not get out, of the client. */
function leave(exchange: Exchange): void {
  if (exchange.closed) return;
  if (exchange.runsOn) {
    exchange.abandoned = true;
    return;
  }
  exchange.cancel(clientClosed);
  // A stream may have been ended for a better reason before.
  exchange.code ??= exchange.cancelled?.code ?? clientClosed.code;
  exchange.close(clientClosed.status);
}
