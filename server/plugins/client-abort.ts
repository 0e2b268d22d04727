/**
 * Follows each request to its end. The one sign of a client that went away is 'close' on the raw response before it was
 * written: Fastify's own request.signal aborts every POST once its body is read.
 */
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
    raw.on('finish', () => exchange.close(raw.statusCode));
    raw.on('close', () => leave(exchange));
  };
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
