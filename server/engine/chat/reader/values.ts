/** Words of a text as the value that a schema wants. */

import { formatPatterns } from '../../grammar/schema/states/formats.ts';
import type { Json } from '../../pack-files.ts';
import { findDates } from '../../quantities/dates.ts';
import { findAmounts } from '../../quantities/numbers.ts';
import { formOf, segmentWords } from './words.ts';

/** Words for numbers and parts of the day (reader.json of a pack). */
export interface ValueWords {
  /** Values below a hundred, by word. */
  numbers: Record<string, number>;
  /** Factors of the number before: hundred, ribu, 万. */
  multipliers: Record<string, number>;
  /** Twelve hours are added to an hour below twelve. */
  afternoon: RegExp;
  morning: RegExp;
  /** “half past”, “setengah”, “半”: minutes. */
  minutes: [pattern: RegExp, minutes: number][];
  /** Words for units of time, weight, length: how many of the smallest each is. */
  units: { unit: RegExp; kind: string; size: number }[];
  /** A word within a number in words, and what may stand between two of its words: “two hundred and five”. */
  inside: RegExp;
  joint: RegExp;
  /** Between numbers of a row: “12, 24 and 36”. */
  run: RegExp;
  /** “and a half” behind a unit. */
  half: RegExp;
  percent: RegExp;
  /** A field's name that means a share, written as a fraction of one; that asks for dates, or times, in one form. */
  share: RegExp;
  isoDate: RegExp;
  /** A field that wants a currency's code, and the codes of currencies by their names. */
  codeAsked: RegExp;
  codes: { name: RegExp; code: string }[];
  /** The same of languages. */
  languageAsked: RegExp;
  languages: { name: RegExp; code: string }[];
  clock: RegExp;
  /** Before the date that a request calls today's. */
  today: RegExp;
  /** “tomorrow”, “lusa”: how many days from today. */
  days: { day: RegExp; days: number }[];
  /** From Monday on; beside one: of the week that follows. */
  weekdays: RegExp[];
  nextWeek: RegExp;
  /** “in 3 days”: the first group that matched is the number. */
  daysAhead: RegExp;
}

/** @returns undefined where the words hold no number */
export function numberOf(said: string, words: ValueWords): number | undefined {
  // The dash of “K-17” or “2-room” is no minus.
  const minus = /^\s*(?:minus\s|零下)/iu.exec(said)?.[0];
  if (minus) {
    const below = numberOf(said.slice(minus.length), words);
    return below === undefined ? undefined : -Math.abs(below);
  }
  const text = said.replaceAll(/(?<=[\p{L}\d])[-−](?=[\p{L}\d])/gu, ' ');
  const amount = findAmounts(text, '.')[0];
  // Brackets around an amount of a sentence are no minus.
  const value = amount && !/-|−/u.test(amount.raw) ? Math.abs(amount.value) : amount?.value;
  const digits = value ?? (/\d/u.test(text) ? Number(/-?\d+(?:\.\d+)?/u.exec(text)?.[0]) : undefined);
  if (digits !== undefined && Number.isFinite(digits)) {
    const after = formOf(text).replace(/^.*\d/su, '');
    // “5 m” is a length, “5m” five million.
    const half = words.half.test(after) ? 0.5 : 0;
    const scale = Object.entries(words.multipliers).find(
      ([word, by]) =>
        by >= 1000 && new RegExp(`^${/^[a-z]$/u.test(word) ? '' : '\\s*'}${word}(?![a-z])`, 'u').test(after),
    );
    return scale ? digits * scale[1] : digits < 0 ? digits - half : digits + half;
  }
  return spelled(text, words);
}

const article = /^[a-z]{1,2}$/u;

/** “two hundred and five”, “dua ratus lima”, “两百零五”. */
function spelled(text: string, { inside, multipliers, numbers }: ValueWords): number | undefined {
  let total = 0;
  let open = 0;
  let found = false;
  let hasArticle = false;
  let before: number | undefined;
  let tail: { value: number; by: number } | undefined;
  for (const { form } of segmentWords(text)) {
    const [value, by] = [numbers[form], multipliers[form]];
    if (value === 1 && article.test(form)) {
      // “half an hour”, “one and a half”: it counts by itself alone.
      hasArticle = true;
      found = true;
    } else if (value !== undefined) {
      // “三千五”: of the next unit below, unless it is told.
      const isShort = before !== undefined && before >= 100 && /^\p{Script=Han}$/u.test(form) && value >= 1;
      if (isShort) tail = { value, by: before! / 10 };
      else open += value;
      found = true;
    } else if (by !== undefined) {
      found = true;
      if (tail) open += tail.value;
      tail = undefined;
      if (by >= 1000) {
        total += Math.max(open, total === 0 ? 1 : open) * by;
        open = 0;
      } else {
        // “forty two hundred”, “lima puluh dua ratus”: the last number alone is multiplied.
        const last = open % (by === 10 ? 10 : 100);
        open = open - last + (last === 0 ? 1 : last) * by;
      }
    } else if (found && !inside.test(form)) break;
    before = by;
  }
  if (tail) open += tail.value * tail.by;
  return found ? total + open || Number(hasArticle) : undefined;
}

