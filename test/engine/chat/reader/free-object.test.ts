import { expect, test } from 'vitest';
import { pairsOf } from '../../../../server/engine/chat/reader/free-object.ts';

test('an object of the text’s own pairs', () => {
  expect(pairsOf("John has these scores {'math':90, 'art': 75.5} so far")).toEqual({ math: 90, art: 75.5 });
  expect(pairsOf("given Alex':['A of spades', 'K of hearts'], 'Sam': ['2 of clubs']")).toEqual({
    Alex: ['A of spades', 'K of hearts'],
    Sam: ['2 of clubs'],
  });
  expect(pairsOf('name = "Ann", age: 7')).toEqual({ name: 'Ann', age: 7 });
  expect(pairsOf('at 10:30 nothing')).toEqual({});
});
