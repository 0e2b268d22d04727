import { describe, expect, test } from 'vitest';
import { Judge } from './documents/judge.ts';

const entry = (value: string, confidence: number) => ({
  value,
  raw: value,
  confidence,
  page: 1,
  bbox: [0, 0, 1, 1],
});

describe('figures of the documents benches', () => {
  test('a missing field is wrong, a sure one counts for calibration', () => {
    const judge = new Judge();
    judge.add(undefined, () => true);
    judge.add(entry('a', 0.95) as never, (value) => value === 'a');
    judge.add(entry('b', 0.95) as never, (value) => value === 'a');
    judge.add(entry('a', 0.5) as never, (value) => value === 'a');
    expect([judge.share(), judge.sure, judge.sureRight]).toEqual([0.5, 2, 1]);
  });
});
