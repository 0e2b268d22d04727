import { expect, test } from 'vitest';
import { numberRun } from '../../../../server/engine/chat/reader/number-runs.ts';
import { emptyReading, type Reading } from '../../../../server/engine/chat/reader/reader.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

/** Every place as likely as any other. */
const any = (text: string): Reading => ({
  ...emptyReading(),
  within: (start, end) => ({ text: text.slice(start, end), start, end, score: 0 }),
});

const runOf = (text: string, taken: number[] = []) => numberRun(text, any(text), taken, settings.values);

test('numbers in a row are one list', () => {
  expect(runOf('A took 12, 24 and 36 on day 7')?.values).toEqual([12, 24, 36]);
  expect(runOf('x from -1 to 2')?.values).toEqual([-1, 2]);
  expect(runOf('nothing')).toBeNull();
  expect(runOf('')).toBeNull();
});

test('what one list has taken is not another’s', () => {
  const text = 'A with 12, 24, 36 and B with 15, 30, 45';
  const first = runOf(text)!;
  expect(first.values).toEqual([12, 24, 36]);
  expect(runOf(text, [first.start])?.values).toEqual([15, 30, 45]);
});

test('numbers that lie pages apart are no run', () =>
  expect(runOf(`12${'\n'.repeat(60)}24, 36`)?.values).toEqual([24, 36]));

test('a number below nothing may be told in words', () => {
  expect(runOf('between minus 4 and 2')?.values).toEqual([-4, 2]);
  expect(runOf('零下3度')?.values).toEqual([-3]);
});
