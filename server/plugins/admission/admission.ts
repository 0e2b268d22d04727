/**
 * Checks before an operation's body is read, in the contract's order: for the API the key (address, validity),
 * for the console its session; then media types; then scope, region, limits and a slot.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type OperationKey, type OperationSpec, operations } from '../../api/operations.ts';
import { ApiError } from '../../errors.ts';
import type { SettingsService } from '../../services/console/settings.ts';
import type { KnownKey } from '../../services/keys/key-directory.ts';
import type { ConcurrencyLimiter } from '../../services/limits/concurrency-limiter.ts';
import type { RateLimits } from '../../services/limits/rate-limits.ts';
import { KeyCaller } from '../exchange.ts';
import { checkMediaTypes } from '../http/negotiation.ts';
import { checkIdempotencyKey } from '../idempotency.ts';
import {
  type AccessDeps,
  checkKey,
  checkPack,
  checkProtocolVersion,
  checkRegion,
  checkScope,
  checkSession,
  secretOf,
} from './access.ts';
import { checkSameOrigin } from './console-session.ts';
import { checkKeyless } from './keyless.ts';
import { limitRate, takeTurn } from './rate-limit.ts';
import { readRouting } from './routing-headers.ts';

export interface AdmissionDeps extends AccessDeps {
  limits: RateLimits;
  concurrency: ConcurrencyLimiter;
  settings: Pick<SettingsService, 'get'>;
}

export function guardOperations(app: FastifyInstance, deps: AdmissionDeps): void {
  app.addHook('onRoute', (route) => {
    const operation = route.config?.operation;
    if (operation) route.onRequest = admission(operation, deps);
  });
}

function admission(operation: OperationKey, deps: AdmissionDeps): onRequestHookHandler {
  const spec: OperationSpec = operations[operation];
  return (request, reply, done) => {
    request.exchange.operation = operation;
    request.exchange.spec = spec;
    if (spec.access === 'console') checkSession(request, deps.sessions);
    if (spec.access === 'open') checkSameOrigin(request);
    const key = spec.access === 'api' ? identify(request, deps) : null;
    checkMediaTypes(request, spec);
    checkProtocolVersion(request, spec);
    const waiting = key ? admitKey(key, reply, deps) : null;
    if (waiting) waiting.then(() => done(), done);
    else done();
  };
}

const answered = new ApiError('client_closed_request', 'The request has been answered.');

function identify(request: FastifyRequest, deps: AdmissionDeps): KnownKey {
  const { keys, settings } = deps;
  const isKeyless = request.exchange.spec?.dialect === 'ollama' && secretOf(request) === undefined;
  const key = isKeyless ? checkKeyless(request, deps) : checkKey(request, keys);
  const deadlineMs = settings.get().call_seconds[key.principal.plan] * 1000;
  request.exchange.caller = new KeyCaller(request.exchange, key.principal, deadlineMs);
  return key;
}

/** A promise where the request has to wait for a slot. */
function admitKey(key: KnownKey, reply: FastifyReply, deps: AdmissionDeps): Promise<void> | null {
  const { request } = reply;
  const { exchange } = request;
  const spec = exchange.spec!;
  const caller = exchange.caller!;
  checkScope(key, spec);
  const region = checkRegion(request, key);
  if (region) {
    caller.region = region;
    reply.header('x-service-region', region);
  }
  caller.pack = checkPack(request, key, spec);
  readRouting(request, caller);
  checkIdempotencyKey(request);
  limitRate(deps.limits, key, reply);
  if (!spec.inference) return null;
  const turn = takeTurn(deps.concurrency, key, exchange);
  if (!turn || !spec.event) return turn;
  // Operations that may stream wait in their handler, where the body tells.
  turn.catch(() => {});
  exchange.turn = turn;
  // One that is refused or replayed meanwhile leaves the queue.
  exchange.onClosed(() => exchange.cancel(answered));
  return null;
}
