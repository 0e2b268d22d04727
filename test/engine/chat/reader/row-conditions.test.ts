/** Conditions that questions set for a table's rows, by the pack's words. */
import { expect, test } from 'vitest';
import { tableOf } from '../../../../server/engine/chat/reader/grid.ts';
import {
  boundIn,
  compared,
  isDayColumn,
  measuresOf,
  partedByEmpty,
} from '../../../../server/engine/chat/reader/row-conditions.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const { comparisons, empty } = settings.tables;

test.each([
  ['how many were under 46 seconds?', '<', 46],
  ['which cost 50 or more', '>=', 50],
  ['which leave before 12:30', '<', 750],
  ['mana yang lebih murah daripada rm5', '<', 5],
  ['语文90分或以上的有几个人', '>=', 90],
  ['超过300元的有哪些', '>', 300],
])('%s', (question, sign, value) => expect(boundIn(question, comparisons)).toMatchObject({ sign, value }));

test('nothing is compared without a number', () =>
  expect(boundIn('which is cheaper than the rest?', comparisons)).toBeNull());

const { header, rows } = tableOf(
  '| Server | CPU % | Free (GB) | Backup | Alarms |\n|---|---|---|---|---|\n| ant | 12 | 410 | 3 Oct | 0 |\n| bee | 88 | 22 | 29 Sept | 2 |\n| cod | 35 | 9 | 2 Oct | – |',
)!;

test('the column whose unit is said holds the number', () => {
  const bound = boundIn('which have less than 50 gb free?', comparisons)!;
  const found = compared(rows, bound, { header, amounts: [1, 2], scores: [0, 0, 0, 0, 0] });
  expect(found?.column).toBe(2);
  expect(found?.rows.map(({ cells }) => cells[0]!.text)).toEqual(['bee', 'cod']);
});

test('days are compared as days', () => {
  expect(isDayColumn(rows, 3)).toBe(true);
  const [october, september] = measuresOf(rows, 3);
  expect(october! > september!).toBe(true);
});

test('cells that hold nothing', () => {
  expect(partedByEmpty(rows, 4, empty)?.none.map(({ cells }) => cells[0]!.text)).toEqual(['ant', 'cod']);
  expect(partedByEmpty(rows, 1, empty)).toBeNull();
});
