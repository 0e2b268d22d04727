/** Modifiers that change the text looked for: dashes of Windows commands, UTF-16 and base64 forms. */

const DASHES = ['-', '/', '\u2013', '\u2014', '\u2015'];
const DASH = /(?<![\w])[-/\u2013\u2014\u2015](?=\w)/gu;
const MAX_DASHES = 3;

/** Every way to write the option dashes of a command line; beyond three dashes all change together. */
export function windashForms(text: string): string[] {
  const places = [...text.matchAll(DASH)].map((match) => match.index);
  if (places.length === 0) return [text];
  if (places.length > MAX_DASHES)
    return [...new Set([text, ...DASHES.map((dash) => text.replace(DASH, dash))])];
  let forms = [text];
  for (const place of places) {
    forms = forms.flatMap((form) =>
      DASHES.map((dash) => form.slice(0, place) + dash + form.slice(place + 1)),
    );
  }
  return [...new Set([text, ...forms])];
}

export type Wide = 'utf8' | 'utf16le' | 'utf16be' | 'utf16';

export function encodeText(text: string, wide: Wide): Buffer {
  if (wide === 'utf8') return Buffer.from(text, 'utf8');
  const little = Buffer.from(text, 'utf16le');
  if (wide === 'utf16le') return little;
  if (wide === 'utf16') return Buffer.concat([Buffer.from([0xff, 0xfe]), little]);
  return little.swap16();
}

export const toBase64 = (bytes: Buffer) => bytes.toString('base64');

/**
 * The text's base64 form at each of the three alignments, cut to the characters that do not depend on its neighbours
 * (Sigma specification 2, `base64offset`).
 */
export function base64Offsets(bytes: Buffer): string[] {
  const starts = [0, 2, 3];
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/u, '');
    const tail = (bytes.length + offset) % 3 === 0 ? 0 : 1;
    return encoded.slice(starts[offset], encoded.length - tail);
  });
}
