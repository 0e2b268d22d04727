/**
 * Forms of a text in which a hidden command shows: quotes and escapes inside words, joined and reordered strings, variables,
 * reversal, rotation, base64 (compressed as well), hexadecimal, octal, percent and character codes. Each form costs one pass; decoded text is looked at again, two layers deep.
 */

import { gunzipSync, inflateRawSync } from 'node:zlib';

const MAX_TEXT = 16_384;
const MAX_FORMS = 12;
const MAX_BLOBS = 6;

/** Words that stand near an encoded payload. */
export const ENCODED = /-e\w{0,14}\b|base64|b64|frombase|decode|atob|command/iu;
export const BLOB = /[A-Za-z0-9+/]{16,}={0,2}/gu;

const printable = (text: string): boolean => {
  let odd = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) odd += 1;
  }
  return text.length >= 4 && odd === 0;
};

/** The text that base64 holds, plain or compressed; null where its bytes are none. */
export function decodeBlob(blob: string): string | null {
  const bytes = inflated(Buffer.from(blob, 'base64'));
  const wide = bytes.length >= 8 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0;
  const text = bytes.toString(wide ? 'utf16le' : 'utf8');
  return printable(text) ? text : null;
}

/** gzip by its first bytes; bytes that are no text may be raw deflate, as .NET's stream writes it. */
function inflated(bytes: Buffer): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && printable(bytes.toString('utf8').slice(0, 64))) return bytes;
  try {
    return (isGzip ? gunzipSync : inflateRawSync)(bytes, { maxOutputLength: MAX_TEXT });
  } catch {
    return bytes;
  }
}

