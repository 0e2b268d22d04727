import { describe, expect, test } from 'vitest';
import { aliasesOf, namedOptions } from '../../../../server/engine/chat/reader/options.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

describe('values that a description names', () => {
  test.each([
    ["The unit of distance. Options: 'miles', 'kilometers'.", ['miles', 'kilometers']],
    ['Type of the scale, either major or minor.', ['major', 'minor']],
    ['Kind of seat, one of window, aisle or middle', ['window', 'aisle', 'middle']],
    ["Name of the city, e.g. 'Paris'", ['Paris']],
    ['The name of the company.', []],
    ['类型为大或中或小', ['大', '中', '小']],
    ['One of brief, extraordinarily_long_name_of_a_thing', []],
  ])('%s', (description, options) =>
    expect(namedOptions({ type: 'string', description }, settings.options)).toEqual(options),
  );

  test('are of words alone', () =>
    expect(namedOptions({ type: 'integer', description: "Options: '1', '2'" }, settings.options)).toEqual(
      [],
    ));
});

test('other words for a value', () => {
  expect(aliasesOf('sf', '快递公司：顺丰sf，圆通yto')).toEqual(['顺丰']);
  expect(aliasesOf('w', 'w = white, b = black')).toEqual(['white']);
  expect(aliasesOf('red', 'Color of the wall')).toEqual([]);
});

test('a description of blanks or joining words alone is soon read', () => {
  const lead = /^/u;
  expect(aliasesOf('x', `中${' '.repeat(200_000)}`)).toEqual([]);
  expect(aliasesOf(' ', ' '.repeat(200_000))).toEqual([]);
  expect(namedOptions({ type: 'string', description: '或'.repeat(5000) + 'a'.repeat(50) }, lead)).toEqual([]);
  expect(namedOptions({ type: 'string', description: ', or'.repeat(20_000) }, lead)).toEqual([]);
});
