/** Requests and tokens per minute, and how many requests of a key run at a time. Refuses before a body is read. */
import type { FastifyReply } from 'fastify';
import type { KnownKey } from '../../services/keys/key-directory.ts';
import type { ConcurrencyLimiter } from '../../services/limits/concurrency-limiter.ts';
import {
  type Allowance,
  formatDuration,
  type RateLimits,
  takeRequest,
} from '../../services/limits/rate-limits.ts';
import type { Exchange } from '../exchange.ts';

/** @throws ApiError rate_limit_error */
export function limitRate(limits: RateLimits, { principal }: KnownKey, reply: FastifyReply): void {
  const { exchange } = reply.request;
  const allowance = limits.allowance(principal);
  const inference = exchange.spec?.inference === true;
  try {
    takeRequest(allowance, inference);
  } finally {
    setHeaders(reply, allowance);
  }
  if (inference) exchange.onClosed(() => chargeTokens(allowance, exchange));
}

function chargeTokens({ tokens }: Allowance, { meter, replayed }: Exchange): void {
  if (!replayed) tokens.take(meter.promptTokens + meter.completionTokens);
}

function setHeaders(reply: FastifyReply, { requests, tokens }: Allowance): void {
  // As texts: Node writes a number out once to check it and once more to send it.
  reply
    .header('x-ratelimit-limit-requests', String(requests.capacity))
    .header('x-ratelimit-remaining-requests', String(requests.remaining))
    .header('x-ratelimit-reset-requests', formatDuration(requests.resetMs))
    .header('x-ratelimit-limit-tokens', String(tokens.capacity))
    .header('x-ratelimit-remaining-tokens', String(tokens.remaining))
    .header('x-ratelimit-reset-tokens', formatDuration(tokens.resetMs));
}

/** Waits for a slot where all are taken; null when one was free. The slot is given back when the exchange closes. */
export function takeTurn(
  slots: ConcurrencyLimiter,
  { principal }: KnownKey,
  exchange: Exchange,
): Promise<void> | null {
  const release = slots.tryAcquire(principal);
  if (release) {
    exchange.onClosed(release);
    return null;
  }
  // Closed meanwhile: onClosed runs at once and the slot goes to the next.
  return slots.acquire(principal, exchange.signal).then((granted) => exchange.onClosed(granted));
}
