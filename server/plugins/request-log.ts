/** One line of metadata per API request, to the log and, while someone watches, to the console as it happens. */
import type { FastifyInstance } from 'fastify';
import type { RequestEntry } from '../api/console/console.ts';
import { operations, splitOperation } from '../api/operations.ts';
import type { EventBus } from '../services/console/events.ts';
import type { RequestLogService } from '../services/request-log.ts';
import type { Exchange } from './exchange.ts';

export function logRequests(app: FastifyInstance, log: RequestLogService, events: EventBus): void {
  app.addHook('onRoute', (route) => {
    const key = route.config?.operation;
    if (!key || operations[key].access !== 'api') return;
    const { path } = splitOperation(key);
    const before = [route.onRequest ?? []].flat();
    route.onRequest = [
      ({ exchange, method }, _reply, done) => {
        const entry = () => toEntry(exchange, method, path);
        log.begin(entry);
        if (events.observed) events.publish({ type: 'request', entry: entry() });
        exchange.onClosed(() => {
          log.end(entry);
          const whole = entry();
          log.add(whole);
          if (events.observed) events.publish({ type: 'request', entry: whole });
        });
        done();
      },
      ...before,
    ];
  });
}

function toEntry(exchange: Exchange, method: string, path: string): RequestEntry {
  const { caller, meter, status } = exchange;
  const done = status !== null;
  return {
    id: exchange.requestId,
    time_ms: exchange.arrivedMs,
    key_id: caller?.principal.keyId ?? null,
    key_name: caller?.principal.name ?? null,
    key_class: caller?.principal.class ?? null,
    method,
    path,
    model: meter.model,
    status,
    code: exchange.code,
    duration_ms: done ? Math.round((performance.now() - exchange.startedAt) * 100) / 100 : null,
    prompt_tokens: meter.promptTokens,
    completion_tokens: meter.completionTokens,
    images: meter.images,
    frames: meter.frames,
    pages: meter.pages,
    replayed: exchange.replayed,
    ...(meter.pack !== null && { pack: meter.pack }),
    ...(meter.streamed && { streamed: true as const }),
    ...(meter.loadMs > 0 && { load_ms: Math.round(meter.loadMs) }),
    ...(meter.inputs > 1 && { inputs: meter.inputs }),
    ...(meter.asked !== null && { asked: meter.asked }),
    ...(meter.estimated && { estimated: true as const }),
    ...(meter.attempts.length > 0 ? { upstream: meter.upstream, attempts: meter.attempts } : {}),
  };
}
