/** Widths of text in an ordinary face, lines that fit, and words at their places. All lengths are points. */

import type { Word } from '../document.ts';

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/;
const narrow = /[iljt.,:;'|!()[\]\s]/;
const broad = /[A-ZmwMW@%&]/;

/** Shares of the size. */
const signWidth = (sign: string): number => {
  if (narrow.test(sign)) return 0.3;
  if (wide.test(sign) || sign.length > 1) return 1;
  return broad.test(sign) ? 0.68 : 0.54;
};
const blank = 0.28;
/** Tabs stand at multiples of this, and leave a gap that parts columns. */
const tabStop = 48;

export function textWidth(text: string, size: number): number {
  let sum = 0;
  for (const sign of text) sum += signWidth(sign);
  return sum * size;
}

export const longestWord = (text: string, size: number): number =>
  Math.max(
    0,
    ...text
      .split(/\s+/)
      .slice(0, 2000)
      .map((word) => (wide.test(word) ? 4 * size : textWidth(word, size))),
  );

/** A run of Chinese or Japanese may break anywhere; other words stay whole, however long. */
const unitsOf = (word: string): string[] =>
  wide.test(word)
    ? (word.match(
        new RegExp(`${wide.source}[，。、；：！？）」』”]*|[^\\u1100-\\uffe6]+|[\\s\\S]`, 'gu'),
      ) ?? [word])
    : [word];

/** Lines no wider than `width`, but for words that are. Tabs stay in them. */
export function wrapText(text: string, width: number, size: number): string[] {
  return text.split('\n').flatMap((source) => {
    const lines: string[] = [];
    let [line, length] = ['', 0];
    for (const word of source.split(/(?<=[ \t])|(?=[\t])/)) {
      const units = unitsOf(word);
      for (const unit of units) {
        const own = unit === '\t' ? tabStop / 2 : textWidth(unit, size);
        if (length + own - blank * size > width && line.trim() !== '') {
          lines.push(line.trimEnd());
          [line, length] = ['', 0];
        }
        line += unit;
        length += own;
      }
    }
    lines.push(line.trimEnd());
    return lines;
  });
}

interface LinePlace {
  x: number;
  /** The line's top. */
  y: number;
  size: number;
  /** Words that reach beyond it are squeezed. */
  width: number;
  bold: boolean;
}

export function lineWords(line: string, { x, y, size, width, bold }: LinePlace): Word[] {
  const words: Word[] = [];
  let at = x;
  for (const piece of line.split(/([ \t]+)/)) {
    if (piece === '') continue;
    if (/^[ \t]+$/.test(piece)) {
      for (const sign of piece)
        at = sign === '\t' ? x + Math.ceil((at + size - x) / tabStop) * tabStop : at + blank * size;
      continue;
    }
    const end = at + textWidth(piece, size);
    const right = Math.max(at + 1, Math.min(end, x + width));
    words.push({
      text: piece,
      box: [at, y, right, y + size * 1.1],
      baseline: y + 0.85 * size,
      size,
      bold,
      turned: false,
      source: 'text_layer',
    });
    at = end;
  }
  return words;
}
