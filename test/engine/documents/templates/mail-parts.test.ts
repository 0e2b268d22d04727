/** Fields of a mail with an invoice attached come from one of both. */

import { expect, test } from 'vitest';
import { madeEml, madeHtml } from '../../../support/documents/made-office.ts';
import { parse } from '../helpers.ts';

test('fields of the attached invoice are not mixed with the message', async () => {
  const invoice = madeHtml(
    '<h1>Tax Invoice</h1><p>Kedai Ah Seng Sdn Bhd<br>12 Jalan Ipoh, 51200 Kuala Lumpur</p><p>Invoice No: INV-88<br>Date: 15/3/2026</p><p>Total: RM 325.00</p>',
  );
  const { type, fields, warnings } = await parse(madeEml([['invoice.html', invoice]]));
  expect(type).toBe('invoice');
  expect(new Set(Object.values(fields).map(({ page }) => page))).toEqual(new Set([2]));
  expect(fields.seller_name?.value).toBe('Kedai Ah Seng Sdn Bhd');
  expect(warnings).toContain(
    'The mail has several parts: all fields come from the attached file “invoice.html”.',
  );
});

test('a mail without an invoice is read as one document', async () => {
  const { type, warnings } = await parse(madeEml([['note.html', madeHtml('<p>Lunch at noon.</p>')]]));
  expect(type).toBe('generic');
  expect(warnings).toEqual([]);
});
