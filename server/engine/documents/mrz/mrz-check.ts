/**
 * Check digits of machine-readable zones (ICAO Doc 9303 part 3, 4.9): they verify what was read and repair what is
 * commonly misread (O and 0, I and 1, B and 8): a character is exchanged only if the exchange makes the digit right.
 */

import { digitsFor, lettersFor } from '../../identifiers/look-alikes.ts';

const weights = [7, 3, 1];

const weightOf = (char: string): number => (char === '<' ? 0 : Number.parseInt(char, 36));

/** Weighted by 7, 3, 1 and taken modulo 10. */
export function checkDigit(text: string): string {
  const sum = [...text].reduce((total, char, index) => total + weightOf(char) * weights[index % 3]!, 0);
  return String(sum % 10);
}

const toDigit = digitsFor('OQDILZSGB');
const toLetter = lettersFor('012568');
/** Exchanges tried where letters and digits may stand. */
const lookAlikes: Record<string, string> = { ...toLetter, ...digitsFor('OQDIZSGB') };

/** The character that a place allows: where only digits may stand O is 0, where only letters may, 0 is O. */
export const toAllowed = (char: string, allowed: string): string => {
  if (allowed.includes(char)) return char;
  const other = toDigit[char] ?? toLetter[char];
  return other !== undefined && allowed.includes(other) ? other : char;
};

export interface Checked {
  text: string;
  digit: string;
  valid: boolean;
  repaired: boolean;
}

/** A field of digits. `read` is what stood there before letters were taken for digits. */
export function checkDigits(text: string, digit: string, read = text): Checked {
  const valid = checkDigit(text) === digit;
  return { text, digit, valid, repaired: valid && read !== text };
}

/** Texts that a misreading could have come from, with how many characters are exchanged: none, one or two. */
function* readings(text: string): Generator<{ text: string; swaps: number }> {
  yield { text, swaps: 0 };
  const swappable = [...text].flatMap((char, index) => {
    const other = lookAlikes[char];
    return other ? [{ index, other }] : [];
  });
  const swap = (base: string, { index, other }: { index: number; other: string }): string =>
    base.slice(0, index) + other + base.slice(index + 1);
  for (const one of swappable) yield { text: swap(text, one), swaps: 1 };
  for (const [position, one] of swappable.entries())
    for (const two of swappable.slice(position + 1)) yield { text: swap(swap(text, one), two), swaps: 2 };
}

/** Changes between letters and digits: numbers of documents are a run of letters, then a run of digits. */
const changes = (text: string): number =>
  [...text].filter((char, at) => at > 0 && /\d/.test(char) !== /\d/.test(text[at - 1]!)).length;

/**
 * A field of letters and digits. What holds as it stands is never altered. One check digit in ten agrees by chance, so
 * two exchanges are believed only if `confirms` (the composite digit) agrees as well; of several readings that pass the
 * plainest of the fewest exchanges is taken. G and 6 differ by ten: no check digit can tell them apart.
 */
export function checkMixed(text: string, digit: string, confirms: (checked: Checked) => boolean): Checked {
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
