/**
 * Machine-readable zones of travel documents (ICAO Doc 9303): TD1 cards, TD2 cards, TD3 passports and the two visas.
 */

import { type Checked, checkDigit, checkDigits, checkMixed } from './mrz-check.ts';
import { type MrzFormat, mrzLayouts } from './mrz-layouts.ts';
import { type FittedLine, fitLine, toMrzText } from './mrz-lines.ts';

export interface MrzField {
  value: string;
  /** Null where the MRZ has no check digit for the field. */
  valid: boolean | null;
  repaired: boolean;
}

export interface Mrz {
  format: MrzFormat;
  /** As they must have been printed: repaired where a check digit or the form tells. */
  lines: string[];
  fields: Record<MrzName, MrzField>;
  /** All check digits, the composite one included, hold. */
  valid: boolean;
}

export type MrzName =
  | 'document_type'
  | 'issuing_country'
  | 'document_number'
  | 'surname'
  | 'given_names'
  | 'nationality'
  | 'birth_date'
  | 'sex'
  | 'expiry_date'
  | 'personal_number';

const unfill = (text: string): string => text.replace(/</g, ' ').trim().replace(/\s+/g, ' ');

/** Two-digit years: births lie in the past, expiries at most fifty years ahead. */
function toIsoDate(text: string, kind: 'birth' | 'expiry', today: Date): string {
  if (!/^\d{6}$/.test(text)) return text;
  const [year, month, day] = [Number(text.slice(0, 2)), text.slice(2, 4), text.slice(4, 6)];
  const now = today.getUTCFullYear();
  const century = Math.floor(now / 100) * 100;
  let full = century + year;
  if (kind === 'birth' && full > now) full -= 100;
  if (kind === 'expiry' && full > now + 50) full -= 100;
  return `${full}-${month}-${day}`;
}

function splitNames(text: string): { surname: string; given: string } {
  const [surname = '', ...given] = text.split('<<');
  return { surname: unfill(surname), given: unfill(given.join('<')) };
}

const plainField = (value: string): MrzField => ({ value, valid: null, repaired: false });
const sexOf = (char: string): string => ({ M: 'M', F: 'F' })[char] ?? 'X';

interface Parts {
  lines: string[];
  head: string;
  names: string;
  number: Checked;
  nationality: string;
  birth: Checked;
  sex: string;
  expiry: Checked;
  personal: Checked | null;
  personalText: string;
  composite: boolean;
}

const replaced = (line: string, at: number, text: string): string =>
  line.slice(0, at) + text + line.slice(at + text.length);

/** Lines of 44 or 36: number, nationality, birth, sex, expiry on the second line. */
function readTwoLines([first, second]: FittedLine[], visa: boolean): Parts {
  const [head, { text: line, read }] = [first!.text, second!];
  const length = head.length;
  const birth = checkDigits(line.slice(13, 19), line[19]!, read.slice(13, 19));
  const expiry = checkDigits(line.slice(21, 27), line[27]!, read.slice(21, 27));
  const dates = birth.text + birth.digit + expiry.text + expiry.digit;
  const passport = length === 44 && !visa;
  const optional = line.slice(28, visa ? length : passport ? 42 : 35);
  const composite = line.at(-1)!;
  const confirms = (number: Checked, rest: string): boolean =>
    visa || checkDigit(number.text + number.digit + dates + rest) === composite;
  const printed = passport ? optional + line[42]! : optional;
  const number = checkMixed(line.slice(0, 9), line[9]!, (checked) => confirms(checked, printed));
  const personal = passport
    ? checkMixed(optional, line[42]!, (checked) => confirms(number, checked.text + checked.digit))
    : null;
  const personalText = personal?.text ?? optional;
  return {
    lines: [head, replaced(replaced(line, 0, number.text), 28, personalText)],
    head,
    names: head.slice(5),
    number,
    nationality: line.slice(10, 13),
    birth,
    sex: line[20]!,
    expiry,
    personal,
    personalText,
    composite: confirms(number, personal ? personal.text + personal.digit : optional),
  };
}

/** Lines of 30: the number on the first, dates on the second, names on the third. */
function readThreeLines([first, second, third]: FittedLine[]): Parts {
  const [head, { text: line, read }, names] = [first!.text, second!, third!.text];
  const birth = checkDigits(line.slice(0, 6), line[6]!, read.slice(0, 6));
  const expiry = checkDigits(line.slice(8, 14), line[14]!, read.slice(8, 14));
  const rest =
    head.slice(15, 30) + birth.text + birth.digit + expiry.text + expiry.digit + line.slice(18, 29);
  const confirms = (checked: Checked): boolean =>
    checkDigit(checked.text + checked.digit + rest) === line[29]!;
  const number = checkMixed(head.slice(5, 14), head[14]!, confirms);
  return {
    lines: [replaced(head, 5, number.text), line, names],
    head,
    names,
    number,
    nationality: line.slice(15, 18),
    birth,
    sex: line[7]!,
    expiry,
    personal: null,
    personalText: head.slice(15, 30),
    composite: confirms(number),
  };
}

