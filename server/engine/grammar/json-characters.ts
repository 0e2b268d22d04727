/** RFC 8259 below its structure: escapes, numbers and UTF-8, read from the front. Pure. */

/** Of `u0000` to `u001f`, as JSON.stringify writes them, but for those with a letter of their own. */
export const isControlPrefix = (sequence: string): boolean =>
  /^u(0(0([01]([0-9a-f])?)?)?)?$/.test(sequence) && !/^u00(0[89acd])$/.test(sequence);
export const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;
export const escapes: Record<string, number> = {
  '"': 0x22,
  '\\': 0x5c,
  '/': 0x2f,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
};

export const isWholeNumber = (text: string): boolean =>
  /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text);
/** Beyond the largest double a reader sees no number. */
export const isFinitePrefix = (text: string): boolean =>
  !/[eE][+-]?[0-9]/.test(text) || Number.isFinite(Number(text));
export const isNumberPrefix = (text: string): boolean =>
  /^-?((0|[1-9][0-9]*)(\.[0-9]*)?)?$|^-?(0|[1-9][0-9]*)(\.[0-9]+)?[eE][+-]?[0-9]{0,3}$/.test(text);

export const utf8Length = (first: number): number =>
  first >= 0xc2 && first <= 0xdf
    ? 2
    : first >= 0xe0 && first <= 0xef
      ? 3
      : first >= 0xf0 && first <= 0xf4
        ? 4
        : 0;

/** The code points that begin with these bytes. */
export function codesOf([first = 0, ...rest]: number[], length: number): [low: number, high: number] {
  let code = first & (0xff >> (length + 1));
  for (const byte of rest) code = (code << 6) | (byte & 0x3f);
  const missing = 6 * (length - 1 - rest.length);
  // Overlong forms are no characters.
  const least = length === 4 ? 0x10000 : length === 3 ? 0x800 : 0x80;
  return [Math.max(code << missing, least), ((code + 1) << missing) - 1];
}

export function isUtf8Prefix([first = 0, second, ...rest]: number[]): boolean {
  if (second === undefined) return true;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high && rest.every((byte) => byte >= 0x80 && byte <= 0xbf);
}
