/** Letters and digits that print alike, and signs of other scripts that recognizers give for Latin ones. */

/** Letters by the digit that they look like, the closest first. */
const lettersByDigit: Record<string, string> = {
  '0': 'OoQD',
  '1': 'IlL|',
  '2': 'Z',
  '5': 'S',
  '6': 'G',
  '8': 'B',
};

/** The closest letter of each of these digits: `lettersFor('01')` is `{ '0': 'O', '1': 'I' }`. */
export const lettersFor = (digits: string): Record<string, string> =>
  Object.fromEntries([...digits].map((digit) => [digit, lettersByDigit[digit]![0]!]));

/** The digit of each of these letters: `digitsFor('OD')` is `{ O: '0', D: '0' }`. */
export const digitsFor = (letters: string): Record<string, string> =>
  Object.fromEntries(
    [...letters].map((letter) => [
      letter,
      Object.keys(lettersByDigit).find((digit) => lettersByDigit[digit]!.includes(letter))!,
    ]),
  );

/** Of these letters those that look like each digit: `lettersByDigitOf('OQI')` is `{ '0': 'OQ', '1': 'I' }`. */
export function lettersByDigitOf(letters: string): Record<string, string> {
  const groups: Record<string, string> = {};
  for (const [letter, digit] of Object.entries(digitsFor(letters)))
    groups[digit] = (groups[digit] ?? '') + letter;
  return groups;
}

/** Signs that recognizers give for characters of OCR-B: fillers as brackets, capitals as ideographs. */
export const ocrBSigns: Record<string, string> = {
  '×': 'X',
  '«': '<',
  '‹': '<',
  '〈': '<',
  '《': '<',
  '(': '<',
  '{': '<',
  // The capital I of OCR-B has serifs; an L is never a small one.
  l: 'I',
  '|': 'I',
  工: 'I',
  口: 'O',
  〇: 'O',
  丁: 'T',
  乙: 'Z',
};
