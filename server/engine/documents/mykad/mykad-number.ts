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

/** Letters that recognition gives for digits. */
const digitOf: Record<string, string> = {
  O: '0',
  o: '0',
  D: '0',
  Q: '0',
  I: '1',
  l: '1',
  '|': '1',
  Z: '2',
  S: '5',
  B: '8',
};
const d = '[\\dODQIlZSBo|]';
const seenNumber = new RegExp(
  `(?<![\\p{L}\\d])(${d}{6})\\s?[-–—.]\\s?(${d}{2})\\s?[-–—.]\\s?(${d}{4})(?![\\p{L}\\d])`,
  'u',
);

export interface SeenNumber {
  /** With hyphens. */
  number: string;
  raw: string;
  /** Letters were taken for digits. */
  repaired: boolean;
}

/** A text in the form of the number, as cards print it with its hyphens, whether or not such a number can be. */
export function findCardNumber(text: string): SeenNumber | null {
  const match = seenNumber.exec(text) ?? myKadPattern.exec(text);
  if (!match) return null;
  const read = match.slice(1, 4).join('-');
  const number = [...read].map((char) => digitOf[char] ?? char).join('');
  // Twelve letters are no number.
  if (number.length - [...read].filter((char, at) => char !== number[at]).length < 10) return null;
  return { number, raw: match[0], repaired: number !== read };
}

/** The birth date that a number with hyphens says, with its century's certainty; null if there is no such date. */
export function birthOf(number: string, today = new Date()): { date: string; certainty: number } | null {
  const [year, month, day] = [number.slice(0, 2), number.slice(2, 4), number.slice(4, 6)];
  const century = judgeCentury({ year: Number(year), month: Number(month), day: Number(day) }, today);
  return century && { date: `${century.year}-${month}-${day}`, certainty: century.certainty };
}

/** Null if the text holds no number with a possible date and a place code that is given. */
export function parseMyKadNumber(text: string, today = new Date()): MyKadNumber | null {
  const match = myKadPattern.exec(text);
  if (!match) return null;
  const [, birth, place, serial] = match as unknown as [string, string, string, string];
  const birthPlace = placeOf(place);
  const number = `${birth}-${place}-${serial}`;
  const born = birthOf(number, today);
  if (!born || birthPlace === null) return null;
  return {
    number,
    birthDate: born.date,
    centuryCertainty: born.certainty,
    birthPlace,
    sex: Number(serial.at(-1)) % 2 === 1 ? 'male' : 'female',
  };
}
