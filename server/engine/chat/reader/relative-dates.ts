/** Days that are told from today on: “tomorrow”, “Jumaat depan”, “3天后”, where a request says which day it is. */
import { findDates } from '../../quantities/dates.ts';
import { numberOf, type ValueWords } from './values.ts';

const furthestDate = 40;
const msPerDay = 86_400_000;

/** @returns YYYY-MM-DD, or undefined where nobody says it */
export function todayOf(text: string, { today }: ValueWords): string | undefined {
  for (const { 0: words, index } of text.matchAll(today)) {
    const start = index + words.length;
    const date = findDates(text.slice(start, start + furthestDate), 'day-first')[0];
    if (date && date.index < 4) return date.iso;
  }
  return undefined;
}

/** A hundred years: what is further away is no day that somebody means. */
const mostDays = 36_525;

const shifted = (today: string, days: number): string | undefined =>
  Math.abs(days) > mostDays
    ? undefined
    : new Date(Date.parse(today) + days * msPerDay).toISOString().slice(0, 10);

const reach = 14;

/** @param place the words that tell the day; those around it in `text` may belong to it */
export function relativeDate(
  { end, start, text: said }: { start: number; end: number; text: string },
  text: string,
  today: string,
  words: ValueWords,
): string | undefined {
  if (findDates(said, 'day-first').length > 0) return undefined;
  const around = text.slice(Math.max(0, start - reach), end + reach);
  const ahead = words.daysAhead.exec(said);
  const count = ahead && numberOf(ahead.slice(1).find((part) => part !== undefined) ?? '', words);
  if (count !== undefined && count !== null && Number.isInteger(count)) return shifted(today, count);
  const weekday = words.weekdays.findIndex((pattern) => pattern.test(said));
  if (weekday >= 0) {
    // Monday is 0.
    const now = (new Date(today).getUTCDay() + 6) % 7;
    const isNextWeek = words.nextWeek.test(said) || words.nextWeek.test(around);
    return shifted(today, isNextWeek ? weekday - now + 7 : (weekday - now + 7) % 7);
  }
  const day = words.days.find((each) => each.day.test(said));
  return day && shifted(today, day.days);
}
