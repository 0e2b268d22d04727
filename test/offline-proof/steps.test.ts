import { expect, it } from 'vitest';
import { ProofSteps, type StepBegun } from '../../server/offline-proof/steps.ts';

it('a step that takes too long is given up with its name and limit, and hears of it', async () => {
  const told: StepBegun[] = [];
  const slow = { what: 'a page', limitMs: 20 };
  const steps = new ProofSteps([{ what: 'a start', limitMs: 1_000 }, slow], (begun) => told.push(begun));
  let stopped = false;
  const taken = steps.take(slow, (signal) => {
    signal.addEventListener('abort', () => {
      stopped = true;
    });
    return new Promise(() => {});
  });
  await expect(taken).rejects.toThrow('a page: given up after 0 s');
  expect(stopped).toBe(true);
  expect(told).toEqual([{ number: 2, of: 2, what: 'a page', limit_ms: 20 }]);
  expect(await steps.take({ what: 'a start', limitMs: 1_000 }, async () => 7)).toBe(7);
});
