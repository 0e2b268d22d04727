/** Times: stored as Unix seconds or milliseconds, shown in the person's own zone and language. */
import { perLanguage } from '../strings/language.ts';

const dates = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, options));
const day = dates({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = dates({ dateStyle: 'medium', timeStyle: 'short' });
const clock = dates({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const relative = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

export const toDay = (seconds: number): string => day().format(seconds * 1000);
export const toMinute = (seconds: number): string => minute().format(seconds * 1000);
export const toClock = (milliseconds: number): string => clock().format(milliseconds);

const steps: [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 30, 86_400, 'day'],
];

/** “5 minutes ago”, “in 2 days”; a date beyond a month. */
export function ago(seconds: number, nowMs = Date.now()): string {
  const delta = seconds - nowMs / 1000;
  for (const [limit, size, unit] of steps) {
    if (Math.abs(delta) < limit) return relative().format(Math.round(delta / size), unit);
  }
  return toDay(seconds);
}

/** The last `days` days as YYYY-MM-DD in UTC, oldest first. */
export function lastDays(days: number, nowMs = Date.now()): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(nowMs - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
