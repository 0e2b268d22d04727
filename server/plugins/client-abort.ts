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
  // On 'finish': the last byte is with the system.
  app.addHook('onResponse', ({ exchange }, reply, done) => {
    exchange.close(reply.raw.statusCode);
    done();
  });
  return (request, reply) => {
    const exchange = new Exchange(request.id, now());
    request.exchange = exchange;
    reply.raw.once('close', () => {
      if (exchange.closed) return;
      if (exchange.runsOn) {
        exchange.abandoned = true;
        return;
      }
      exchange.cancel(clientClosed);
      // A stream may have been ended for a better reason before.
      exchange.code ??= exchange.cancelled?.code ?? clientClosed.code;
      exchange.close(clientClosed.status);
    });
  };
}
