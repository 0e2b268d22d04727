import { expect, test } from 'vitest';
import { labelledPairs, pairsOf } from '../../../../server/engine/chat/reader/free-object.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

test('an object of the text’s own pairs', () => {
  expect(pairsOf("John has these scores {'math':90, 'art': 75.5} so far")).toEqual({ math: 90, art: 75.5 });
  expect(pairsOf("given Alex':['A of spades', 'K of hearts'], 'Sam': ['2 of clubs']")).toEqual({
    Alex: ['A of spades', 'K of hearts'],
    Sam: ['2 of clubs'],
  });
  expect(pairsOf('name = "Ann", age: 7')).toEqual({ name: 'Ann', age: 7 });
  expect(pairsOf('at 10:30 nothing')).toEqual({});
});

test('orders one behind another end', () => {
  const pairs = (text: string) => labelledPairs(text, settings.objects);
  expect(pairs('Please: as JSON: name: Tom')).toEqual({ name: 'Tom' });
  expect(Object.keys(pairs('json: '.repeat(20_000)))).toHaveLength(1);
  expect(pairs(`name: Tom${' '.repeat(200)}, age: 3`)).toEqual({ name: 'Tom', age: 3 });
});
