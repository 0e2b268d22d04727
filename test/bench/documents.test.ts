import { describe, expect, test } from 'vitest';
import { Judge } from './documents/judge.ts';
import { neighboursInOrder } from './documents-letters.ts';

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

test('neighbouring parts of Markdown are in order where the second is behind the first', () => {
  const theirs = '# One\n\nTwo and more\n\n- three\n- four\n';
  expect(neighboursInOrder(theirs, theirs)).toEqual([3, 3]);
  expect(neighboursInOrder(theirs, '# One\n\n- three\n- four\n\nTwo and more\n')).toEqual([2, 3]);
});
