/** A text without disguise and the way back: unit i stands for [starts[i], ends[i]) of the original. */
export interface PlainView {
  text: string;
  toOriginal(start: number, end: number): [number, number];
}

const disguised =
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uFF01-\uFF5E\u0660-\u0669\u06F0-\u06F9\u2010-\u2015]|[\u{1D7CE}-\u{1D7FF}]/u;

/** Full-width and mathematical digits, odd hyphens and invisible characters undone; letters keep their case. */
export function plainView(text: string): PlainView {
  if (!disguised.test(text)) return { text, toOriginal: (start, end) => [start, end] };
  const starts: number[] = [];
  const ends: number[] = [];
  let plain = '';
  let at = 0;
  for (const character of text) {
    const shown = reveal(character);
    for (let index = 0; index < shown.length; index++) {
      starts.push(at);
      ends.push(at + character.length);
    }
    plain += shown;
    at += character.length;
  }
  return { text: plain, toOriginal: (start, end) => [starts[start] ?? 0, ends[end - 1] ?? text.length] };
}

function reveal(character: string): string {
  if (!disguised.test(character)) return character;
  if (/[\u2010-\u2015]/.test(character)) return '-';
  if (/[\u0660-\u0669\u06F0-\u06F9]/.test(character)) return String((character.codePointAt(0) ?? 0) & 0xf);
  return /[\uFF01-\uFF5E\u{1D7CE}-\u{1D7FF}]/u.test(character) ? character.normalize('NFKC') : '';
}
