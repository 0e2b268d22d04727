/**
 * Malaysian identity-card numbers: YYMMDD-PB-###G.
 *
 * There is no check digit. The century is not coded: it is judged by what age is possible and likely, and scored.
 */

import { placeOf } from './mykad-places.ts';

export interface MyKadNumber {
  /** With hyphens: 900101-14-5678. */
  number: string;
  birthDate: string;
  /** How surely the century is right, 0..1. */
  centuryCertainty: number;
  /** State of birth, `abroad` or `unknown`. */
  birthPlace: string;
  sex: 'male' | 'female';
}

export const myKadPattern = /(?<!\d)(\d{6})[-\s]?(\d{2})[-\s]?(\d{4})(?!\d)/;

function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/**
 * Of the centuries in which the date exists and lies in the past the later is taken, unless the holder would be under
 * twelve (the age at which a MyKad is issued) and the card is no MyKid.
 */
function judgeCentury(
  date: { year: number; month: number; day: number },
  today: Date,
): { year: number; certainty: number } | null {
  const age = (year: number): number =>
    (today.getTime() - Date.UTC(year, date.month - 1, date.day)) / (365.25 * 24 * 3600 * 1000);
  const possible = [2000, 1900]
    .map((century) => century + date.year)
    .filter((year) => isDate(year, date.month, date.day) && age(year) >= 0 && age(year) < 120);
  const likely = possible.filter((year) => age(year) >= 12 && age(year) < 100);
  if (likely.length === 1) return { year: likely[0]!, certainty: possible.length === 1 ? 1 : 0.95 };
  const year = likely[0] ?? possible[0];
  return year === undefined ? null : { year, certainty: 0.7 };
}

/** Null if the text holds no number with a possible date and a place code that is given. */
export function parseMyKadNumber(text: string, today = new Date()): MyKadNumber | null {
  const match = myKadPattern.exec(text);
  if (!match) return null;
  const [, birth, place, serial] = match as unknown as [string, string, string, string];
  const birthPlace = placeOf(place);
  const parts = {
    year: Number(birth.slice(0, 2)),
    month: Number(birth.slice(2, 4)),
    day: Number(birth.slice(4, 6)),
  };
  const century = judgeCentury(parts, today);
  if (!century || birthPlace === null) return null;
  return {
    number: `${birth}-${place}-${serial}`,
    birthDate: `${century.year}-${birth.slice(2, 4)}-${birth.slice(4, 6)}`,
    centuryCertainty: century.certainty,
    birthPlace,
    sex: Number(serial.at(-1)) % 2 === 1 ? 'male' : 'female',
  };
}
