import type { LogEvent } from './event.ts';

const FIELDS = [
  'timestamp',
  '@timestamp',
  'systemtime',
  'utctime',
  'eventtime',
  'time',
  'ts',
  'requestreceivedtimestamp',
  'date',
  'created',
  'published',
  'rt',
  'start',
  'datetime',
  '_time',
  'event_time',
];
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const CLF = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ?([+-]\d{4})?/u;
const BSD = /^([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d)/u;
const ISO = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/u;
/** RFC 3164 has no year; a leap year keeps 29 February. Only differences matter. */
export const BSD_YEAR = 2024;

/** Milliseconds since 1970, or null when no time can be read. Only ISO, CLF, BSD and epoch numbers: no guessing parsers. */
export function parseTime(text: string): number | null {
  const iso = ISO.exec(text.slice(0, 64));
  if (iso !== null) {
    let value = iso[0].replace(' ', 'T').replace(',', '.');
    if (!/(?:Z|[+-]\d\d:?\d\d)$/u.test(value)) value += 'Z';
    const ms = Date.parse(value);
    return Number.isNaN(ms) ? null : ms;
  }
  const clf = CLF.exec(text);
  if (clf !== null) {
    const month = MONTHS.indexOf(clf[2] as string) / 3;
    const zone = clf[7]
      ? (Number(clf[7].slice(0, 3)) * 60 + Math.sign(Number(clf[7])) * Number(clf[7].slice(3))) * 60_000
      : 0;
    return (
      Date.UTC(Number(clf[3]), month, Number(clf[1]), Number(clf[4]), Number(clf[5]), Number(clf[6])) - zone
    );
  }
  const bsd = BSD.exec(text);
  if (bsd !== null) {
    const month = MONTHS.indexOf(bsd[1] as string) / 3;
    return month < 0
      ? null
      : Date.UTC(BSD_YEAR, month, Number(bsd[2]), Number(bsd[3]), Number(bsd[4]), Number(bsd[5]));
  }
  if (!/^\d{9,13}(?:\.\d{1,9})?$/u.test(text)) return null;
  const number = Number(text);
  return number > 1e11 ? number : number * 1000;
}

export function setTime(event: LogEvent): void {
  for (const name of FIELDS) {
    const value = event.fields.get(name)?.[0];
    if (value === undefined) continue;
    event.timeMs = parseTime(value);
    if (event.timeMs !== null) return;
  }
  if (event.timeMs === null && event.raw.length < 8192) event.timeMs = parseTime(event.raw);
}
