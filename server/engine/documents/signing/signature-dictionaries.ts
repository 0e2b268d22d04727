/**
 * The digital signatures that a PDF file holds, found in its bytes.
 *
 * Each names the bytes that it covers in a /ByteRange, which cannot lie in a compressed object, as its place in the
 * file must be fixed before signing (ISO 32000-1, 12.8.1). The hole between the two ranges holds the signature itself,
 * as hexadecimal. The form field that it belongs to names the dictionary's object; fields may be compressed.
 */

import { constants, inflateSync } from 'node:zlib';
import { maxInflatedBytes } from '../limits.ts';

export interface SignatureDictionary {
  /** Object and generation, such as `12 0`. */
  object: string;
  /** Last part of the name of its form field; null where no field refers to it. */
  field: string | null;
  /** The bytes that are signed, in two pieces. */
  signed: [Uint8Array, Uint8Array];
  /** The DER of a CMS message, with the zeros that fill the hole. */
  contents: Uint8Array;
  subFilter: string;
  /** As the signer's program wrote it: ISO 8601; null where it wrote none. */
  date: string | null;
  /** True if the ranges leave out nothing but the signature itself. */
  gapless: boolean;
  /** True if the file goes on behind what is signed. */
  extended: boolean;
}

const maxSignatures = 64;
const byteRange = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g;

/** `D:20260314153012+08'00'` (ISO 32000-1, 7.9.4). */
export function pdfDate(text: string): string | null {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/.exec(text);
  if (!match) return null;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', , sign, zh, zm = '00'] =
    match;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${sign ? `${sign}${zh}:${zm}` : 'Z'}`;
  return Number.isNaN(Date.parse(iso)) ? null : new Date(iso).toISOString().replace('.000', '');
}

/** The text of a literal or hexadecimal string behind a key. */
function stringBehind(dictionary: string, key: string): string | null {
  const literal = new RegExp(`/${key}\\s*\\(((?:\\\\.|[^\\\\)])*)\\)`).exec(dictionary)?.[1];
  if (literal !== undefined) return decodeText(Buffer.from(unescaped(literal), 'latin1'));
  const hex = new RegExp(`/${key}\\s*<([0-9a-fA-F\\s]*)>`).exec(dictionary)?.[1];
  return hex === undefined ? null : decodeText(Buffer.from(hex.replace(/\s/g, ''), 'hex'));
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:([0-7]{1,3})|(.))/gs, (_, octal: string | undefined, character: string) =>
    octal ? String.fromCharCode(Number.parseInt(octal, 8) & 255) : character,
  );

/** PDF text strings are UTF-16 with a mark, or one byte a character. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return bytes
      .subarray(2, bytes.length & ~1)
      .swap16()
      .toString('utf16le');
  return bytes.toString('latin1');
}

/** The uncompressed text of the file and of its object streams, where form fields may lie. */
function* fieldSources(file: Buffer, text: string): Generator<string> {
  yield text;
  const streams = /\/Type\s*\/ObjStm\b[\s\S]{0,400}?stream\r?\n/g;
  let budget = maxInflatedBytes;
  for (const match of text.matchAll(streams)) {
    const start = match.index + match[0].length;
    const end = file.indexOf('endstream', start, 'latin1');
    try {
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, budget) };
      const inflated = inflateSync(file.subarray(start, end < 0 ? file.length : end), options);
      budget -= inflated.length;
      yield inflated.toString('latin1');
    } catch {
      // Encrypted, damaged or too large: its fields stay unknown.
    }
  }
}

/** Names of the fields whose value each object is. */
function fieldNames(file: Buffer, text: string, objects: string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const source of fieldSources(file, text))
    for (const object of objects) {
      if (names.has(object)) continue;
      const [number, generation] = object.split(' ');
      const value = new RegExp(`/V\\s+${number}\\s+${generation}\\s+R`).exec(source);
      if (!value) continue;
      const before = source.slice(Math.max(0, value.index - 2000), value.index);
      const own = before.slice(Math.max(before.lastIndexOf(' obj'), before.lastIndexOf('>><<') + 2, 0));
      const after = source.slice(value.index, value.index + 2000).split(/endobj|>>\s*<</)[0]!;
      const name = stringBehind(own, 'T') ?? stringBehind(after, 'T');
      if (name) names.set(object, name);
    }
  return names;
}

/** All signatures of a file, in its order. Damaged ones are left out. */
export function findSignatureDictionaries(bytes: Uint8Array): SignatureDictionary[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.indexOf('/ByteRange', 0, 'latin1') < 0) return [];
  const text = file.toString('latin1');
  const found: SignatureDictionary[] = [];
  for (const match of text.matchAll(byteRange)) {
    const [start, length, next, rest] = match.slice(1).map(Number) as [number, number, number, number];
    if (start + length > next || next + rest > file.length || found.length >= maxSignatures) continue;
    const hole = text.slice(start + length, next);
    const hex = /^\s*<([0-9a-fA-F\s]*)>\s*$/.exec(hole)?.[1];
    const head = text.lastIndexOf(' obj', match.index);
    const object = /(\d+)\s+(\d+)$/.exec(text.slice(Math.max(0, head - 24), Math.max(0, head)));
    if (hex === undefined || head < 0 || !object) continue;
    const end = text.indexOf('endobj', Math.max(match.index, next));
    const dictionary = `${text.slice(head, Math.min(start + length, match.index + 4096))} ${text.slice(Math.max(next, match.index), end < 0 ? undefined : end)}`;
    const date = stringBehind(dictionary, 'M');
    found.push({
      object: `${object[1]} ${object[2]}`,
      field: null,
      signed: [file.subarray(start, start + length), file.subarray(next, next + rest)],
      contents: Buffer.from(hex.replace(/\s/g, ''), 'hex'),
      subFilter: /\/SubFilter\s*\/([\w.]+)/.exec(dictionary)?.[1] ?? '',
      date: date ? pdfDate(date) : null,
      gapless: start === 0,
      extended: text.slice(next + rest).trim() !== '',
    });
  }
  const names = fieldNames(
    file,
    text,
    found.map(({ object }) => object),
  );
  return found.map((signature) => ({ ...signature, field: names.get(signature.object) ?? null }));
}
