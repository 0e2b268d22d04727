/** Prometheus metrics of the operations and of this process. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Exchange } from './exchange.ts';
import { RequestDurations } from './request-durations.ts';
import type { RequestHook } from './request-hooks.ts';

export interface Metrics {
  registry: Registry;
  measure: RequestHook;
}

/** @param inFlight requests under way, asked when the metrics are read */
export function createMetrics(inFlight: () => number): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'lokal_requests_in_flight',
    help: 'Requests under way',
    registers,
    collect() {
      this.set(inFlight());
    },
  });
  const tokens = new Counter({
    name: 'lokal_tokens_total',
    help: 'Tokens by model and kind',
    labelNames: ['model', 'kind'] as const,
    registers,
  });
  const durations = new RequestDurations();
  registry.registerMetric(durations.metric);

  function observe({ operation, status, meter, replayed, startedAt }: Exchange): void {
    durations.observe(operation ?? 'other', status ?? 0, performance.now() - startedAt);
    const { model, promptTokens, completionTokens } = meter;
    if (!model || replayed) return;
    if (promptTokens > 0) tokens.inc({ model, kind: 'prompt' }, promptTokens);
    if (completionTokens > 0) tokens.inc({ model, kind: 'completion' }, completionTokens);
  }
  return { registry, measure: ({ exchange }) => exchange.onClosed(observe) };
}
