import { expect, test } from 'vitest';
import { itemsOfFields, itemsOfLabel } from '../../../../server/engine/chat/reader/lists.ts';
import type { Place } from '../../../../server/engine/chat/reader/reader.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

/** A reading that finds words of the text, each of them likelier than what is around it. */
function readingOf(text: string, seeds: readonly string[]) {
  const places = seeds.map((seed) => {
    const start = text.indexOf(seed);
    return { text: seed, start, end: start + seed.length, score: 0 };
  });
  const scoreOf = (start: number, end: number) =>
    -6 +
    (places.some((each) => each.start === start) ? 3 : 0) +
    (places.some((each) => each.end === end) ? 3 : 0);
  const within = (start: number, end: number, isWhole = false): Place => {
    const found = isWhole ? undefined : places.find((each) => start <= each.start && each.end <= end);
    return found ?? { text: text.slice(start, end), start, end, score: scoreOf(start, end) };
  };
  return { place: places[0]!, places, within };
}

const words = { amounts: settings.amounts, denied: settings.denied.item };

const itemsOf = (text: string, ...fields: { name?: string; seeds: string[] }[]) =>
  itemsOfFields(
    text,
    fields.map(({ name, seeds }) => ({
      reading: readingOf(text, seeds),
      likeness: (label) => Number(label === name),
      others: (label) => Number(fields.some((other) => other.name !== name && other.name === label)),
    })),
    words,
  ).map((items) => items.map(({ end, start }) => text.slice(start, end)));

const items = (text: string, ...seeds: string[]) => itemsOf(text, { seeds })[0];

test('one item of an enumeration finds the others', () => {
  expect(items('Agenda: accounts, the new fence (RM38,400) and elections.', 'accounts')).toEqual([
    'accounts',
    'new fence',
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
  expect(items(list, '2 lamps', 'a chair')).toEqual(['2 lamps', 'chair', 'rope']);
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
  expect(items('Pack rope, 2 lamps and a chair.', 'rope', 'a chair')).toEqual(['rope', '2 lamps', 'chair']);
});

test('a label that the field is called by has the items behind it', () => {
  const labelled = (text: string) =>
    itemsOfLabel(text, (label) => Number(label === 'Failed' || label === '议题'), words.denied).map(
      ({ end, start }) => text.slice(start, end),
    );
  expect(labelled('Run 5. Failed: test_a, test_b. All on Linux.')).toEqual(['test_a', 'test_b']);
  expect(labelled('议题：一、打印机更换；二、框架合同。')).toEqual(['打印机更换', '框架合同']);
  expect(labelled('Passed: a, b')).toEqual([]);
});

test('what leads to the first thing and follows the last one is none of them', () => {
  expect(items('We pass the old mill, the weir and a chapel in the woods.', 'old mill', 'chapel')).toEqual([
    'old mill',
    'weir',
    'chapel',
  ]);
  expect(items('Hi, I would like to enrol Ava and Sofia for the course.', 'Ava', 'Sofia')).toEqual([
    'Ava',
    'Sofia',
  ]);
  expect(items('值班：周一由小田、小杜值班，周末由老范值班。', '小田', '小杜')).toEqual(['小田', '小杜']);
  expect(items('Since Sunday cough, sore throat, no fever.', 'cough', 'sore throat')).toEqual([
    'cough',
    'sore throat',
  ]);
});

test('“and” ends what a sentence counts up', () =>
  expect(
    items(
      'Mr Quayle and Ms Idowu, the inspectors, found mould in the hall and the bathroom.',
      'hall',
      'bathroom',
    ),
  ).toEqual(['hall', 'bathroom']));

test('a thing is of one field alone, and a label of the field that it is likest to', () => {
  expect(
    itemsOf(
      'They bring tents and ropes. We pack maps and lamps.',
      { name: 'theirs', seeds: ['tents', 'ropes'] },
      { name: 'ours', seeds: ['tents', 'maps', 'lamps'] },
    ),
  ).toEqual([
    ['tents', 'ropes'],
    ['maps', 'lamps'],
  ]);
  expect(
    itemsOf('Done: web-01, mail-03. Open: db-01.', { name: 'Open', seeds: ['web-01', 'mail-03'] }),
  ).toEqual([['db-01']]);
});
