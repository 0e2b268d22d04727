/** Meters executed requests of live keys, once their answer is out. */
import type { FastifyInstance } from 'fastify';
import type { UsageService } from '../services/usage.ts';
import type { Exchange } from './exchange.ts';

export function meterUsage(app: FastifyInstance, usage: UsageService): void {
  app.addHook('preHandler', ({ exchange }, _reply, done) => {
    const { caller, spec } = exchange;
    if (caller && spec?.inference) {
      exchange.onSettled(() => {
        if (wasExecuted(exchange)) usage.record(caller.principal, exchange.meter);
      });
    }
    done();
  });
}

/** A request that failed or was cancelled counts for what it had used by then. */
function wasExecuted({ replayed, status, meter }: Exchange): boolean {
  if (replayed) return false;
  const { promptTokens, completionTokens, images, frames, pages } = meter;
  return (status ?? 500) < 400 || promptTokens + completionTokens + images + frames + pages > 0;
}
