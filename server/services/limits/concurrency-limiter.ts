/**
 * Bounds the requests of one pool that run at a time. Beyond that they wait in order of arrival, in a queue with an end; a
 * waiter whose request was cancelled leaves the queue and is never admitted.
 */
import type { Settings } from '../../api/console/console.ts';
import { ApiError } from '../../errors.ts';
import type { Principal } from '../caller.ts';
import { limitsOf, poolOf } from './rate-limits.ts';

export type Release = () => void;

export interface ConcurrencyLimiter {
  /** Requests that hold a slot now, of all pools. */
  running(): number;
  /** A slot if one is free right now. */
  tryAcquire(principal: Principal): Release | null;
  /**
   * The next free slot.
   * @throws ApiError rate_limit_error, at once, when the queue is full; the signal's reason when it aborts
   */
  acquire(principal: Principal, signal: AbortSignal): Promise<Release>;
}

interface Waiter {
  principal: Principal;
  admit(release: Release): void;
}

interface Pool {
  running: number;
  waiting: Set<Waiter>;
}

/** The wait that a full queue tells the caller: a guess, since nobody knows when a slot will be free. */
const retryAfterMs = 1_000;

export function createConcurrencyLimiter(settings: () => Settings): ConcurrencyLimiter {
  const pools = new Map<string, Pool>();

  function poolFor(principal: Principal): Pool {
    const name = poolOf(principal);
    const pool = pools.get(name) ?? { running: 0, waiting: new Set() };
    pools.set(name, pool);
    return pool;
  }

  const hasRoom = (pool: Pool, principal: Principal) =>
    pool.running < limitsOf(principal, settings().limits).concurrent;

  function occupy(pool: Pool, principal: Principal): Release {
    pool.running += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      pool.running -= 1;
      admitNext(pool);
      if (pool.running === 0 && pool.waiting.size === 0) pools.delete(poolOf(principal));
    };
  }

  function admitNext(pool: Pool): void {
    for (const waiter of pool.waiting) {
      if (!hasRoom(pool, waiter.principal)) return;
      pool.waiting.delete(waiter);
      waiter.admit(occupy(pool, waiter.principal));
    }
  }

  return {
    running: () => pools.values().reduce((sum, { running }) => sum + running, 0),

    tryAcquire(principal) {
      const pool = poolFor(principal);
      return pool.waiting.size === 0 && hasRoom(pool, principal) ? occupy(pool, principal) : null;
    },

    acquire(principal, signal) {
      const pool = poolFor(principal);
      if (pool.waiting.size >= settings().max_queue) {
        const { concurrent } = limitsOf(principal, settings().limits);
        const message = `Rate limit reached: ${concurrent} concurrent requests, and the queue behind them is full.`;
        throw new ApiError('rate_limit_error', message, { retryAfterMs });
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          pool.waiting.delete(waiter);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          principal,
          admit(release) {
            signal.removeEventListener('abort', leave);
            resolve(release);
          },
        };
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        pool.waiting.add(waiter);
      });
    },
  };
}
