import { expect, it } from 'vitest';
import { runningShare } from '../../renderer/src/work/running-share.ts';

const job = (
  state: 'running' | 'open',
  progress: { done: number; total: number } | null,
  removed = false,
) => ({
  state,
  progress,
  removed,
});

it('joins running sessions and an import into one share, and is nothing where nothing runs', () => {
  expect(runningShare([job('open', { done: 1, total: 2 })], null)).toBeNull();
  expect(runningShare([job('running', { done: 1, total: 2 }, true)], null)).toBeNull();
  expect(runningShare([job('running', null)], null)).toBe(0);
  expect(
    runningShare([job('running', { done: 1, total: 2 }), job('running', { done: 0, total: 0 })], 1),
  ).toBe(0.5);
});
