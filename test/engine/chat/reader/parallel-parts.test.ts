import { expect, test } from 'vitest';
import { parallelParts } from '../../../../server/engine/chat/reader/parallel-parts.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const first = (text: string) => parallelParts(text, settings)[0];

test('a word with another number each time begins a part', () => {
  const [one, two] = ['Motion 3: a late fee. Carried.', 'Motion 4: sell the trailer. Not put to the vote.'];
  expect(first(`${one} ${two}`)).toEqual([one, two]);
  expect(first('Motion 3: a late fee. Motion 3: carried.')).toBeUndefined();
});

test('clauses and items with as many numbers each are parts', () => {
  expect(
    first('IT moves from floor 2 to floor 5; legal moves from floor 4 to floor 2. Accounts stays.'),
  ).toEqual(['IT moves from floor 2 to floor 5', 'legal moves from floor 4 to floor 2.']);
  expect(first('train 118.40, hotel 96.00, taxi 23.50')).toEqual([
    'train 118.40',
    'hotel 96.00',
    'taxi 23.50',
  ]);
  expect(first('Nothing to part here.')).toBeUndefined();
});
