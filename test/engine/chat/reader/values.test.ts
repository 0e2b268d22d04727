import { describe, expect, test } from 'vitest';
import { numberOf, timeOf, typedValue } from '../../../../server/engine/chat/reader/values.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const { values: words } = settings;

test.each([
  ['RM 1,240.50', 1240.5],
  ['four', 4],
  ['two hundred and five', 205],
  ['twenty five thousand', 25000],
  ['a dozen', 12],
  ['empat belas', 14],
  ['dua puluh tiga', 23],
  ['seratus lima', 105],
  ['三十五', 35],
  ['两百零五', 205],
  ['3万', 30000],
  ['三千五', 3500],
  ['两万三', 23000],
  ['三千零五', 3005],
  ['三千五百', 3500],
  ['二十五', 25],
  ['two and a half', 2.5],
  ['2 and a half', 2.5],
  ['-2 and a half', -2.5],
  ['-7', -7],
  ['2-room', 2],
  ['RM38,400', 38400],
  ['one and a half', 1.5],
  ['nobody', undefined],
  ['5 m', 5],
  ['5m', 5e6],
])('the number in “%s”', (text, value) => expect(numberOf(text, words)).toBe(value));

test.each([
  ['7.30 pm', '19:30'],
  ['half past seven in the evening', '19:30'],
  ['quarter to nine', '08:45'],
  ['pukul tujuh setengah malam', '19:30'],
  ['晚上七点半', '19:30'],
  ['14:05', '14:05'],
  ['noon-ish', undefined],
])('the time in “%s”', (text, value) => expect(timeOf(text, words)).toBe(value));

describe('by the schema', () => {
  const as = (text: string, schema: Record<string, unknown>, key = 'x') =>
    typedValue(text, { key, schema }, words);

  test('numbers, and none where there is none', () => {
    expect(as('€ 12', { type: 'number' })).toBe(12);
    expect(as('12.5 kg', { type: 'integer' })).toBeUndefined();
    expect(as('some', { type: 'integer' })).toBeUndefined();
  });

  test('a percentage as a share where one is meant', () => {
    expect(as('5%', { type: 'number' }, 'interest_rate')).toBe(0.05);
    expect(as('5%', { type: 'number', description: 'rate in percent' })).toBe(5);
  });

  test('dates where the schema asks for them', () => {
    expect(as('5 March 2026', { type: 'string', format: 'date' })).toBe('2026-03-05');
    expect(as('5 March 2026', { type: 'string', description: 'as YYYY-MM-DD' })).toBe('2026-03-05');
    expect(as('5 March 2026', { type: 'string' }, 'due_date')).toBe('5 March 2026');
  });

  test('dates and currencies as a description writes them', () => {
    const on = (text: string, description: string) => as(text, { type: 'string', description });
    expect(on('July 10, 2022', 'The format is MM-DD-YYYY.')).toBe('07-10-2022');
    expect(on('15th October 2023', 'Format - DD/MM/YYYY')).toBe('15/10/2023');
    expect(on('US dollars', 'Currency code to convert from')).toBe('USD');
    expect(on('ringgit', 'Kod mata wang')).toBe('MYR');
    expect(on('US dollars', 'What was paid')).toBe('US dollars');
  });

  test('a day is of the year that the text tells', () => {
    const on = (words_: string, context: string) =>
      typedValue(words_, { key: 'due', schema: { type: 'string', format: 'date' }, context }, words);
    expect(on('10 November', 'Sent 2 May 2026. Due 10 November.')).toBe('2026-11-10');
    expect(on('12月5日', '2026年11月3日')).toBe('2026-12-05');
    expect(on('10 November', '2 May 2026 or 3 May 2027')).toBeUndefined();
    expect(on('6月14日', '6月14日（2025年）')).toBe('2025-06-14');
    expect(on('四月二十日', '二〇二五年四月二十日')).toBe('2025-04-20');
  });

  test('a day alone is of the month beside it', () => {
    const on = (words_: string, context: string) =>
      typedValue(words_, { key: 'day', schema: { type: 'string', format: 'date' }, context }, words);
    expect(on('6', 'absent on 6 and 7 November 2024')).toBe('2024-11-06');
    expect(on('9th', 'out on 2 June 2025, back on the 9th')).toBe('2025-06-09');
    expect(on('9th', 'back on the 9th')).toBeUndefined();
  });

  test('words that are in no form which the schema wants are no value', () => {
    const format = (said: string, name: string) => as(said, { type: 'string', format: name });
    expect(format('Monday', 'date')).toBeUndefined();
    expect(format('soon', 'email')).toBeUndefined();
    expect(format('www.a.com/b', 'uri')).toBe('https://www.a.com/b');
    expect(format('half past nine', 'time')).toBe('09:30:00Z');
    expect(format('3 May 2025 at 8:40', 'date-time')).toBe('2025-05-03T08:40:00Z');
    expect(as('7', { type: 'integer', maximum: 5 })).toBeUndefined();
  });

  test('months and languages as a description writes them', () => {
    const on = (text: string, description: string) => as(text, { type: 'string', description });
    expect(on('November 2024', 'YYYY-MM')).toBe('2024-11');
    expect(on('德语', 'ISO 639-1 code')).toBe('de');
    expect(on('德语', 'Language')).toBe('德语');
  });

  test.each<[string, string, number | undefined]>([
    ['half an hour', 'minutes', 30],
    ['satu jam lima belas minit', 'baking_minutes', 75],
    ['three weeks', 'payment_days', 21],
    ['半小时', 'minutes', 30],
    ['一公斤', 'grams', 1000],
    ['90 minutes', 'minutes', 90],
    ['2.4 kg', 'weight_kg', 2.4],
    ['K-17', 'count', undefined],
  ])('“%s” for %s', (said, key, value) => expect(as(said, { type: 'number' }, key)).toBe(value));

  test('words without the label before them', () => {
    expect(as('Room: Blue', { type: 'string' })).toBe('Blue');
    expect(as('https://a.example', { type: 'string' })).toBe('https://a.example');
  });

  test('times and words without quotes', () => {
    expect(as('half past four', { type: 'string', description: 'HH:MM' })).toBe('04:30');
    expect(as('“Blue Room”,', { type: 'string' })).toBe('Blue Room');
  });
});
