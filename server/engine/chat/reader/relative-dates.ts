/** Days that are told from today on: “tomorrow”, “Jumaat depan”, “3天后”, where a request says which day it is. */
import { findDates } from '../../quantities/dates.ts';
import { numberOf, type ValueWords } from './values.ts';

const furthestDate = 40;
const msPerDay = 86_400_000;

/** @returns YYYY-MM-DD, or undefined where nobody says it */
export function todayOf(text: string, { today }: ValueWords): string | undefined {
  const found = today.exec(text);
  if (!found) return undefined;
  const rest = text.slice(found.index + found[0].length).slice(0, furthestDate);
  const date = findDates(rest, 'day-first')[0];
  return date && date.index < 4 ? date.iso : undefined;
}

const shifted = (today: string, days: number): string =>
  new Date(Date.parse(today) + days * msPerDay).toISOString().slice(0, 10);

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
