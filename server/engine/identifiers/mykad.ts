/**
 * Malaysian identity-card numbers: YYMMDD-PB-###G, with the place of birth (PB) as the National Registration
 * Department codes it.
 *
 * There is no check digit. The century is not coded: it is judged by what age is possible and likely, and scored.
 */

import { digitsFor } from './look-alikes.ts';
import { isMonthDay } from './month-day.ts';

const codesByState: Record<string, string> = {
  Johor: '01 21 22 23 24',
  Kedah: '02 25 26 27',
  Kelantan: '03 28 29',
  Melaka: '04 30',
  'Negeri Sembilan': '05 31 59',
  Pahang: '06 32 33',
  'Pulau Pinang': '07 34 35',
  Perak: '08 36 37 38 39',
  Perlis: '09 40',
  Selangor: '10 41 42 43 44',
  Terengganu: '11 45 46',
  Sabah: '12 47 48 49',
  Sarawak: '13 50 51 52 53',
  'Wilayah Persekutuan Kuala Lumpur': '14 54 55 56 57',
  'Wilayah Persekutuan Labuan': '15 58',
  'Wilayah Persekutuan Putrajaya': '16',
  abroad: '60 61 62 63 64 65 66 67 68 71 72 74 75 76 77 78 79 83 84 85 86 87 88 89 90 91 92 93 98 99',
  unknown: '82',
};

const births = new Map(
  Object.entries(codesByState).flatMap(([state, codes]) => codes.split(' ').map((code) => [code, state])),
);

/** The state of birth, `abroad`, `unknown`, or null for a code that is never given: 00, 17-20, 69, 70, 73, 80, 81, 94-97. */
export const stateOfBirth = (code: string): string | null => births.get(code) ?? null;

/** True for twelve digits, however separated, whose date some year has and whose place code is given. */
export function isMyKad(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  return (
    digits.length === 12 &&
    isMonthDay(Number(digits.slice(2, 4)), Number(digits.slice(4, 6))) &&
    stateOfBirth(digits.slice(6, 8)) !== null
  );
}

export interface MyKadNumber {
  /** With hyphens: 900101-14-5678. */
  number: string;
  birthDate: string;
  /** Confidence in the century, 0..1. */
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
const digitOf = digitsFor('OoDQIl|ZSB');
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
  const birthPlace = stateOfBirth(place);
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
