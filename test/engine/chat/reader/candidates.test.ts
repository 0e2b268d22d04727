import { describe, expect, test } from 'vitest';
import { candidatesOf, measured } from '../../../../server/engine/chat/reader/candidates.ts';
import { numberPlaces } from '../../../../server/engine/chat/reader/number-places.ts';
import { emptyReading, type Place, type Reading } from '../../../../server/engine/chat/reader/reader.ts';
import { numberOf } from '../../../../server/engine/chat/reader/values.ts';
import { segmentWords } from '../../../../server/engine/chat/reader/words.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const placeOf = (text: string, words: string, score = 0): Place => {
  const start = text.indexOf(words);
  return { text: words, start, end: start + words.length, score };
};

/** A reading that has found one place and knows every other one ten times less likely. */
const found = (text: string, words: string): Reading => ({
  ...emptyReading(),
  best: [placeOf(text, words)],
  place: placeOf(text, words),
  within: (start, end) => ({ text: text.slice(start, end), start, end, score: -2.3 }),
});

/** A text none of whose words is known. */
const readOf = (text: string) => {
  const words = segmentWords(text);
  return { text, words, known: words.map(() => null) };
};

const wordsOf = (text: string, words: string, schema: object) =>
  candidatesOf({ key: 'value', schema: { ...schema } }, found(text, words), readOf(text), settings).map(
    (place) => place.text,
  );

describe('candidates', () => {
  test('of a number are all numbers, whatever was found', () =>
    expect(wordsOf('36 of them, twenty one for -4 or 1,200', 'them', { type: 'integer' })).toEqual([
      'them',
      '36',
      'twenty one',
      '-4',
      '1,200',
    ]));

  test('of words are what stands between their quotes', () =>
    expect(wordsOf('Hang "Blue Herring" in the hall', 'Herring', { type: 'string' })).toContain(
      'Blue Herring',
    ));

  test('of a name are all of its words with capitals', () => {
    expect(wordsOf('Then Ungku Haziq came', 'Ungku', { type: 'string' })).toContain('Ungku Haziq');
    expect(wordsOf('Then Dr. Tan came', 'Tan', { type: 'string' })).toContain('Dr. Tan');
    expect(wordsOf('Umpire G. Bassett left', 'G', { type: 'string' })).toContain('G. Bassett');
    expect(wordsOf("A table at Luigi's tonight", 'Luigi', { type: 'string' })).toContain("Luigi's");
    expect(wordsOf("Luigi's brother came", 'Luigi', { type: 'string' })).toContain('Luigi');
  });

  test('leave out articles, and the name of the field itself', () => {
    expect(wordsOf('due to a signal fault', 'a signal fault', { type: 'string' })).toEqual(['signal fault']);
    expect(wordsOf('with value LX 220 417', 'value LX 220 417', { type: 'string' })).toEqual(['LX 220 417']);
    expect(wordsOf('a value of none', 'value of none', { type: 'string' })).toEqual(['value of none']);
    expect(wordsOf('Hello Meredith, thanks', 'Hello Meredith', { type: 'string' })[0]).toBe('Meredith');
    expect(wordsOf('Lucinda Moor (17)', 'Lucinda Moor (17)', { type: 'string' })).toEqual(['Lucinda Moor']);
    expect(wordsOf('Sample 0091-B. Sample 2', '0091-B', { type: 'string' })).toEqual(['0091-B']);
    expect(wordsOf('of the value C12 here', 'value C12', { type: 'string' })).toEqual(['C12']);
  });

  test('are whole numbers', () =>
    expect(wordsOf('call 014-2239087 now', '014', { type: 'string' })).toEqual(['014-2239087']));

  test('a Chinese name goes on to the end of its clause, not into the verb', () => {
    expect(wordsOf('收货人麦嘉欣，三楼', '麦嘉', { type: 'string' })).toEqual(['麦嘉欣']);
    expect(wordsOf('给韦嘉转1500元', '韦嘉', { type: 'string' })).toEqual(['韦嘉']);
  });
});

test('numbers in words count as one', () =>
  expect(
    numberPlaces('two hundred and five, dua puluh, 三十', settings.values).map(({ end, start }) =>
      'two hundred and five, dua puluh, 三十'.slice(start, end),
    ),
  ).toEqual(['two hundred and five', 'dua puluh', '三十']));

test('a word that every object of JavaScript knows is no number', () => {
  expect(numberPlaces('the constructor failed', settings.values)).toEqual([]);
  expect(numberOf('constructor', settings.values)).toBeUndefined();
});

test.each([
  ['at 5% a year', '5', '5%'],
  ['2.2 tonnes by train', '2.2', '2.2 tonnes'],
  ['236万成交', '236', '236万'],
  ['2.4 million', '2.4', '2.4 million'],
  ['5 people', '5', '5'],
])('the unit of %s', (text, words, whole) =>
  expect(measured(placeOf(text, words), text, settings.values)).toBe(whole),
);

describe('a value ends where it ends', () => {
  const toldOf = (text: string, words: string, key = 'value') =>
    candidatesOf({ key, schema: { type: 'string' } }, found(text, words), readOf(text), settings)[0]!.text;

  test.each([
    ['in the next column', 'Ong Siew Lan   Umur 41', 'Ong Siew Lan   Umur', 'value', 'Ong Siew Lan'],
    [
      'before an open bracket',
      'the Tarn GT (BD64 LLO and so on for long)',
      'Tarn GT (BD64 LLO',
      'value',
      'Tarn GT',
    ],
    ['behind its bracket', 'class 4 (2) today', '4 (2', 'value', '4 (2)'],
    ['with its code', 'Claim HH-90441-C was made', 'HH-90441', 'value', 'HH-90441-C'],
    ['without the mark of a number', 'order #PK-6620 came', '#PK-6620', 'value', 'PK-6620'],
    ['with the mark of a color', 'paint it #FFAA00 now', '#FFAA00', 'value', '#FFAA00'],
    ['without the role before it', 'by Inspector M. Dekker', 'Inspector M. Dekker', 'inspector', 'M. Dekker'],
    ['with another role before it', 'by Nurse Addo', 'Nurse Addo', 'inspector', 'Nurse Addo'],
  ])('%s', (_, text, words, key, value) => expect(toldOf(text, words, key)).toBe(value));

  test('a time is told by its form where the field is one', () => {
    const text = 'We meet Karim at 15:40 in room 7';
    expect(toldOf(text, 'Karim', 'start_time')).toBe('15:40');
    expect(toldOf(text, 'Karim', 'cooking_time')).toBe('Karim');
  });
});

test('an address goes on behind its commas', () => {
  const text = 'moved to 118 Kirkgate, Wakefield WF1, on Monday';
  const places = candidatesOf(
    { key: 'new_address', schema: { type: 'string' } },
    found(text, '118 Kirkgate'),
    readOf(text),
    settings,
  );
  expect(places.map((place) => place.text)).toContain('118 Kirkgate, Wakefield WF1');
});
