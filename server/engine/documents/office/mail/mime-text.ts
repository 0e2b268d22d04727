/** Encoded words, parameters and bodies of mail (RFC 2045, 2047, 2231). */

import { bytesToText } from '../text/bytes-to-text.ts';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export function quotedPrintable(text: string): Uint8Array {
  const joined = text.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, '');
  return latin1(
    joined.replace(/=([\dA-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** @param body bytes as characters */
export function decodeBody(body: string, encoding: string): Uint8Array {
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  return encoding === 'quoted-printable' ? quotedPrintable(body) : latin1(body);
}

/** Encoded words of a header as text; raw bytes in it count as UTF-8 or what else they are. */
export function decodeWords(value: string): string {
  const plain = /[\x80-\xff]/.test(value) ? bytesToText(latin1(value)) : value;
  return plain
    .replace(/(=\?[^?\s]+\?[bq]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(
      /=\?([^?\s*]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi,
      (_, charset: string, kind: string, text: string) =>
        bytesToText(
          kind.toLowerCase() === 'b'
            ? Buffer.from(text, 'base64')
            : quotedPrintable(text.replaceAll('_', ' ')),
          charset,
        ),
    );
}

export interface MimeValue {
  value: string;
  parameters: Record<string, string>;
}

/** `text/html; charset="utf-8"`: names in lower case, split parameters joined. */
export function parseMimeValue(header: string): MimeValue {
  const [value = '', ...rest] = header.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);
  const parameters: Record<string, string> = {};
  for (const piece of rest.slice(0, 64)) {
    const [, name = '', , raw = ''] = /^\s*([^=*\s]+)((?:\*\d+)?\*?)\s*=\s*([\s\S]*?)\s*$/.exec(piece) ?? [];
    const encoded = /^\s*[^=]*\*\s*=/.test(piece);
    let text = raw.startsWith('"')
      ? raw.slice(1, raw.endsWith('"') ? -1 : undefined).replace(/\\(.)/g, '$1')
      : raw;
    if (encoded) {
      const [, charset = 'utf-8', , quoted = text] = /^([^']*)'([^']*)'(.*)$/s.exec(text) ?? [];
      const bytes = quoted.replace(/%([\dA-Fa-f]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      text = bytesToText(latin1(bytes), charset);
    }
    const key = name.toLowerCase();
    if (key !== '') parameters[key] = (parameters[key] ?? '') + text;
  }
  return { value: value.trim().toLowerCase(), parameters };
}
