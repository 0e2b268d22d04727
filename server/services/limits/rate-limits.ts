/** Requests and tokens per minute: one pair of buckets a live key, one for all test keys together. */
import type { Settings } from '../../api/console/console.ts';
import { ApiError } from '../../errors.ts';
import type { Principal } from '../caller.ts';
import { TokenBucket } from './token-bucket.ts';

export type PlanLimits = Settings['limits']['free'];

export interface Allowance {
  requests: TokenBucket;
  tokens: TokenBucket;
}

export interface RateLimits {
  /** Brought up to date; the caller takes from it. */
  allowance(principal: Principal): Allowance;
}

/** Live keys each have their own limits; test keys share the reserved pool. */
export const poolOf = (principal: Principal): string =>
  principal.class === 'test' ? 'test' : principal.keyId;

export const limitsOf = (principal: Principal, limits: Settings['limits']): PlanLimits =>
  limits[principal.class === 'test' ? 'test' : principal.plan];

/** Pools that have been full again for long carry no information. */
const sweepEvery = 10_000;

export function createRateLimits(settings: () => Settings, now: () => number): RateLimits {
  const pools = new Map<string, Allowance>();
  let admissions = 0;

  function sweep(nowMs: number): void {
    for (const [pool, { requests, tokens }] of pools) {
      requests.refill(requests.capacity, nowMs);
      tokens.refill(tokens.capacity, nowMs);
      if (requests.resetMs === 0 && tokens.resetMs === 0) pools.delete(pool);
    }
  }

  return {
    allowance(principal) {
      const nowMs = now();
      const { requests_per_minute, tokens_per_minute } = limitsOf(principal, settings().limits);
      if (++admissions % sweepEvery === 0) sweep(nowMs);
      const pool = poolOf(principal);
      let allowance = pools.get(pool);
      if (!allowance) {
        allowance = {
          requests: new TokenBucket(requests_per_minute, nowMs),
          tokens: new TokenBucket(tokens_per_minute, nowMs),
        };
        pools.set(pool, allowance);
      }
      allowance.requests.refill(requests_per_minute, nowMs);
      allowance.tokens.refill(tokens_per_minute, nowMs);
      return allowance;
    },
  };
}

/** @throws ApiError rate_limit_error saying which limit and when to come back */
export function takeRequest({ requests, tokens }: Allowance, needsTokens: boolean): void {
  if (requests.remaining < 1) throw exhausted('requests per minute', requests.capacity, requests.waitFor(1));
  if (needsTokens && tokens.remaining < 1) {
    throw exhausted('tokens per minute', tokens.capacity, tokens.waitFor(1));
  }
  requests.take(1);
}

const exhausted = (what: string, limit: number, retryAfterMs: number) =>
  new ApiError('rate_limit_error', `Rate limit reached: ${limit} ${what}.`, { retryAfterMs });

/** A duration as rate-limit headers write it: `12ms`, `1s`, `6m0s`. Rounded up, so that it is never too early. */
export function formatDuration(ms: number): string {
  const whole = Math.ceil(ms);
  if (whole < 1000) return `${whole}ms`;
  const seconds = Math.ceil(whole / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
