import { expect, test } from 'vitest';
import { counted, hinted, ledTo, saidSo, valuesOf } from '../../../../server/engine/chat/reader/hints.ts';
import { emptyReading, type Place, type Reading } from '../../../../server/engine/chat/reader/reader.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

/** A reading that prefers one place to all others. */
const prefers = (text: string, words: string): { reading: Reading; places: Place[] } => {
  const start = text.indexOf(words);
  const place = { text: words, start, end: start + words.length, score: 0 };
  const within = (from: number, to: number): Place => ({
    text: text.slice(from, to),
    start: from,
    end: to,
    score: -1.5,
  });
  return { places: [place], reading: { ...emptyReading(), place, best: [place], within } };
};

test.each([
  ['to', 'Fly from Vienna to Lisbon', 'Vienna', 'Lisbon'],
  ['origin', 'Fly to Lisbon from Vienna', 'Lisbon', 'Vienna'],
  ['出发地', '订一张从北京到成都的机票', '成都', '北京'],
  ['doctor', 'Priya sees Dr. Okafor on Monday', 'Priya', 'Dr. Okafor'],
  ['pemilik', 'Sesuai untuk keluarga. Hubungi En. Rahim', 'keluarga', 'En. Rahim'],
  ['start_time', 'Open from 18:00 to 21:30', '21:30', '18:00'],
  ['day', 'Come on Friday with Ann', 'Ann', 'Friday'],
])('the %s of “%s” is not %s but %s', (key, text, wrong, right) => {
  const { places, reading } = prefers(text, wrong);
  const [best] = hinted(key.replace('_', ' '), places, { reading, text, words: settings.hints }).sort(
    (a, b) => b.score - a.score,
  );
  expect(best!.text).toBe(right);
});

test('a name that tells nothing leaves the places as they are', () => {
  const { places, reading } = prefers('Fly from Vienna', 'Vienna');
  expect(hinted('zorvel', places, { reading, text: 'Fly from Vienna', words: settings.hints })).toEqual(
    places,
  );
});

test('of several numbers the one beside the words of the field gains', () => {
  const text = '3 cups of rice and 2 cups of milk';
  const places = ['3', '2'].map((words) => {
    const start = text.indexOf(words);
    return { text: words, start, end: start + 1, score: 0 };
  });
  const [three, two] = counted(places, text, (words) => Number(words.includes('milk')));
  expect(two!.score).toBeGreaterThan(three!.score);
});

test('a list of weekdays is all of the text that are', () => {
  expect(valuesOf('hari', 'Setiap Sabtu dan Ahad, 9 pagi', settings.hints)).toEqual(['Sabtu', 'Ahad']);
  expect(valuesOf('things', 'Sabtu dan Ahad', settings.hints)).toEqual([]);
});

test.each([
  ['from account', 'savings', 'Put 150 into holiday from my savings', true],
  ['to account', 'savings', 'Put 150 into holiday from my savings', false],
  ['to account', 'holiday', 'Put 150 into holiday from my savings', true],
  ['zorvel', 'holiday', 'Put 150 into holiday from my savings', false],
])('the %s is led to “%s” of “%s”: %s', (key, value, text, isLed) =>
  expect(ledTo(key, value, text, settings.hints) > 0).toBe(isLed),
);

test.each([
  ['可养宠物', '两室，可养宠物。', 1],
  ['pets allowed', 'Two rooms, no pets allowed', -1],
  ['parking', 'With parking behind the house', 1],
  ['parking', 'Parking: none', -1],
  ['gift wrapping', 'Gift wrapping: yes.', 1],
  ['parking', 'Parking?', 0],
  ['parking', 'Two rooms', 0],
  ['wheelchair accessible', 'The church is accessible for wheelchairs.', 1],
  ['furnished', 'Two rooms, unfurnished', -1],
  ['goods discarded', 'Door closed. Goods checked, none discarded.', -1],
  ['pets allowed', 'Pets are allowed, subletting is not.', 1],
  ['subletting allowed', 'Pets are allowed, subletting is not.', -1],
  ['rolled back', 'Nothing had to be rolled back.', -1],
  ['diluluskan', 'Cuti itu belum diluluskan.', -1],
  ['temu duga kedua', 'Temu duga kedua tidak perlu.', -1],
  ['已婚', '许晴，未婚，有驾照。', -1],
  ['允许转租', '不得转租。', -1],
  ['夜间锁门', '夜间不锁门。', -1],
  ['包吃', '包吃不包住。', 1],
  ['包住', '包吃不包住。', -1],
])('“%s” is so in “%s”: %d', (name, text, sign) =>
  expect(
    Math.sign(
      saidSo(name, text, {
        negation: settings.classes.negation,
        clause: settings.conditions.saysNo,
        name: settings.denied.name,
      }),
    ),
  ).toBe(sign),
);
