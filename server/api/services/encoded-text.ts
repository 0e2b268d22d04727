/**
 * Text files whose letters are not what a person reads: the source of mails and pages, cards, escapes. What is replaced in a text
 * is looked for in what is read. Pure, the same in every client.
 */

const documentNames = /\.(?:eml|mht|mhtml|html?|xhtml|rtf|ics|vcf|vcs)$/i;
const begins =
  /^\uFEFF?\s*(?:\{\\rtf|BEGIN:VC(?:ARD|ALENDAR)|(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html)\b)/i;
const mailHead = /^(?:From [^\n]*\n)?[!-9;-~]+:/;
const mailSource = /^(?:MIME-Version|Content-Transfer-Encoding):|=\?[\w-]+\?[bq]\?/im;
const headLength = 1 << 14;

/** True for a text that the documents service is to read: by its letters it is no text. */
export function isReadAsDocument(name: string, text: string): boolean {
  const head = text.slice(0, headLength);
  return (
    documentNames.test(name) ||
    begins.test(head) ||
    head.slice(0, 1024).includes('%PDF-') ||
    (mailHead.test(head) && mailSource.test(head))
  );
}

/** UTF-16 in pairs first; behind them any other escaped sign, so that an escaped backslash escapes nothing. */
const escapes = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})|\\u([\da-f]{4})|\\([\s\S])/gi;
/** Escaped, they are part of what the escapes are written in. */
const keptSigns = /[\p{Cc}\p{Cs}"\\]/u;
const keptMarkup = /[\p{Cc}\p{Cs}<>&"']/u;

function isJson(text: string): boolean {
  const parses = (piece: string): boolean => {
    try {
      JSON.parse(piece);
      return true;
    } catch {
      return false;
    }
  };
  if (!/^\s*[[{"]/.test(text)) return false;
  return parses(text) || text.split('\n').every((line) => line.trim() === '' || parses(line));
}

const codeOf = (hex: string): number => Number.parseInt(hex, 16);

/** The text with the signs that it writes as `\u0041` or, in markup, `&#65;`; JSON and markup stay what they are. */
export function withoutEscapes(text: string): string {
  const json = isJson(text);
  const plain = text.replace(escapes, (all, high, low, code, sign: string | undefined, at: number) => {
    if (high) return String.fromCharCode(codeOf(high), codeOf(low));
    const letter = code ? String.fromCharCode(codeOf(code)) : '';
    if (code && !keptSigns.test(letter)) return letter;
    if (!json) return all;
    if (sign === '/') return '/';
    // The letter of an escape is no part of the word behind it.
    const isBlank = code ? letter < ' ' : 'nrtbf'.includes(sign ?? '"');
    return isBlank && /[\p{L}\p{N}]/u.test(text[at + all.length] ?? '') ? `${all} ` : all;
  });
  if (!/^\uFEFF?\s*</.test(plain)) return plain;
  return plain.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (all, hex, decimal) => {
    const code = hex ? codeOf(hex) : Number(decimal);
    const letter = code <= 0x10_ffff ? String.fromCodePoint(code) : '\0';
    return keptMarkup.test(letter) ? all : letter;
  });
}

const isMixed = (run: string): boolean => /[A-Z]/.test(run) && /[a-z]/.test(run) && /[\d+/]/.test(run);
const base64Lines =
  /(?:^[ \t>]*[A-Za-z0-9+/]{60,80}[ \t]*\r?\n){2}[ \t>]*[A-Za-z0-9+/]{1,80}={0,2}[ \t]*\r?$/gm;
const base64Run = /(?:[A-Za-z0-9+_-]|\\?\/){200,}/g;

const encodings: [what: string, isIn: (text: string) => boolean][] = [
  [
    'several mails in one file, which are to be saved as .eml each',
    (text) => (text.match(/^From \S+ [^\n]*\d{4}[^\n]*\n[\w-]+: /gm)?.length ?? 0) > 1,
  ],
  [
    'the source of a mail',
    (text) =>
      /^Content-Transfer-Encoding:\s*"?(?:base64|quoted-printable|x-uu)/im.test(text) ||
      /=\?[\w-]+\?(?:b\?[\w+/=]+|q\?[^?\s]+)\?=/i.test(text),
  ],
  [
    'a file in base64',
    (text) => /;base64,\s*[\w+/]/i.test(text) || /^begin(?:-base64)? [0-7]{3,4} \S/m.test(text),
  ],
  ['a file in base64', (text) => [base64Lines, base64Run].some((run) => text.match(run)?.some(isMixed))],
  ['values in base64', (text) => /^dn:/m.test(text) && /^[a-z][\w;.-]*:: *[\w+/]+=*\s*$/im.test(text)],
  ['a card with encoded values', (text) => /;ENCODING=(?:QUOTED-PRINTABLE|B|BASE64)\b/i.test(text)],
  ['Rich Text Format', (text) => /^\s*\{\\rtf/m.test(text)],
  ['PostScript', (text) => text.startsWith('%!PS')],
  ['escapes within escapes', (text) => /\\\\u[\da-f]{4}/i.test(text)],
];

/** The encoded content of a text, which nobody finds personal data in; null where there is none. */
export const encodedContent = (text: string): string | null =>
  encodings.find(([, isIn]) => isIn(text))?.[0] ?? null;

export const encodedMessage = (what: string): string =>
  `It holds ${what}: personal data in it would not be found.`;

/** Warnings of a document's answer begin so where a part of the file is not in its text. */
export const leftOut = {
  attached: 'Attached files that were not read:',
  mail: 'A part of the mail was left out:',
};

/** The first warning that tells of a part that is not in the text. */
export const leftOutWarning = (warnings: readonly string[]): string | undefined =>
  warnings.find((warning) => Object.values(leftOut).some((begin) => warning.startsWith(begin)));
