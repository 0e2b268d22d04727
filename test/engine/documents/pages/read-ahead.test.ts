import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readAhead } from '../../../../server/engine/documents/pages/read-ahead.ts';

it('gives pages in their order, so many at once', async () => {
  let running = 0;
  let most = 0;
  const read = async (number: number): Promise<number> => {
    most = Math.max(most, ++running);
    // The first of two takes longer.
    await delay(number % 2 === 1 ? 10 : 1);
    running--;
    return number;
  };
  expect(await Array.fromAsync(readAhead([1, 2, 3, 4, 5], 2, read))).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

it('passes an error on when its page is due, and leaves nothing running', async () => {
  const ended: number[] = [];
  const read = async (number: number): Promise<number> => {
    await delay(number === 2 ? 1 : 10);
    ended.push(number);
    if (number === 2) throw new Error('page 2');
    return number;
  };
  const given: number[] = [];
  const all = async (): Promise<void> => {
    for await (const page of readAhead([1, 2, 3, 4], 3, read)) given.push(page);
  };
  await expect(all()).rejects.toThrow('page 2');
  expect(given).toEqual([1]);
  expect(ended.toSorted()).toEqual([1, 2, 3, 4]);
});
