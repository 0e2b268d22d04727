/**
 * Meters executed requests of live keys before their answer leaves: an answer that somebody has read is counted, whatever
 * ends this process afterwards. What breaks off is counted when the exchange closes, for what it had used by then.
 */
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { type OperationSpec, operations } from '../api/operations.ts';
import type { UsageService } from '../services/usage.ts';
import type { Exchange } from './exchange.ts';

export function meterUsage(app: FastifyInstance, usage: UsageService): void {
  function record(exchange: Exchange, status: number): void {
    if (exchange.metered || !exchange.caller || !wasExecuted(exchange, status)) return;
    exchange.metered = true;
    usage.record(exchange.caller.principal, exchange.meter);
  }

  const recordWhole: onSendHookHandler = ({ exchange }, reply, payload, done) => {
    // A stream is counted with its last event.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) record(exchange, reply.statusCode);
    done(null, payload);
  };

  app.addHook('onRoute', (route) => {
    const key = route.config?.operation;
    const spec: OperationSpec | undefined = key && operations[key];
    if (!spec?.inference) return;
    route.onRequest = [
      ({ exchange }, _reply, done) => {
        exchange.onComplete = () => record(exchange, 200);
        exchange.onClosed(() => record(exchange, exchange.status ?? 500));
        done();
      },
      ...[route.onRequest ?? []].flat(),
    ];
    route.onSend = [recordWhole, ...[route.onSend ?? []].flat()];
  });
}

/** A request that failed or was cancelled counts for what it had used by then. */
function wasExecuted({ replayed, meter }: Exchange, status: number): boolean {
  if (replayed) return false;
  const { promptTokens, completionTokens, images, frames, pages } = meter;
  return status < 400 || promptTokens + completionTokens + images + frames + pages > 0;
}