/**
 * `HH:MM`, or undefined.
 * @param near words around it, which may tell the part of the day
 */
export function timeOf(text: string, words: ValueWords, near = ''): string | undefined {
  const clock =
    /(?<!\d)(\d{1,2})\s*[:.：点點时]\s*(\d{2})?(?!\d)/u.exec(text) ?? /(?<!\d)(\d{1,2})()(?!\d)/u.exec(text);
  const said = clock?.[2] ? undefined : words.minutes.find(([pattern]) => pattern.test(text));
  let hour = clock ? Number(clock[1]) : spelled(said ? text.replace(said[0], ' ') : text, words);
  if (hour === undefined || hour > 24 || !Number.isInteger(hour)) return undefined;
  let minute = clock?.[2] ? Number(clock[2]) : 0;
  if (said) minute = said[1];
  if (minute < 0) {
    hour -= 1;
    minute += 60;
  }
  const isSaid = words.afternoon.test(text) || (!words.morning.test(text) && words.afternoon.test(near));
  if (isSaid && hour < 12) hour += 12;
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** A number of some thing, “K-17”, is no amount. */
const code = /^\s*\p{Lu}{1,3}-\d+\s*$/u;

/** “an hour and a half”, “2 kg”, in the unit that a field's name asks for; undefined where it names none or the words no other one. */
function inUnit(text: string, hint: string, words: ValueWords): number | undefined {
  const [wanted, ...others] = words.units.filter(({ unit }) => unit.test(hint));
  if (!wanted || others.length > 0) return undefined;
  let total = 0;
  let rest = text;
  let isOther = false;
  for (const { kind, size, unit } of words.units) {
    const found = kind === wanted.kind ? unit.exec(rest) : null;
    if (!found) continue;
    // The number is what stands before the unit, behind the unit before.
    const before = rest.slice(0, found.index);
    const count = numberOf(before, words) ?? (before.trim() === '' ? 1 : undefined);
    if (count === undefined) return undefined;
    rest = rest.slice(found.index + found[0].length);
    const half = words.half.test(rest) ? 0.5 : 0;
    total += (count + half) * size;
    isOther ||= size !== wanted.size;
  }
  return isOther && total > 0 ? Number((total / wanted.size).toFixed(4)) : undefined;
}

/** The years of a text's dates; those of the text asked for last are kept, since each of its fields asks. */
function yearsOf(text: string): ReadonlySet<string> {
  if (text.length < reach) return tellYears(text);
  if (lastYears?.text !== text) lastYears = { text, years: tellYears(text) };
  return lastYears.years;
}

function tellYears(text: string): ReadonlySet<string> {
  const years = new Set(findDates(text, 'day-first').map(({ iso }) => iso.slice(0, 4)));
  return years.size > 0 ? years : new Set([...text.matchAll(loneYear)].map(([year]) => year));
}

let lastYears: { text: string; years: ReadonlySet<string> } | undefined;

const loneYear = /(?<![\d.,])(?:19|20)\d{2}(?![\d.,]\d|\d)/gu;
const dayAlone = /^(?:\D{0,12}\s)?(\d{1,2})(?:st|nd|rd|th|hb|日|号)?$/u;
const reach = 40;
/** Characters back to the date whose month a day has. */
const furthest = 400;

/** “6” of “6 and 7 November 2024”, “the 9th” behind “2 June 2025”: the day of the month that is told next, or was told last. */
function dayOf(text: string, context: string, start: number | undefined): string | undefined {
  const day = dayAlone.exec(text.trim())?.[1];
  const at = day === undefined ? -1 : (start ?? context.indexOf(text));
  if (at < 0) return undefined;
  const end = at + text.length;
  const next = findDates(context.slice(end, end + reach), 'day-first')[0];
  const isNext = next && /^\W*\p{L}*\W*$/u.test(context.slice(end, end + next.index));
  const near = isNext ? next : findDates(context.slice(Math.max(0, at - furthest), at), 'day-first').at(-1);
  return near && findDates(`${near.iso.slice(0, 8)}${day!.padStart(2, '0')}`, 'day-first')[0]?.iso;
}

/** A day without its year is of the year that the text's other dates have, if they have one alone. */
function dateIn(text: string, context: string, start?: number): string | undefined {
  const found = findDates(text, 'day-first')[0];
  if (found) return found.iso;
  const day = dayOf(text, context, start);
  if (day) return day;
  const years = yearsOf(context);
  if (years.size !== 1) return undefined;
  const [year] = years;
  const completed = /\p{Script=Han}/u.test(text)
    ? `${year}年${text}`
    : `${text.replace(/[\s,]+$/u, '')} ${year}`;
  const short = /^\s*(\d{1,2})[/.](\d{1,2})\s*$/u.exec(text);
  return findDates(short ? `${short[1]}/${short[2]}/${year}` : completed, 'day-first')[0]?.iso;
}

const monthAsked = /\bYYYY-MM\b(?!-)/u;

/** “November 2024” as YYYY-MM. */
const monthIn = (text: string, context: string): string | undefined =>
  dateIn(/\p{Script=Han}/u.test(text) ? `${text}1日` : `1 ${text}`, context)?.slice(0, 7);

/** “DD/MM/YYYY”, “mm-dd-yyyy” in a description. */
const dateTemplate = /\b(?:dd|mm|yyyy)([-/.])(?:dd|mm)\1(?:dd|yyyy)\b/iu;

function inTemplate(iso: string, template: string): string {
  const [year = '', month = '', day = ''] = iso.split('-');
  return template.toLowerCase().replace('yyyy', year).replace('mm', month).replace('dd', day);
}

const isWithin = (value: number, { maximum, minimum }: Json): boolean =>
  !(typeof minimum === 'number' && value < minimum) && !(typeof maximum === 'number' && value > maximum);

const clock = /(?<!\d)\d{1,2}[:.]\d{2}(?!\d)|(?<!\d)\d{1,2}\s?(?:am|pm)\b/iu;

/** The hour beside a date; midnight where none is told. */
function clockIn(text: string, words: ValueWords, near = ''): string {
  const said = clock.exec(text)?.[0] ?? clock.exec(near)?.[0];
  return (said && timeOf(said, words, near)) ?? '00:00';
}

/** Longer words are in no format that a field has. */
const longestFormatted = 200;

/** Words as a format wants them, which the grammar holds answers to; undefined: they are no such value. */
function inFormat(text: string, format: string): string | undefined {
  const pattern = Object.hasOwn(formatPatterns, format) ? formatPatterns[format] : undefined;
  if (!pattern) return text;
  const said = format === 'uri' && text.startsWith('www.') ? `https://${text}` : text;
  return said.length <= longestFormatted && new RegExp(pattern, 'u').test(said) ? said : undefined;
}

interface TypedField {
  key: string;
  schema: Json;
  context?: string;
  near?: string;
  start?: number;
}

/** “Room: 4”: without the label. */
const label = /^(?:[^:：\d]{1,28}[:：]|[^=]{1,60}\s=)\s*(?=[^\s/])/u;

/** Behind one sentence, or a part of one; an abbreviation, “Co.”, keeps its own. */
const fullStop = /(?<=^[^.。!?！？\n]*(?:\p{Ll}{4}|\d|\p{Script=Han}))[.。]$/u;

/**
 * @param field `context`: the whole text; `near`: a few words before and behind these; `start`: where they stand
 * @returns undefined where the words are no such value
 */
export function typedValue(
  text: string,
  { context = '', key, near, schema, start }: TypedField,
  words: ValueWords,
): unknown {
  const types = [schema.type].flat();
  const hint = `${key.replaceAll(/[_-]/gu, ' ')} ${String(schema.description ?? '')}`;
  if (types.includes('integer') || types.includes('number')) {
    if (code.test(text)) return undefined;
    const value = inUnit(text, hint, words) ?? numberOf(text, words);
    if (value === undefined || !isWithin(value, schema)) return undefined;
    if (
      types.includes('number') &&
      words.share.test(hint) &&
      words.percent.test(text) &&
      !words.percent.test(hint)
    )
      return value / 100;
    return types.includes('number') ? value : Number.isInteger(value) ? value : undefined;
  }
  const plain = text
    .replace(label, '')
    .trim()
    .replaceAll(/^["'“”‘’「『]+|["'“”‘’」』,;，；]+$/gu, '')
    .replace(fullStop, '');
  const template = dateTemplate.exec(hint)?.[0];
  const month = monthAsked.test(hint) ? monthIn(text, context) : undefined;
  if (month) return month;
  if (schema.format === 'date' || words.isoDate.test(hint) || template) {
    const date = dateIn(text, context, start);
    if (date) return template ? inTemplate(date, template) : date;
  }
  const known =
    (words.codeAsked.test(hint) && words.codes.find(({ name }) => name.test(plain))) ||
    (words.languageAsked.test(hint) && words.languages.find(({ name }) => name.test(plain)));
  if (known) return known.code;
  if (schema.format === 'time' || words.clock.test(hint)) {
    const time = timeOf(text, words, near);
    if (time) return schema.format === 'time' ? `${time}:00Z` : time;
  }
  if (schema.format === 'date-time') {
    const date = dateIn(text, context, start);
    if (date) return inFormat(plain, 'date-time') ?? `${date}T${clockIn(text, words, near)}:00Z`;
  }
  return typeof schema.format === 'string' ? inFormat(plain, schema.format) : plain;
}