/** Words that stand near characters written as numbers. */
const NUMBERED = /pack|xxd|hex|char|chr|\\[0x]?\d|%[0-9a-f]{2}|printf|0x/iu;
const CHARACTERS = /\bchrw?\(|\[char\]|charcode|\[byte/iu;
const HEX = /(?<![0-9a-z])(?:0x)?((?:[0-9a-f]{2}){8,2000})(?![0-9a-z])/giu;
const CODES = /\d{2,3}(?:(?:[\s,;+|)&.'"-]|\[char\]|chrw?\(|\[byte\]){1,12}\d{2,3}){5,400}/giu;
const OCTAL = /(?:\\0?[0-3]?[0-7]{2}){4,}/gu;
const PERCENT = /(?:%[0-9a-f]{2}){4,}/giu;
const MAX_RUNS = 4;

/** Text that is written in numbers, each run in its place. */
function* numbered(text: string): Iterable<string> {
  for (const [, run] of [...text.matchAll(HEX)].slice(0, MAX_RUNS)) {
    const bytes = Buffer.from(run as string, 'hex');
    const decoded = bytes.toString(bytes[1] === 0 && bytes[3] === 0 ? 'utf16le' : 'utf8');
    if (printable(decoded)) yield decoded;
  }
  const lists = CHARACTERS.test(text) ? [...text.matchAll(CODES)].slice(0, MAX_RUNS) : [];
  for (const [run] of lists) {
    const codes = (run.match(/\d{2,3}/gu) ?? []).map(Number);
    const decoded = codes.every((code) => code < 127) ? String.fromCharCode(...codes) : '';
    if (printable(decoded)) yield decoded;
  }
  const plain = text
    .replace(OCTAL, (run) =>
      run
        .split('\\')
        .slice(1)
        .map((code) => String.fromCharCode(Number.parseInt(code, 8)))
        .join(''),
    )
    .replace(PERCENT, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  if (plain !== text) yield plain;
}

const rotated = (text: string): string =>
  text.replace(/[a-z]/giu, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });

/** `-f` puts its strings where the numbers say. */
const FORMAT = /\(?["']((?:\{\d\}){2,20})["']\s*-f\s*((?:["'][^"']{0,200}["']\s*,?\s*){2,20})\)?/giu;

const formatted = (text: string): string =>
  text.replace(FORMAT, (_, order: string, list: string) => {
    const parts = [...list.matchAll(/["']([^"']*)["']/gu)].map((part) => part[1] as string);
    return [...order.matchAll(/\d/gu)].map((digit) => parts[Number(digit[0])] ?? '').join('');
  });

/** Marks of cmd and PowerShell that mean nothing inside a word. */
const windowsForm = (text: string): string =>
  formatted(text)
    .replace(/\^(?=\S)/gu, '')
    .replace(/(?<=\w)`(?=\w)|(?<![\w`])`(?=\w+`)/gu, '')
    .replace(/["']\s{0,3}\+\s{0,3}["']/gu, '')
    .replace(/(?<=\w)""(?=\w)/gu, '')
    .replace(/&?\(\s?["']([\w-]{2,40})["']\s?\)/gu, ' $1 ')
    .replace(/\.\s?\(?["']([\w-]{2,40})["']\)?/gu, '.$1')
    .replace(/%comspec%/giu, 'cmd.exe');

const ASSIGNED = /(?:^|[\s;&("$])([A-Za-z_]\w{0,15})=["']?([\w./:-]{1,60})["']?(?=[;&\s])/gu;

/** Marks of Unix shells that mean nothing inside a word, and variables set on the same line. */
function unixForm(text: string): string {
  let plain = text
    .replace(/\$\{?IFS\}?(?:\$\d)?/gu, ' ')
    .replace(/(?<=[\w/])(?:''|"")(?=\w)/gu, '')
    .replace(/(?<=[\w/])'(\w{1,12})'|(?<=[\w/])"(\w{1,12})"/gu, '$1$2')
    .replace(/(?<![\w"])"(\w)"(?=\w)|(?<![\w'])'(\w)'(?=\w)/gu, '$1$2')
    .replace(/(?<=[a-z/])\\(?=[a-z])/gu, '')
    .replace(/\$@(?=\w)|(?<=\w)\$@/gu, '')
    .replace(/\\x([0-9a-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  for (const [, name, value] of text.slice(0, 4096).matchAll(ASSIGNED))
    plain = plain.replaceAll(
      new RegExp(`\\$\\{?${name}\\}?(?![\\w=])|%${name}%|!${name}!`, 'gu'),
      () => value as string,
    );
  return plain;
}

/** The text as written first, then every other form it has; all of them with single blanks. */
export function shellForms(text: string): string[] {
  const key = text.trim();
  if (key.length > MAX_KEPT) return formsOf(key);
  const held = kept.get(key);
  if (held !== undefined) return held;
  const forms = formsOf(key);
  if (kept.size >= 256) kept.clear();
  kept.set(key, forms);
  return forms;
}

/** Readers and signatures ask for the same lines. */
const kept = new Map<string, string[]>();
const MAX_KEPT = 2048;

function formsOf(text: string): string[] {
  const forms = new Set<string>();
  const queue: [string, number][] = [[text.slice(0, MAX_TEXT), 0]];
  for (const [form, depth] of queue) {
    if (forms.size >= MAX_FORMS) break;
    const plain = form.replace(/\s+/gu, ' ').trim();
    if (plain.length < 3 || forms.has(plain)) continue;
    forms.add(plain);
    if (depth > 2) continue;
    for (const other of [windowsForm(plain), unixForm(plain)])
      if (other !== plain) queue.push([other, depth + 1]);
    if (/\brev\b|\[-1\s?\.\.|strrev|\[::-1\]|righttoleft|reverse\(/iu.test(plain))
      queue.push([[...plain].reverse().join(''), depth + 1]);
    if (/\brot13|n-za-m/iu.test(plain)) queue.push([rotated(plain), depth + 1]);
    if (NUMBERED.test(plain)) for (const decoded of numbered(plain)) queue.push([decoded, depth + 1]);
    if (!ENCODED.test(plain)) continue;
    for (const [blob] of [...plain.matchAll(BLOB)].slice(0, MAX_BLOBS)) {
      const decoded = decodeBlob(blob);
      if (decoded !== null) queue.push([decoded, depth + 1]);
    }
  }
  return [...forms];
}
