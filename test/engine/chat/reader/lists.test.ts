import { expect, test } from 'vitest';
import { itemsAround } from '../../../../server/engine/chat/reader/lists.ts';

const items = (text: string, ...seeds: string[]) =>
  itemsAround(
    text,
    seeds.map((seed) => ({ start: text.indexOf(seed), end: text.indexOf(seed) + seed.length })),
  ).map(({ end, start }) => text.slice(start, end));

test('one item of an enumeration finds the others', () => {
  expect(items('Agenda: accounts, the new fence (RM38,400) and elections.', 'accounts')).toEqual([
    'accounts',
    'the new fence',
    'elections',
  ]);
  expect(items('Present were Dr L. Okafor, Mia Thistle and Jean-Luc Abate.', 'Dr L. Okafor')).toEqual([
    'Dr L. Okafor',
    'Mia Thistle',
    'Jean-Luc Abate',
  ]);
  expect(items('请带上接种本、户口本复印件和照片。', '接种本', '照片')).toEqual([
    '接种本',
    '户口本复印件',
    '照片',
  ]);
});

test('most lines of a list stand for all of it', () => {
  const list = 'Bring:\n- 2 lamps\n- a chair\n- rope (5 m)\nThanks';
  expect(items(list, '2 lamps', 'a chair')).toEqual(['2 lamps', 'a chair', 'rope']);
});

test('numbers of thousands stay whole', () =>
  expect(items('It cost 1,250 and 3,100.', '1,250')).toEqual(['1,250', '3,100']));
