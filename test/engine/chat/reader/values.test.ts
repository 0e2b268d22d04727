import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../../../server/engine/chat/reader/settings.ts';
import { numberOf, timeOf, typedValue } from '../../../../server/engine/chat/reader/values.ts';

const file = new URL('../../../../models/packs/lingua-starter/reader.json', import.meta.url);
const { values: words } = readSettings(JSON.parse(readFileSync(file, 'utf8')));

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
  ['-7', -7],
  ['nobody', undefined],
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

  test('times and words without quotes', () => {
    expect(as('half past four', { type: 'string', description: 'HH:MM' })).toBe('04:30');
    expect(as('“Blue Room”,', { type: 'string' })).toBe('Blue Room');
  });
});
