/** Meters executed requests of live keys, once their answer is out. */
import type { UsageService } from '../services/usage.ts';
import type { ClosedListener, Exchange } from './exchange.ts';

export const meterUsage =
  (usage: UsageService): ClosedListener =>
  (exchange) => {
    if (exchange.caller && wasExecuted(exchange)) usage.record(exchange.caller.principal, exchange.meter);
  };

/** A request that failed or was cancelled counts for what it had used by then. */
function wasExecuted({ replayed, status, meter }: Exchange): boolean {
  if (replayed) return false;
  const { promptTokens, completionTokens, images, frames, pages } = meter;
  return (status ?? 500) < 400 || promptTokens + completionTokens + images + frames + pages > 0;
}
