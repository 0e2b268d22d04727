/** Requests that ask for several calls: things counted up, pairs, one turn after another. */
import { describe, expect, it } from 'vitest';
import { enumerated, turnsOf } from '../../../../server/engine/chat/reader/enumerated-calls.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const string = { type: 'string' };
const number = { type: 'number' };
const tool = (properties: object) => ({ parameters: { properties } });
const calls = (properties: object, filled: Record<string, unknown>, said: string) =>
  enumerated(tool(properties), filled, said, settings.several);

describe('enumerated', () => {
  it.each([
    ['What is the weather in Kuching and in Ipoh?', 'Ipoh', ['Kuching', 'Ipoh']],
    ['Weather for Kuching, Ipoh and Kuala Lumpur please', 'Kuching', ['Kuching', 'Ipoh', 'Kuala Lumpur']],
    ['Cuaca di Melaka dan di Johor Bahru', 'Melaka', ['Melaka', 'Johor Bahru']],
    ['price of AAPL, MSFT and TSLA', 'AAPL', ['AAPL', 'MSFT', 'TSLA']],
    ['news on “Climate Change” and “Solar Power”', 'Solar Power', ['Climate Change', 'Solar Power']],
    ['Is it raining in Ipoh?', 'Ipoh', ['Ipoh']],
    ['Beritahu cuaca di Azlan dan di Mei Fong.', 'Mei Fong', ['Azlan', 'Mei Fong']],
  ])('%s', (said, value, expected) => {
    expect(calls({ city: string }, { city: value }, said).map(({ city }) => city)).toEqual(expected);
  });

  it('calls for each of the values that an argument names itself', () => {
    const type = { type: 'string', enum: ['annual', 'sick', 'unpaid'] };
    expect(calls({ type }, { type: 'sick' }, 'my annual and sick leave')).toEqual([
      { type: 'annual' },
      { type: 'sick' },
    ]);
    expect(calls({ type }, { type: 'sick' }, 'sick leave, no annual one')).toEqual([{ type: 'sick' }]);
  });

  it('keeps numbers numbers, and other arguments as they are', () => {
    const factorials = calls({ n: { type: 'integer' } }, { n: 5 }, 'factorial of 5, 8 and 1,000');
    expect(factorials).toEqual([{ n: 5 }, { n: 8 }, { n: 1000 }]);
    const filled = { city: 'Ipoh', unit: 'celsius' };
    expect(calls({ city: string, unit: string }, filled, 'in Kuching and Ipoh in celsius')).toEqual([
      { city: 'Kuching', unit: 'celsius' },
      { city: 'Ipoh', unit: 'celsius' },
    ]);
  });

  it('pairs what is told respectively', () => {
    const said = 'population of Japan and India in the next 10 and 20 years respectively';
    expect(calls({ country: string, years: number }, { country: 'Japan', years: 10 }, said)).toEqual([
      { country: 'Japan', years: 10 },
      { country: 'India', years: 20 },
    ]);
  });

  it.each([
    ['distance between Kuching and Ipoh', { from: 'Kuching', to: 'Ipoh' }],
    ['a table with the guests Ali and Siti', { guests: 'Ali' }],
  ])('leaves %s one call', (said, filled) => {
    const properties = Object.fromEntries(Object.keys(filled).map((key) => [key, string]));
    expect(calls(properties, filled, said)).toEqual([filled]);
  });
});

describe('turnsOf', () => {
  it.each([
    [
      'Two triangles. The first triangle has a base of 12. Its height is 5. The second has a base of 18. Can you help?',
      ['The first triangle has a base of 12. Its height is 5.', 'The second has a base of 18.'],
      'Two triangles. Can you help?',
    ],
    [
      'A car drives at 15. A second car drives at 20.',
      ['A car drives at 15.', 'A second car drives at 20.'],
      '',
    ],
  ])('%s', (said, turns, shared) => expect(turnsOf(said, settings.several)).toEqual({ turns, shared }));

  it.each(['His first name is Ali.', 'Book a table on the second floor.', 'The first one, please.'])(
    'finds none in: %s',
    (said) => expect(turnsOf(said, settings.several)).toBe(null),
  );

  it('makes no number of a word', () =>
    expect(calls({ room: number }, { room: 1 }, 'Clean A1, B2 and Carl')).toEqual([{ room: 1 }]));

  it('ends soon on long requests', () => {
    for (const said of [
      '1'.repeat(50_000),
      'A, '.repeat(20_000),
      'first '.repeat(20_000),
      'Aa '.repeat(20_000),
    ]) {
      expect(calls({ city: string }, { city: 'Ipoh' }, said)).toHaveLength(1);
      expect(turnsOf(said, settings.several)).toBe(null);
    }
  });
});
