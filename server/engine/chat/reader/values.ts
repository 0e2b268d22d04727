/** Words of a text as the value that a schema wants. */

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
  /** “half past”, “setengah”, “半”: minutes. */
  minutes: [pattern: RegExp, minutes: number][];
}

/** @returns undefined where the words hold no number */
export function numberOf(text: string, words: ValueWords): number | undefined {
  const amount = findAmounts(text, '.')[0];
  const digits = amount?.value ?? (/\d/u.test(text) ? Number(/-?\d+(?:\.\d+)?/u.exec(text)?.[0]) : undefined);
  if (digits !== undefined && Number.isFinite(digits)) {
    const after = formOf(text).replace(/^.*\d/su, '');
    const scale = Object.entries(words.multipliers).find(
      ([word, by]) => by >= 1000 && new RegExp(`^\\s*${word}(?![a-z])`, 'u').test(after),
    );
    return scale ? digits * scale[1] : digits;
  }
  return spelled(text, words);
}

/** “two hundred and five”, “dua ratus lima”, “两百零五”. */
function spelled(text: string, { multipliers, numbers }: ValueWords): number | undefined {
  let total = 0;
  let open = 0;
  let found = false;
  for (const { form } of segmentWords(text)) {
    const [value, by] = [numbers[form], multipliers[form]];
    if (value !== undefined) {
      open = form === 'belas' ? open + 10 : open + value;
      found = true;
    } else if (by !== undefined) {
      found = true;
      if (by >= 1000) {
        total += Math.max(open, total === 0 ? 1 : open) * by;
        open = 0;
      } else {
        // “forty two hundred”, “lima puluh dua ratus”: the last number alone is multiplied.
        const last = open % (by === 10 ? 10 : 100);
        open = open - last + (last === 0 ? 1 : last) * by;
      }
    } else if (found && !/^(?:and|dan|零|-|,)$/u.test(form)) break;
  }
  return found ? total + open : undefined;
}

/** `HH:MM`, or undefined. */
export function timeOf(text: string, words: ValueWords): string | undefined {
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
  if (words.afternoon.test(text) && hour < 12) hour += 12;
  return `${String(hour % 24).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

const isoDate = /YYYY-MM-DD|ISO[ -]?8601|ISO date/iu;
const clockTime = /HH:MM|24[ -]?hour|24 ?小时|24 ?jam/iu;
/** A share is meant, and written as a fraction of one. */
const isShare = /\b(?:rate|probability|ratio|fraction|share|decimal)\b/iu;

/** @returns undefined where the words are no such value */
export function typedValue(
  text: string,
  { key, schema }: { key: string; schema: Json },
  words: ValueWords,
): unknown {
  const types = [schema.type].flat();
  const hint = `${key.replaceAll(/[_-]/gu, ' ')} ${String(schema.description ?? '')}`;
  if (types.includes('integer') || types.includes('number')) {
    const value = numberOf(text, words);
    if (value === undefined) return undefined;
    if (
      types.includes('number') &&
      isShare.test(hint) &&
      /%|percent|peratus|百分/iu.test(text) &&
      !/%|percent/iu.test(hint)
    )
      return value / 100;
    return types.includes('number') ? value : Number.isInteger(value) ? value : undefined;
  }
  const plain = text.trim().replaceAll(/^["'“”‘’「『]+|["'“”‘’」』,;，；]+$/gu, '');
  if (schema.format === 'date' || isoDate.test(hint)) {
    const date = findDates(text, 'day-first')[0];
    if (date) return date.iso;
  }
  if (schema.format === 'time' || clockTime.test(hint)) {
    const time = timeOf(text, words);
    if (time) return time;
  }
  return plain;
}