/**
 * A number of more than nine characters goes on in the optional data, and its check digit with it: the digit's own place
 * holds a filler (part 5, note j). Null if it does not.
 */
function longNumber({ number, personalText }: Parts): { number: Checked; optional: string } | null {
  const rest = /^([A-Z0-9]+)(\d)(?:<|$)(.*)$/.exec(personalText);
  if (number.digit !== '<' || !rest) return null;
  const text = number.text + rest[1]!;
  if (checkDigit(text) !== rest[2]) return null;
  return { number: { text, digit: rest[2]!, valid: true, repaired: false }, optional: rest[3]! };
}

function toMrz(format: MrzFormat, parts: Parts, today: Date): Mrz {
  const checked = (part: Checked, value: string): MrzField => ({
    value,
    valid: part.valid,
    repaired: part.repaired,
  });
  const long = format === 'TD1' || format === 'TD2' ? longNumber(parts) : null;
  const number = long?.number ?? parts.number;
  const personalText = long?.optional ?? parts.personalText;
  const { surname, given } = splitNames(parts.names);
  const fields: Mrz['fields'] = {
    document_type: plainField(unfill(parts.head.slice(0, 2))),
    issuing_country: plainField(unfill(parts.head.slice(2, 5))),
    document_number: checked(number, unfill(number.text)),
    surname: plainField(surname),
    given_names: plainField(given),
    nationality: plainField(unfill(parts.nationality)),
    birth_date: checked(parts.birth, toIsoDate(parts.birth.text, 'birth', today)),
    sex: plainField(sexOf(parts.sex)),
    expiry_date: checked(parts.expiry, toIsoDate(parts.expiry.text, 'expiry', today)),
    personal_number: parts.personal
      ? checked(parts.personal, unfill(personalText))
      : plainField(unfill(personalText)),
  };
  const digits = [number, parts.birth, parts.expiry, ...(parts.personal ? [parts.personal] : [])];
  return { format, lines: parts.lines, fields, valid: parts.composite && digits.every((part) => part.valid) };
}

/** Number of check digits that hold: the more, the surer that lines are read as the form they are. */
export const heldDigits = (mrz: Mrz): number =>
  Object.values(mrz.fields).filter((field) => field.valid).length + (mrz.valid ? 1 : 0);

/** Number of characters that were taken for others. */
const exchanges = (mrz: Mrz, lines: FittedLine[]): number =>
  mrz.lines.reduce(
    (sum, line, at) => sum + [...line].filter((char, index) => char !== lines[at]!.read[index]).length,
    0,
  );

/** Every choice of one reading of each line. */
const choices = (options: FittedLine[][]): FittedLine[][] =>
  options.reduce<FittedLine[][]>(
    (lists, own) => lists.flatMap((list) => own.map((line) => [...list, line])),
    [[]],
  );

const formsOf = (lines: string[]): MrzFormat[] => {
  if (lines.length === 3) return ['TD1'];
  return lines[0]!.startsWith('V') ? ['MRV-A', 'MRV-B'] : ['TD3', 'TD2'];
};

/** Parses two or three lines of an MRZ; null if they are none. Lines may be some fillers short or long. */
export function parseMrz(raw: string[], today = new Date()): Mrz | null {
  const read = raw.map(toMrzText);
  if (read.length < 2 || read.length > 3) return null;
  if (!/^[PVIAC][A-Z0-9<]/.test(read[0]!) || read.some((line) => !/^[A-Z0-9<]+$/.test(line))) return null;
  let best: { mrz: Mrz; rank: number } | null = null;
  for (const format of formsOf(read)) {
    const near = (line: string, at: number): boolean =>
      Math.abs(line.length - mrzLayouts[format][at]!.length) <= 3;
    if (!read.some(near)) continue;
    for (const lines of choices(read.map((line, at) => fitLine(line, format, at)))) {
      const parts = format === 'TD1' ? readThreeLines(lines) : readTwoLines(lines, format.startsWith('MRV'));
      const mrz = toMrz(format, parts, today);
      const rank = 10 * heldDigits(mrz) - exchanges(mrz, lines);
      if (heldDigits(mrz) > 0 && (!best || rank > best.rank)) best = { mrz, rank };
    }
  }
  return best?.mrz ?? null;
}
