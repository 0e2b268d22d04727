import { expect, test } from 'vitest';
import { itemsAround, itemsOfLabel } from '../../../../server/engine/chat/reader/lists.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const items = (text: string, ...seeds: string[]) =>
  itemsAround(
    text,
    seeds.map((seed) => ({ start: text.indexOf(seed), end: text.indexOf(seed) + seed.length })),
    settings.amounts,
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

test('what there is of each thing is no part of its name', () => {
  expect(items('Take 225 g oatmeal, 225 g flour, 2 tsp ginger, 1 egg and salt.', 'oatmeal', 'salt')).toEqual([
    'oatmeal',
    'flour',
    'ginger',
    'egg',
    'salt',
  ]);
  expect(
    items('Take 225 g oatmeal, 2 tsp ginger, 110 g butter and 1 egg. Stir.', '225 g oatmeal', '2 tsp ginger'),
  ).toEqual(['oatmeal', 'ginger', 'butter', 'egg']);
  expect(items('Bahan: beras 500 g, daging kisar 300 g, daun sup.', 'beras', 'daun sup')).toEqual([
    'beras',
    'daging kisar',
    'daun sup',
  ]);
  expect(items('Moved: Room 12, Room 14 and Room 16.', 'Room 12', 'Room 16')).toEqual([
    'Room 12',
    'Room 14',
    'Room 16',
  ]);
  expect(items('Pack rope, 2 lamps and a chair.', 'rope', 'a chair')).toEqual(['rope', '2 lamps', 'a chair']);
});

test('a label that the field is called by has the items behind it', () => {
  const isName = (label: string) => label === 'Failed' || label === '议题';
  expect(itemsOfLabel('Run 5. Failed: test_a, test_b. All on Linux.', isName)).toEqual(['test_a', 'test_b']);
  expect(itemsOfLabel('议题：一、打印机更换；二、框架合同。', isName)).toEqual(['打印机更换', '框架合同']);
  expect(itemsOfLabel('Passed: a, b', isName)).toEqual([]);
});
