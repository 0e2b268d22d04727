import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../server/services/limits/rate-limits.ts';
import { TokenBucket } from '../../../server/services/limits/token-bucket.ts';

describe('TokenBucket', () => {
  it('refills continuously up to its capacity', () => {
    const bucket = new TokenBucket(60, 0);
    bucket.take(60);
    expect(bucket.remaining).toBe(0);
    expect(bucket.waitFor(1)).toBe(1_000);
    bucket.refill(60, 999);
    expect(bucket.remaining).toBe(0);
    bucket.refill(60, 1_000);
    expect(bucket.remaining).toBe(1);
    bucket.refill(60, 1_000_000);
    expect(bucket.remaining).toBe(60);
    expect(bucket.resetMs).toBe(0);
  });

  it('owes what was taken beyond empty', () => {
    const bucket = new TokenBucket(60, 0);
    bucket.take(90);
    bucket.refill(60, 30_000);
    expect(bucket.remaining).toBe(0);
    expect(bucket.waitFor(1)).toBe(1_000);
  });

  it('keeps what was used when its limit changes', () => {
    const bucket = new TokenBucket(60, 0);
    bucket.take(50);
    bucket.refill(100, 0);
    expect(bucket.remaining).toBe(50);
    bucket.refill(20, 0);
    expect(bucket.remaining).toBe(0);
  });

  it('gives nothing for a clock that was set back', () => {
    const bucket = new TokenBucket(60, 100_000);
    bucket.take(60);
    bucket.refill(60, 0);
    expect(bucket.remaining).toBe(0);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0ms'],
    [12, '12ms'],
    [999.2, '1s'],
    [1_000, '1s'],
    [1_001, '2s'],
    [60_000, '1m0s'],
    [360_000, '6m0s'],
  ])('%d ms is %s', (ms, expected) => {
    expect(formatDuration(ms)).toBe(expected);
  });
});
