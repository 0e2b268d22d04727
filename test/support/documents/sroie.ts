/** SROIE receipts as pages: their annotated text lines stand in for text recognition. */

import type { Page, Word } from '../../../server/engine/documents/document.ts';

export interface Receipt {
  id: string;
  company: string;
  date: string;
  address: string;
  total: string;
  lines: { box: [number, number, number, number]; text: string }[];
}

/** Splits a line's box over its words by their length. */
function toWords({ box: [x0, y0, x1, y1], text }: Receipt['lines'][number]): Word[] {
  const unit = (x1 - x0) / Math.max(1, text.length);
  const words: Word[] = [];
  for (const match of text.matchAll(/\S+/g)) {
    const left = x0 + match.index * unit;
    // Wide letters must not look like gaps between words.
    const size = Math.max(4, 0.8 * (y1 - y0), 1.3 * unit);
    const box: Word['box'] = [left, y0, left + match[0].length * unit, y1];
    words.push({
      text: match[0],
      box,
      baseline: y1 - 0.2 * (y1 - y0),
      size,
      bold: false,
      turned: false,
      source: 'recognition',
    });
  }
  return words;
}

export function receiptPage(receipt: Receipt): Page {
  const width = Math.max(1, ...receipt.lines.map((line) => line.box[2]));
  const height = Math.max(1, ...receipt.lines.map((line) => line.box[3]));
  return {
    number: 1,
    width,
    height,
    words: receipt.lines.flatMap(toWords),
    horizontal: [],
    vertical: [],
    frames: [],
    fills: [],
    slants: [],
    toView: ([x0, y0, x1, y1]) => [x0 / width, y0 / height, x1 / width, y1 / height],
  };
}

/** Letters and digits alone: the labels' spacing and punctuation follow the annotator, not the receipt. */
export const sameText = (a: string, b: string): boolean => {
  const plain = (text: string): string => text.toUpperCase().replace(/[^\p{L}\d]/gu, '');
  return plain(a) === plain(b);
};
