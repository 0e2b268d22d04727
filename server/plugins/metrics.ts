/** Prometheus metrics of the operations and of this process. */
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export function measureOperations(app: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const inFlight = new Gauge({ name: 'lokal_requests_in_flight', help: 'Requests under way', registers });
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

  app.addHook('onRequest', ({ exchange }, _reply, done) => {
    inFlight.inc();
    exchange.onSettled(() => {
      inFlight.dec();
      const { operation, status, meter } = exchange;
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      durations.observe({ operation: operation ?? 'other', status: status ?? 0 }, seconds);
      if (!meter.model || exchange.replayed) return;
      if (meter.promptTokens > 0) tokens.inc({ model: meter.model, kind: 'prompt' }, meter.promptTokens);
      if (meter.completionTokens > 0) {
        tokens.inc({ model: meter.model, kind: 'completion' }, meter.completionTokens);
      }
    });
    done();
  });
  return registry;
}
