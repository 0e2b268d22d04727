import { expect, test } from 'vitest';
import { prepareText } from '../../../../server/engine/chat/reader/features.ts';
import { itemsOf, workOut } from '../../../../server/engine/chat/reader/table.ts';
import { WordTable } from '../../../../server/engine/chat/reader/word-table.ts';
import { wordTableBytes } from '../../../support/chat/word-table.ts';

const words = new WordTable(wordTableBytes({}));
const read = (text: string) => prepareText(text, words);
const text =
  'Stock\n\n| item | shelf | price | pieces |\n|---|---|---|---|\n| lamp | A | 12.50 | 4 |\n| chair | B | 40 | 2 |\n| vase | A | 7.25 | 9 |';
const ask = (outcome: 'sum' | 'count' | 'max' | 'min' | 'avg' | 'diff', question: string) => {
  const worked = workOut(outcome, read(question), read(text), read);
  return worked?.value ?? text.slice(worked?.row?.start, worked?.row?.end);
};

test('works out what is asked of a column', () => {
  expect(ask('sum', 'how many pieces in all')).toBe('15');
  expect(ask('avg', 'the average number of pieces')).toBe('5');
  expect(ask('sum', 'the price of everything together')).toBe('59.75');
  expect(ask('diff', 'how far is the price of the lamp from that of the chair')).toBe('27.5');
});

test('finds the row of the highest and lowest', () => {
  expect(ask('max', 'the highest price')).toContain('chair');
  expect(ask('min', 'the lowest price')).toContain('vase');
});

test('has nothing to say without a table', () =>
  expect(workOut('sum', read('how much'), read('One lamp. Two chairs.'), read)).toBeNull());

test('takes lists and tables apart', () => {
  expect(itemsOf(read(text))).toHaveLength(3);
  expect(itemsOf(read(text))[1]).toBe('item | shelf | price | pieces\nchair | B | 40 | 2');
  expect(itemsOf(read('Please bring:\n- 2 lamps\n- a chair\nThanks'))).toEqual(['- 2 lamps', '- a chair']);
  expect(itemsOf(read('Nothing but a sentence.'))).toEqual([]);
});
