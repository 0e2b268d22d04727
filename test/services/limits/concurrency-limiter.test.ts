import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../server/services/console/settings.ts';
import { createConcurrencyLimiter } from '../../../server/services/limits/concurrency-limiter.ts';
import { makeCaller } from '../../support/caller.ts';

const settings = (concurrent: number, max_queue: number) => {
  const defaults = defaultSettings(0);
  const limits = { ...defaults.limits, enterprise: { ...defaults.limits.enterprise, concurrent } };
  return () => ({ ...defaults, limits, max_queue });
};
const { principal } = makeCaller();
const open = () => new AbortController().signal;

describe('slots', () => {
  it('admits the waiting in order of arrival', async () => {
    const slots = createConcurrencyLimiter(settings(1, 10));
    const release = slots.tryAcquire(principal)!;
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const free = await slots.acquire(principal, open());
      order.push(number);
      free();
    });
    expect(slots.tryAcquire(principal)).toBeNull();
    release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('lets nobody overtake the queue', () => {
    const slots = createConcurrencyLimiter(settings(1, 10));
    slots.tryAcquire(principal);
    void slots.acquire(principal, open());
    expect(slots.tryAcquire(principal)).toBeNull();
  });

  it('refuses when the queue is full', async () => {
    const slots = createConcurrencyLimiter(settings(1, 1));
    slots.tryAcquire(principal);
    void slots.acquire(principal, open());
    expect(() => slots.acquire(principal, open())).toThrow(
      expect.objectContaining({ code: 'rate_limit_error' }),
    );
  });

  it('drops a waiter whose request ended, and admits the next', async () => {
    const slots = createConcurrencyLimiter(settings(1, 10));
    const release = slots.tryAcquire(principal)!;
    const gone = new AbortController();
    const first = slots.acquire(principal, gone.signal);
    const second = slots.acquire(principal, open());
    gone.abort(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    release();
    await expect(second).resolves.toBeTypeOf('function');
  });

  it('gives a slot back once, however often it is released', () => {
    const slots = createConcurrencyLimiter(settings(1, 10));
    const first = slots.tryAcquire(principal)!;
    first();
    const second = slots.tryAcquire(principal);
    first();
    expect(second).not.toBeNull();
    expect(slots.tryAcquire(principal)).toBeNull();
  });

  it('keeps keys apart, and test keys together', () => {
    const slots = createConcurrencyLimiter(settings(1, 10));
    const other = { ...principal, keyId: 'key_0002' };
    expect(slots.tryAcquire(principal)).not.toBeNull();
    expect(slots.tryAcquire(other)).not.toBeNull();
    const test = { ...principal, class: 'test' as const };
    const pool = defaultSettings(0).limits.test.concurrent;
    for (let taken = 0; taken < pool; taken++) {
      expect(slots.tryAcquire({ ...test, keyId: `key_${taken}` })).not.toBeNull();
    }
    expect(slots.tryAcquire(test)).toBeNull();
  });
});
