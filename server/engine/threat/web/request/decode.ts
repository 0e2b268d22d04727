/**
 * Decodes a value: the layers that a server or a browser may peel off. Each layer is linear and the number of layers is
 * bounded, so a decoding bomb costs as much as any other text.
 */

const MAX_ROUNDS = 4;
const MAX_VALUE = 16_384;

const HTML_NAMES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  lpar: '(',
  rpar: ')',
  colon: ':',
  sol: '/',
  bsol: '\\',
  tab: '\t',
  newline: '\n',
  nbsp: ' ',
  grave: '`',
  semi: ';',
  dollar: '$',
  lbrace: '{',
  rbrace: '}',
  lcub: '{',
  rcub: '}',
};

function percentBytes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/giu, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    const utf8 = bytes.toString('utf8');
    return utf8.includes('\uFFFD') ? overlong(bytes) : utf8;
  });
}

/** Overlong UTF-8 (`%c0%af` for `/`) means its short form to a lenient server; other bytes stay Latin-1. */
function overlong(bytes: Buffer): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] as number;
    const next = bytes[i + 1];
    if ((byte === 0xc0 || byte === 0xc1) && next !== undefined && (next & 0xc0) === 0x80) {
      text += String.fromCharCode(((byte & 0x1f) << 6) | (next & 0x3f));
      i += 1;
    } else text += String.fromCharCode(byte);
  }
  return text;
}

function htmlEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/giu,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return HTML_NAMES[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

/** `%u0027`, `\u0027`, `\x27` and full-width forms. */
function unicodeEscapes(text: string): string {
  let out = text;
  if (/[%\\][ux]/iu.test(out)) {
    out = out.replace(
      /(?:%u|\\u)([0-9a-f]{4})|\\u\{([0-9a-f]{1,5})\}|\\x([0-9a-f]{2})/giu,
      (_, a?: string, b?: string, c?: string) =>
        String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(a ?? b ?? (c as string), 16))),
    );
  }
  if (/[\u2460-\u24FF\u{1D400}-\u{1D7FF}\u2070-\u209C]/u.test(out)) out = out.normalize('NFKC');
  return /[\uFF01-\uFF5E\u00B4\u2018\u2019\u201C\u201D\u02B9\u02BC\u2032\u3002\uFF61]/u.test(out)
    ? foldWidth(out)
    : out;
}

function foldWidth(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/gu, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/[\u00B4\u2018\u2019\u02B9\u02BC\u2032]/gu, "'")
    .replace(/[\u201C\u201D]/gu, '"')
    .replace(/[\u3002\uFF61]/gu, '.');
}

/** A value that is nothing but base64 of printable text also means that text. */
export function base64Text(value: string): string | null {
  const compact = value.trim();
  if (compact.length < 12 || compact.length > MAX_VALUE || !/^[A-Za-z0-9+/_-]+={0,2}$/u.test(compact))
    return null;
  const decoded = Buffer.from(compact.replaceAll('-', '+').replaceAll('_', '/'), 'base64').toString('latin1');
  return /^[\t\n\r\x20-\x7e]{6,}$/u.test(decoded) && /[a-z]{3}/iu.test(decoded) ? decoded : null;
}

/** Runs of base64 inside a longer value, decoded at the three offsets at which text may lie in them. */
export function innerBase64(value: string): string[] {
  const runs = value.match(/[A-Za-z0-9+/_-]{16,2048}={0,2}/gu) ?? [];
  return runs
    .filter((run) => run !== value.trim() && /[A-Z]/u.test(run) && /[a-z]/u.test(run))
    .slice(0, 4)
    .flatMap((run) => {
      const decoded = base64Text(
        run.slice(0, run.length - (run.replace(/=+$/u, '').length % 4 === 1 ? 1 : 0)),
      );
      return decoded === null ? [] : [decoded];
    });
}

/** The value fully decoded, and how many percent layers that took (two or more is itself a sign). */
export function decodeValue(value: string, plusIsSpace: boolean): { text: string; layers: number } {
  let text = value.length > MAX_VALUE ? value.slice(0, MAX_VALUE) : value;
  if (plusIsSpace) text = text.replaceAll('+', ' ');
  let layers = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const percent = percentBytes(text);
    if (percent !== text) layers += 1;
    const next = unicodeEscapes(htmlEntities(percent));
    if (next === text) break;
    text = next;
  }
  return { text, layers };
}

const space = (text: string) => text.replace(/[\s\u00a0]+/gu, ' ');

export interface Forms {
  /** Decoded, lower case, runs of space made one. */
  plain: string;
  /** Without SQL comments. */
  sql: string;
  /** Without the quotes, carets, backslashes and empty expansions that shells ignore. */
  shell: string;
  /** Lower case with its line breaks, where there are any; else empty. */
  lines: string;
  /** Without the tags that an editor of rich text writes. */
  markup: string;
}

/** A comment reads as a space, or, inside a word that filters look for, as nothing: both readings. */
function withoutComments(lower: string): string {
  const opened = lower.replace(/\/\*!\d{0,6}/gu, ' ');
  const spaced = opened.replace(/\/\*[^*]{0,256}\*\//gu, ' ').replaceAll('*/', ' ');
  const joined = opened.replace(/\/\*[^*]{0,256}\*\//gu, '').replaceAll('*/', ' ');
  return space(spaced === joined ? spaced : `${spaced} \n ${joined}`);
}

/** Tags of formatted text, with nothing but a class: they run nothing. */
const EDITOR_TAG =
  /<\/?(?:p|b|i|u|em|strong|br|div|span|ul|ol|li|h[1-6]|blockquote|code|pre|tbody|thead|tr|hr|sub|sup|small|del)(?: class="[\w -]{0,80}")? ?\/?>/gu;

export function normalForms(decoded: string): Forms {
  // Browsers put this folder, which does not exist, before the name of a chosen file.
  const lower = decoded.toLowerCase().replaceAll('c:\\fakepath\\', '');
  const plain = space(lower);
  const sql = lower.includes('/*') ? withoutComments(lower) : plain;
  const shell = /["'\\^`$]/u.test(lower)
    ? space(
        lower
          .replace(/\$\{ifs[^}]{0,8}\}|\$ifs(?:\$\d)?/gu, ' ')
          .replace(/\$[@*!]|\$\{[@*!]\}|["'\\^]|\$\(\)|``/gu, ''),
      )
    : plain;
  const lines = /[\r\n]/u.test(lower) ? lower : '';
  const markup = plain.includes('<') ? plain.replace(EDITOR_TAG, ' ') : plain;
  return { plain, sql, shell, lines, markup };
}
