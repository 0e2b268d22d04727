/** Calls for each of the things that a request counts up. */
import { describe, expect, it } from 'vitest';
import { enumerated } from '../../../../server/engine/chat/reader/enumerated-calls.ts';

const string = { type: 'string' };
const tool = (properties: object) => ({ parameters: { properties } });

describe('enumerated', () => {
  it.each([
    ['What is the weather in Kuching and in Ipoh?', 'Ipoh', ['Kuching', 'Ipoh']],
    ['Weather for Kuching, Ipoh and Kuala Lumpur please', 'Kuching', ['Kuching', 'Ipoh', 'Kuala Lumpur']],
    ['Cuaca di Melaka dan di Johor Bahru', 'Melaka', ['Melaka', 'Johor Bahru']],
    ['price of AAPL, MSFT and TSLA', 'AAPL', ['AAPL', 'MSFT', 'TSLA']],
    ['Is it raining in Ipoh?', 'Ipoh', ['Ipoh']],
  ])('%s', (said, value, expected) => {
    const calls = enumerated(tool({ city: string }), { city: value }, said);
    expect(calls.map(({ city }) => city)).toEqual(expected);
  });

  it('keeps numbers numbers, and other arguments as they are', () => {
    expect(enumerated(tool({ n: { type: 'integer' } }), { n: 5 }, 'factorial of 5, 8 and 10')).toEqual([
      { n: 5 },
      { n: 8 },
      { n: 10 },
    ]);
    const both = tool({ city: string, unit: string });
    const calls = enumerated(both, { city: 'Ipoh', unit: 'celsius' }, 'in Kuching and in Ipoh in celsius');
    expect(calls).toEqual([
      { city: 'Kuching', unit: 'celsius' },
      { city: 'Ipoh', unit: 'celsius' },
    ]);
  });

  it.each([
    ['distance between Kuching and Ipoh', { from: 'Kuching', to: 'Ipoh' }],
    ['a table for Ali and Siti, 4 people', { name: 'Ali', people: '4' }],
  ])('leaves %s one call', (said, filled) => {
    const properties = Object.fromEntries(Object.keys(filled).map((key) => [key, string]));
    expect(enumerated(tool(properties), filled, said)).toEqual([filled]);
  });
});
