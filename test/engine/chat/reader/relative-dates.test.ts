import { expect, test } from 'vitest';
import { relativeDate, todayOf } from '../../../../server/engine/chat/reader/relative-dates.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

test.each([
  ['You are a helper. Today is 2026-03-11.', '2026-03-11'],
  ["Today's date: Wednesday, 11 March 2026", '2026-03-11'],
  ['Hari ini ialah 11 Mac 2026', '2026-03-11'],
  ['今天是2026年3月11日，星期三', '2026-03-11'],
  ["You help with today's tasks. Today is 2026-03-11.", '2026-03-11'],
  ['We met today. Due 2026-03-11', undefined],
  ['Due 2026-03-11', undefined],
])('the day of “%s”', (text, iso) => expect(todayOf(text, settings.values)).toBe(iso));

test.each([
  ['tomorrow', '2026-03-12'],
  ['the day after tomorrow', '2026-03-13'],
  ['esok', '2026-03-12'],
  ['后天', '2026-03-13'],
  ['Friday', '2026-03-13'],
  ['next Friday', '2026-03-20'],
  ['Isnin depan', '2026-03-16'],
  ['下周一', '2026-03-16'],
  ['周一', '2026-03-16'],
  ['in 3 days', '2026-03-14'],
  ['三天后', '2026-03-14'],
  ['in 999999999999 days', undefined],
  ['in 9999999 days', undefined],
  ['14 May', undefined],
  ['soon', undefined],
])('%s, seen from a Wednesday', (said, iso) => {
  const text = `Come ${said} please`;
  const place = { text: said, start: 5, end: 5 + said.length };
  expect(relativeDate(place, text, '2026-03-11', settings.values)).toBe(iso);
});
