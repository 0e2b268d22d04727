import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseBatch } from '../../../server/engine/embeddings/batch.ts';
import { Batcher } from '../../../server/engine/embeddings/batcher.ts';

const rowsOf = (lengths: number[]) => lengths.map((length) => ({ ids: new Array<number>(length).fill(1) }));
const limits = { tokens: 64, rows: 8 };

describe('chooseBatch', () => {
  test('takes the oldest and its nearest in length', () => {
    const waiting = rowsOf([10, 30, 9, 11, 2]);
    expect(chooseBatch(waiting, limits)).toEqual([waiting[0], waiting[2], waiting[3]]);
    expect(chooseBatch([], limits)).toEqual([]);
  });

  test('a row longer than the budget runs alone', () => {
    const waiting = rowsOf([100, 100]);
    expect(chooseBatch(waiting, limits)).toEqual([waiting[0]]);
  });

  test('always keeps the oldest, the budget, the rows and little padding', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 12 }), (lengthsOfRows, rows) => {
        const waiting = rowsOf(lengthsOfRows);
        const batch = chooseBatch(waiting, { tokens: 128, rows });
        const sizes = batch.map((row) => row.ids.length);
        expect(batch[0]).toBe(waiting[0]);
        expect(new Set(batch).size).toBe(batch.length);
        expect(batch.length).toBeLessThanOrEqual(rows);
        if (batch.length > 1) expect(Math.max(...sizes) * batch.length).toBeLessThanOrEqual(128);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(0.8 * Math.max(...sizes));
      }),
    );
  });
});

describe('Batcher', () => {
  const vectorOf = (ids: readonly number[]) => Float32Array.of(ids[0]!);
  const signal = () => new AbortController().signal;

  test('calls that wait together share runs, and each gets its own rows back', async () => {
    const runs: number[] = [];
    const batcher = new Batcher(async (rows) => {
      runs.push(rows.length);
      await new Promise(setImmediate);
      return rows.map(vectorOf);
    }, limits);
    const calls = Array.from({ length: 10 }, (_, call) => batcher.add([[call], [call + 100]], signal()));
    const results = await Promise.all(calls);
    expect(results.map((vectors) => vectors.map((vector) => vector[0]))).toEqual(
      calls.map((_call, index) => [index, index + 100]),
    );
    expect(runs.length).toBeLessThan(6);
    expect(runs.reduce((sum, rows) => sum + rows, 0)).toBe(20);
  });

  test('a call of few rows does not wait for one of many that came before it', async () => {
    const order: number[] = [];
    const batcher = new Batcher(async (rows) => {
      order.push(...rows.map((ids) => ids[0]!));
      await new Promise(setImmediate);
      return rows.map(vectorOf);
    }, limits);
    const row = (name: number, length: number) => new Array<number>(length).fill(name);
    const many = batcher.add(
      Array.from({ length: 50 }, () => row(1, 60)),
      signal(),
    );
    await new Promise(setImmediate);
    await batcher.add([row(2, 3)], signal());
    expect(order.indexOf(2)).toBeLessThan(5);
    await batcher.add([row(3, 3)], signal());
    expect(order.indexOf(3)).toBeLessThan(9);
    await many;
    expect(order.filter((name) => name === 1)).toHaveLength(50);
  });

  test('a failing batch fails its own calls, and the queue goes on', async () => {
    const batcher = new Batcher(
      async (rows) => {
        if (rows.some((ids) => ids[0] === 13)) throw new Error('thirteen');
        return rows.map(vectorOf);
      },
      { tokens: 1, rows: 1 },
    );
    const [bad, good] = await Promise.allSettled([
      batcher.add([[1], [13], [2]], signal()),
      batcher.add([[3]], signal()),
    ]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'thirteen' } });
    expect(good).toMatchObject({ status: 'fulfilled' });
  });

  test('an aborted call leaves the queue; a run stops when nobody waits for it', async () => {
    const stopped: unknown[] = [];
    const batcher = new Batcher(
      (rows, runSignal) => {
        if (rows[0]![0] !== 1) return Promise.resolve(rows.map(vectorOf));
        return new Promise((_resolve, reject) => {
          runSignal.addEventListener('abort', () => {
            stopped.push(rows[0]);
            reject(runSignal.reason);
          });
        });
      },
      { tokens: 1, rows: 1 },
    );
    const first = new AbortController();
    const second = new AbortController();
    const running = batcher.add([[1]], first.signal);
    const queued = batcher.add([[2]], second.signal);
    const last = batcher.add([[3]], signal());
    second.abort(new Error('second gone'));
    await expect(queued).rejects.toThrow('second gone');
    first.abort(new Error('first gone'));
    await expect(running).rejects.toThrow('first gone');
    expect(stopped).toEqual([[1]]);
    expect((await last)[0]![0]).toBe(3);
  });
});
