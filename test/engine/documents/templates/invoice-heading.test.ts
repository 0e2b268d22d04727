/** Names in the head of an invoice that share their row with its title. */

import { expect, test } from 'vitest';
import { makePdf, parse, valuesOf } from '../helpers.ts';

test('a title beside a name of two lines is no part of the name', async () => {
  const pdf = await makePdf((_, text) => {
    text('Kedai Perabot Sinar Sdn', 61, 85, 24);
    text('TAX INVOICE', 420, 85, 18);
    text('Bhd', 61, 113, 24);
    text('Invoice No: KPS-2026-0451', 420, 113);
    text('No 12, Jalan Tun Razak, 50400 Kuala Lumpur', 61, 140);
    text('Date: 14/03/2026', 420, 140);
    text('Total Payable', 360, 412);
    text('RM 7,047.59', 481, 412);
  });
  const { fields } = await parse(pdf);
  expect(valuesOf(fields)).toMatchObject({ seller_name: 'Kedai Perabot Sinar Sdn Bhd' });
});

test('parties side by side in the middle of the page are columns, not one line', async () => {
  const columns = [60, 240, 420];
  const rows = [
    ['From', 'Customer', 'Site'],
    ['Coorong Plumbing & Gas Pty Ltd', 'Lakeside Childcare Co-operative', 'Heron Room'],
    ['Unit 3, 58 Merri Road', '21 Wattle Drive', '9 Sand Close'],
    ['Shepparton VIC 3630', 'Kialla VIC 3631', 'Kialla VIC 3631'],
  ];
  const pdf = await makePdf((_, text) => {
    text('TAX INVOICE', 430, 60, 18);
    text('Invoice No: INV-10632', 60, 100);
    text('Date: 12/05/2026', 420, 100);
    for (const [row, cells] of rows.entries())
      for (const [at, cell] of cells.entries()) text(cell, columns[at]!, 140 + 14 * row);
    text('Labour', 60, 260);
    text('413.00', 480, 260);
    text('Total', 60, 300);
    text('$413.00', 480, 300);
  });
  expect(valuesOf((await parse(pdf)).fields)).toMatchObject({
    seller_name: 'Coorong Plumbing & Gas Pty Ltd',
    buyer_name: 'Lakeside Childcare Co-operative',
  });
});
