/**
 * Machine-readable zones of travel documents (ICAO Doc 9303): TD1 cards, TD2 cards, TD3 passports and the two visas.
 *
 * Check digits verify what was read and repair what is commonly misread (O and 0, I and 1, B and 8): a character is
 * exchanged only if the exchange makes the check digit right.
 */

export type MrzFormat = 'TD1' | 'TD2' | 'TD3' | 'MRV-A' | 'MRV-B';

export interface MrzField {
  value: string;
  /** Null where the zone has no check digit for the field. */
  valid: boolean | null;
  repaired: boolean;
}

export interface Mrz {
  format: MrzFormat;
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

const weights = [7, 3, 1];

const weightOf = (char: string): number => (char === '<' ? 0 : Number.parseInt(char, 36));

/** Doc 9303 part 3, 4.9: weighted by 7, 3, 1 and taken modulo 10. */
export function checkDigit(text: string): string {
  const sum = [...text].reduce((total, char, index) => total + weightOf(char) * weights[index % 3]!, 0);
  return String(sum % 10);
}

const toDigit: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  Z: '2',
  S: '5',
  G: '6',
  B: '8',
};
const toLetter: Record<string, string> = { '0': 'O', '1': 'I', '2': 'Z', '5': 'S', '6': 'G', '8': 'B' };

const asDigits = (text: string): string => [...text].map((char) => toDigit[char] ?? char).join('');
const asLetters = (text: string): string => [...text].map((char) => toLetter[char] ?? char).join('');

/** Texts that a misreading could have come from, with how many characters are exchanged: none, one or two. */
function* readings(text: string): Generator<{ text: string; swaps: number }> {
  yield { text, swaps: 0 };
  const swappable = [...text].flatMap((char, index) => {
    const other = toDigit[char] ?? toLetter[char];
    return other ? [{ index, other }] : [];
  });
  const swap = (base: string, { index, other }: { index: number; other: string }): string =>
    base.slice(0, index) + other + base.slice(index + 1);
  for (const one of swappable) yield { text: swap(text, one), swaps: 1 };
  for (const [position, one] of swappable.entries())
    for (const two of swappable.slice(position + 1)) yield { text: swap(swap(text, one), two), swaps: 2 };
}

interface Checked {
  text: string;
  digit: string;
  valid: boolean;
  repaired: boolean;
}

/** A field of digits: letters in it are misread for sure. */
function checkDigits(text: string, printed: string): Checked {
  const [plain, digit] = [asDigits(text), asDigits(printed)];
  const valid = checkDigit(plain) === digit;
  return { text: plain, digit, valid, repaired: valid && plain !== text };
}

/** Changes between letters and digits: numbers of documents are a run of letters, then a run of digits. */
const changes = (text: string): number =>
  [...text].filter((char, at) => at > 0 && /\d/.test(char) !== /\d/.test(text[at - 1]!)).length;

/**
 * A field of letters and digits. What holds as it stands is never altered. One check digit in ten agrees by chance, so
 * two exchanges are believed only if `confirms` (the composite digit) agrees as well; of several readings that pass the
 * plainest of the fewest exchanges is taken. G and 6 differ by ten: no check digit can tell them apart.
 */
function checkMixed(text: string, printed: string, confirms: (checked: Checked) => boolean): Checked {
  const digit = asDigits(printed);
  // An empty optional field may leave its check digit blank.
  if (digit === '<' && /^<*$/.test(text)) return { text, digit, valid: true, repaired: false };
  let best: { checked: Checked; rank: number } | null = null;
  for (const reading of readings(text)) {
    if (checkDigit(reading.text) !== digit) continue;
    const checked = { text: reading.text, digit, valid: true, repaired: reading.swaps > 0 };
    const confirmed = confirms(checked);
    if (confirmed && reading.swaps === 0) return checked;
    if (!confirmed && reading.swaps === 2) continue;
    const rank = (confirmed ? 0 : 100) + 10 * reading.swaps + changes(reading.text);
    if (!best || rank < best.rank) best = { checked, rank };
  }
  return best?.checked ?? { text, digit, valid: false, repaired: false };
}

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
  return { surname: unfill(asLetters(surname)), given: unfill(asLetters(given.join('<'))) };
}

interface Layout {
  format: MrzFormat;
  lines: number;
  length: number;
}

const layouts: Layout[] = [
  { format: 'TD3', lines: 2, length: 44 },
  { format: 'TD2', lines: 2, length: 36 },
  { format: 'TD1', lines: 3, length: 30 },
];

const plainField = (value: string): MrzField => ({ value, valid: null, repaired: false });
const sexOf = (char: string): string => ({ M: 'M', F: 'F' })[char] ?? 'X';

