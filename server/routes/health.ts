/** /healthz, open and without details; /metrics for readers. */
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import type { Registry } from 'prom-client';

export function registerHealth(app: FastifyInstance, metrics: Registry, access: onRequestHookHandler): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/metrics', { onRequest: access }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.metrics()),
  );
}
