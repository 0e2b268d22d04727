import { describe, expect, test } from 'vitest';
import { findDates, readDayOrder } from '../../../server/engine/quantities/dates.ts';
import {
  findAmounts,
  parseNumber,
  readCurrency,
  readDecimalSign,
} from '../../../server/engine/quantities/numbers.ts';

describe('numbers', () => {
  test.each([
    ['1,234.56', null, 1234.56],
    ['1.234,56', null, 1234.56],
    ['1 234,56', null, 1234.56],
    ["1'234.50", null, 1234.5],
    ['12,50', null, 12.5],
    ['1.234', ',', 1234],
    ['1.234', '.', 1.234],
    ['1,234', '.', 1234],
    ['1.234.567', null, 1234567],
    ['0,125', '.', 0.125],
  ] as const)('%s with decimal sign %s is %d', (text, sign, value) => {
    expect(parseNumber(text, sign)).toBe(value);
  });

  test.each([
    ['Total RM 1,065.20', [1065.2]],
    ['(12.00) and 3.00-', [-12, -3]],
    ['€ -9,32', [-9.32]],
    ['總計185.50', [185.5]],
    ['合計 NTS185', [185]],
    ['€ 399,00', [399]],
    ['on 21.05.14 at 12:30', []],
    ['5,79 zł', [5.79]],
    ['INV-2041', []],
  ])('amounts of %j', (text, values) => {
    expect(
      findAmounts(text, null)
        .filter((a) => a.decimals === 2 || a.currency)
        .map((a) => a.value),
    ).toEqual(values);
  });

  test('the document decides what a sign means', () => {
    expect(readDecimalSign(['257,59', '1.257,59', '59,24'])).toBe(',');
    expect(readDecimalSign(['257.59', '1,257.59'])).toBe('.');
    expect(readDecimalSign(['12 pieces'])).toBeNull();
    expect(readCurrency('Total RM 5.00, all prices in Ringgit')?.code).toBe('MYR');
    expect(readCurrency('Alles in Euro: 5,00 €')?.code).toBe('EUR');
    expect(readCurrency('Total $5.00')?.code).toBe('USD');
    expect(readCurrency('Total $5.00, paid $5.00. ABN 53 118 204 776')?.code).toBe('AUD');
    expect(readCurrency('Total $5.00. Blk 4, Bedok, Singapore 460004')?.code).toBe('SGD');
    expect(readCurrency('Amount ($) 5.00. All prices in Singapore dollars')?.code).toBe('SGD');
    expect(readCurrency('Shipped to Singapore. Total USD 5.00')?.code).toBe('USD');
    expect(readCurrency('Total S$5.00, paid S$6.00')?.code).toBe('SGD');
    expect(readCurrency('Total A$ 5.00')?.code).toBe('AUD');
    expect(readCurrency('Server: RON, table 4')).toBeNull();
    expect(readCurrency('Total 45,00 RON')?.code).toBe('RON');
    expect(readCurrency('Total US$ 5.00, shipped to Singapore')?.code).toBe('USD');
  });
});

describe('dates', () => {
  test.each([
    ['14 March 2026', '2026-03-14'],
    ['7. Mai 2014', '2014-05-07'],
    ['19 april 2014', '2014-04-19'],
    ['02 Juillet 2015', '2015-07-02'],
    ['August 3 , 2014', '2014-08-03'],
    ['5 Ogos 2025', '2025-08-05'],
    ['30 de junio de 2025', '2025-06-30'],
    ['12 settembre 2025', '2025-09-12'],
    ['01 Agustus 2025', '2025-08-01'],
    ['1 grudnia 2024', '2024-12-01'],
    ['2026年3月14日', '2026-03-14'],
    ['2021-01-01', '2021-01-01'],
    ['25/12/2018 8:13:39 PM', '2018-12-25'],
    ['05-AUG-2017', '2017-08-05'],
    ['17/04/18', '2018-04-17'],
  ])('%s', (text, iso) => {
    expect(findDates(text, 'day-first').map((date) => date.iso)).toEqual([iso]);
  });

  test.each(['31/02/2020', '13:45:10', '1-800-22-2828', '192.168.10.200', '99/99/9999'])(
    '%s is no date',
    (text) => {
      expect(findDates(text, 'day-first')).toEqual([]);
    },
  );

  test("day and month order is the document's own", () => {
    expect(readDayOrder(['12/28/2017', '01/02/2017'], 'MYR')).toBe('month-first');
    expect(readDayOrder(['28/12/2017'], 'USD')).toBe('day-first');
    expect(readDayOrder(['01/02/2017'], 'USD')).toBe('month-first');
    expect(findDates('03/04/2020', 'month-first')[0]).toMatchObject({ iso: '2020-03-04', certain: false });
  });
});

test.each([
  ['Rate (KES) 9,500', 'KES'],
  ['₦ 12,000', 'NGN'],
  ['Amount (PHP)', 'PHP'],
])('%s is in %s', (text, code) => {
  expect(readCurrency(text)?.code).toBe(code);
});