interface Parts {
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

/** Lines of 44 or 36: number, nationality, birth, sex, expiry on the second line. */
function readTwoLines([first, second]: [string, string], visa: boolean): Parts {
  const length = first.length;
  const birth = checkDigits(second.slice(13, 19), second[19]!);
  const expiry = checkDigits(second.slice(21, 27), second[27]!);
  const dates = birth.text + birth.digit + expiry.text + expiry.digit;
  const personalText = second.slice(28, visa ? length : length === 44 ? 42 : 35);
  const passport = length === 44 && !visa;
  const composite = asDigits(second.at(-1)!);
  const confirms = (number: Checked, personal: string): boolean =>
    visa || checkDigit(number.text + number.digit + dates + personal) === composite;
  const printed = passport ? personalText + asDigits(second[42]!) : personalText;
  const number = checkMixed(second.slice(0, 9), second[9]!, (checked) => confirms(checked, printed));
  const personal = passport
    ? checkMixed(personalText, second[42]!, (checked) => confirms(number, checked.text + checked.digit))
    : null;
  return {
    head: first,
    names: first.slice(5),
    number,
    nationality: second.slice(10, 13),
    birth,
    sex: second[20]!,
    expiry,
    personal,
    personalText: personal?.text ?? personalText,
    composite: confirms(number, personal ? personal.text + personal.digit : personalText),
  };
}

/** Lines of 30: the number on the first, dates on the second, names on the third. */
function readThreeLines([first, second, third]: [string, string, string]): Parts {
  const birth = checkDigits(second.slice(0, 6), second[6]!);
  const expiry = checkDigits(second.slice(8, 14), second[14]!);
  const rest =
    first.slice(15, 30) + birth.text + birth.digit + expiry.text + expiry.digit + second.slice(18, 29);
  const confirms = (checked: Checked): boolean =>
    checkDigit(checked.text + checked.digit + rest) === asDigits(second[29]!);
  const number = checkMixed(first.slice(5, 14), first[14]!, confirms);
  return {
    head: first,
    names: third,
    number,
    nationality: second.slice(15, 18),
    birth,
    sex: second[7]!,
    expiry,
    personal: null,
    personalText: first.slice(15, 30),
    composite: confirms(number),
  };
}

function toMrz(format: MrzFormat, lines: string[], parts: Parts, today: Date): Mrz {
  const checked = (part: Checked, value: string): MrzField => ({
    value,
    valid: part.valid,
    repaired: part.repaired,
  });
  const { surname, given } = splitNames(parts.names);
  const fields: Mrz['fields'] = {
    document_type: plainField(unfill(asLetters(parts.head.slice(0, 2)))),
    issuing_country: plainField(unfill(asLetters(parts.head.slice(2, 5)))),
    document_number: checked(parts.number, unfill(parts.number.text)),
    surname: plainField(surname),
    given_names: plainField(given),
    nationality: plainField(unfill(asLetters(parts.nationality))),
    birth_date: checked(parts.birth, toIsoDate(parts.birth.text, 'birth', today)),
    sex: plainField(sexOf(parts.sex)),
    expiry_date: checked(parts.expiry, toIsoDate(parts.expiry.text, 'expiry', today)),
    personal_number: parts.personal
      ? checked(parts.personal, unfill(parts.personalText))
      : plainField(unfill(parts.personalText)),
  };
  const digits = [parts.number, parts.birth, parts.expiry, ...(parts.personal ? [parts.personal] : [])];
  return { format, lines, fields, valid: parts.composite && digits.every((part) => part.valid) };
}

const isDocumentCode = (line: string): boolean => /^[PVIAC][A-Z0-9<]/.test(line);

/** Parses two or three lines of a zone; null if they are none. Lines may be a character or two short or long. */
export function parseMrz(raw: string[], today = new Date()): Mrz | null {
  const lines = raw.map((line) => line.toUpperCase().replace(/[«‹]/g, '<').replace(/\s/g, ''));
  const layout = layouts.find(
    ({ lines: count, length }) =>
      lines.length === count && lines.every((line) => Math.abs(line.length - length) <= 2),
  );
  if (!layout || !isDocumentCode(lines[0]!) || lines.some((line) => !/^[A-Z0-9<]+$/.test(line))) return null;
  const fitted = lines.map((line) => line.padEnd(layout.length, '<').slice(0, layout.length));
  const visa = fitted[0]!.startsWith('V') && layout.lines === 2;
  const parts =
    layout.lines === 3
      ? readThreeLines(fitted as [string, string, string])
      : readTwoLines(fitted as [string, string], visa);
  const format = visa ? (layout.length === 44 ? 'MRV-A' : 'MRV-B') : layout.format;
  const mrz = toMrz(format, fitted, parts, today);
  const held = Object.values(mrz.fields).filter((field) => field.valid).length;
  return held > 0 ? mrz : null;
}
