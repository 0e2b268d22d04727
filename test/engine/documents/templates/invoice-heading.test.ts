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
