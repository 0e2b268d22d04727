/** Words of glyphs and segments of rows. */

import { expect, test } from 'vitest';
import type { Word } from '../../../../server/engine/documents/document.ts';
import { toRows, toSegments } from '../../../../server/engine/documents/layout/segments.ts';
import { uprightWords } from '../../../../server/engine/documents/layout/words.ts';
import type { Glyph } from '../../../../server/engine/documents/pdf/page-content.ts';

/** Glyphs of 6 points, each so far behind the one before as `gaps` tell. */
function glyphs(text: string, gaps: (index: number) => number): Glyph[] {
  let x = 50;
  return [...text].map((letter, index): Glyph => {
    x += index === 0 ? 0 : 6 + gaps(index);
    return {
      text: letter,
      box: [x, 90, x + 6, 100],
      x,
      y: 98,
      size: 10,
      advance: 6,
      bold: false,
      blank: false,
      hidden: false,
      turn: 0,
    } as Glyph;
  });
}

const textsOf = (words: readonly Word[]): string[] => words.map(({ text }) => text);

test('capitals set wide apart are the words that they spell', () => {
  expect(textsOf(uprightWords(glyphs('BILLEDTO', (index) => (index === 6 ? 8 : 3))))).toEqual([
    'BILLED',
    'TO',
  ]);
});

test('letters in columns and small letters stay apart', () => {
  expect(textsOf(uprightWords(glyphs('ABCDE', () => 14)))).toHaveLength(5);
  expect(textsOf(uprightWords(glyphs('abcde', () => 3)))).toHaveLength(5);
});

const word = (text: string, x0: number, x1: number, source: Word['source']): Word => ({
  text,
  box: [x0, 90, x1, 100],
  baseline: 98,
  size: 10,
  bold: false,
  turned: false,
  source,
});

test('letters that stand wide on a picture have wide blanks; in a text layer the font size tells', () => {
  const row = (source: Word['source']): Word[] => [
    word('LORONG', 50, 92, source),
    word('NIAGA,', 102.5, 140, source),
    word('JOHOR', 151, 186, source),
    word('RM', 210, 224, source),
  ];
  expect(toSegments(row('recognition')).map(({ text }) => text)).toEqual(['LORONG NIAGA, JOHOR', 'RM']);
  expect(toSegments(row('text_layer'))).toHaveLength(4);
});

test('a colon stands before the word whose box reaches over it', () => {
  const rows = toRows([word('Mr.', 104, 123, 'recognition'), word(':', 104.5, 106, 'recognition')]);
  expect(rows.map(textsOf)).toEqual([[':', 'Mr.']]);
});

test('words and signs of a row have one order, whichever way they come', () => {
  const row = [
    word('Mr.', 104, 123, 'recognition'),
    word(':', 110, 111, 'recognition'),
    word('Tan', 105, 108, 'recognition'),
    word('-', 121, 122, 'recognition'),
  ];
  const orders = [row, row.toReversed(), [row[2]!, row[0]!, row[3]!, row[1]!]];
  const texts = orders.map((words) => toRows(words).map(textsOf).join());
  expect(new Set(texts).size).toBe(1);
});
