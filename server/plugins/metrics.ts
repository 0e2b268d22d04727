/** Prometheus metrics of the operations and of this process. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Exchange } from './exchange.ts';
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
  const durations = new Histogram({
    name: 'lokal_request_duration_seconds',
    help: 'Duration of requests by operation and status',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });

  function observe({ operation, status, meter, replayed, startedAt }: Exchange): void {
    const seconds = (performance.now() - startedAt) / 1000;
    durations.observe({ operation: operation ?? 'other', status: status ?? 0 }, seconds);
    const { model, promptTokens, completionTokens } = meter;
    if (!model || replayed) return;
    if (promptTokens > 0) tokens.inc({ model, kind: 'prompt' }, promptTokens);
    if (completionTokens > 0) tokens.inc({ model, kind: 'completion' }, completionTokens);
  }
  return { registry, measure: ({ exchange }) => exchange.onClosed(observe) };
}
