/** The shortest ways to the end of a JSON text or key: which bytes to try first. */
import type { Hints } from './schema/schema-state.ts';

/** Place of a state inside a text or key. */
export interface StringPlace {
  isKey: boolean;
  /** The part that has been written. */
  text: string;
  /** Behind a backslash: what of the escape has been written. */
  escape: string | null;
  /** Bytes of a character that is not whole yet. */
  pending: readonly number[];
}

export function stringEndings(place: StringPlace, hints: Hints): number[] {
  const wanted = [...(place.isKey ? keyCharacters(place.text, hints.keys) : []), ...hints.chars];
  if (place.escape !== null) return escapeEndings(place.escape, wanted);
  if (place.pending.length > 0) return continuations(place.pending, wanted);
  const ends = place.isKey ? [...wanted, ''] : ['', ...wanted];
  return bytes([...ends.map(firstWritten), ...(place.isKey ? freshKeys : anyText)]);
}

/** Of keys that nobody names, and of texts that must not be what somebody names. */
const freshKeys = [...'abcdefghij0123456789'];
const anyText = [...'aZ0- .'];

/** The first character of a character as JSON writes it; of none, the closing quote. */
const firstWritten = (char: string): string => (char === '' ? '"' : [...written(char)][0]!);
const written = (char: string): string => JSON.stringify(char).slice(1, -1);

/** The next character of each key worth writing; '' where one is whole. */
function keyCharacters(text: string, keys: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => key.startsWith(text)).map((key) => [...key.slice(text.length)][0] ?? '');
}

/** Behind a backslash: what a character worth writing has there. */
function escapeEndings(begun: string, wanted: readonly string[]): number[] {
  const escapes = wanted.map(written).filter((each) => each.startsWith(`\\${begun}`));
  return bytes([
    ...escapes.map((each) => each[begun.length + 1] ?? ''),
    ...(begun === '' ? ['n', '"'] : ['0']),
  ]);
}

/**
 * Bytes that go on a character: first those that make it a wanted one. Before the last byte a few others stand for all: a
 * class of characters takes whole blocks, and to try them all would be thousands.
 */
function continuations(pending: readonly number[], wanted: readonly string[]): number[] {
  const fitting = wanted
    .map((char) => Buffer.from(char))
    .filter((whole) => whole.length > pending.length && pending.every((byte, at) => whole[at] === byte))
    .map((whole) => whole[pending.length]!);
  const length = pending[0]! >= 0xf0 ? 4 : pending[0]! >= 0xe0 ? 3 : 2;
  const others = pending.length === length - 1 ? everyByte : someBytes;
  return [...new Set([...fitting, ...others])];
}

const everyByte = Array.from({ length: 64 }, (_, low) => 0x80 + low);
const someBytes = [0x80, 0x90, 0xa0, 0xb0];

export const bytes = (chars: string[]): number[] => [
  ...new Set(chars.flatMap((char) => (char === '' ? [] : [Buffer.from(char)[0]!]))),
];
