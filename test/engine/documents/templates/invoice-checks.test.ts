/** Figures of an invoice that contradict each other, dates that there are not, and lines that name nobody. */

import { expect, test } from 'vitest';
import { madeHtml } from '../../../support/documents/made-office.ts';
import { parse } from '../helpers.ts';

const read = (...lines: string[]) =>
  parse(Buffer.from(['INVOICE', 'Invoice No: INV-7', ...lines].join('\n')), { template: 'invoice' });

test('a total that its parts do not lead to is told and less sure', async () => {
  const { fields, warnings } = await read(
    'Date: 5/3/2026',
    'Subtotal: RM 100.00',
    'SST 8%: RM 8.00',
    'Total: RM 999.00',
  );
  expect(warnings).toEqual([
    'The amounts do not add up: subtotal 100.00 + tax 8.00 = 108.00, but the total is 999.00.',
  ]);
  expect(fields.total).toMatchObject({ value: 999 });
  expect(fields.total!.confidence).toBeLessThan(0.65);
});

test('sums that add up, tax that is part of the price, and a payment before are told nothing of', async () => {
  for (const lines of [
    ['Subtotal: RM 100.00', 'SST 8%: RM 8.00', 'Total: RM 108.00'],
    ['Subtotal: RM 108.00', 'Includes SST 8%: RM 8.00', 'Total: RM 108.00'],
    ['Subtotal: RM 100.00', 'SST 8%: RM 8.00', 'Deposit paid: RM 50.00', 'Total due: RM 58.00'],
  ])
    expect((await read('Date: 5/3/2026', ...lines)).warnings).toEqual([]);
});

test('rows that come to less than the subtotal are told', async () => {
  const row = (cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const invoice = (subtotal: string): Uint8Array => {
    const table = [
      ['Description', 'Qty', 'Unit price', 'Amount'],
      ['Cement', '10', '22.50', '225.00'],
      ['Sand', '2', '50.00', '100.00'],
    ];
    return madeHtml(
      `<h1>Invoice</h1><p>Invoice No: INV-88<br>Date: 5/3/2026</p><table>${table.map(row).join('')}</table><p>Subtotal: RM ${subtotal}</p><p>Total: RM ${subtotal}</p>`,
    );
  };
  expect((await parse(invoice('325.00'), { template: 'invoice' })).warnings).toEqual([]);
  const { fields, warnings } = await parse(invoice('455.00'), { template: 'invoice' });
  expect(warnings).toEqual([
    'The line items do not add up to the subtotal: they come to 325.00, but the subtotal is 455.00. Rows may be missing or misread.',
  ]);
  expect(fields.line_items!.confidence).toBeLessThan(0.6);
});

test('a date that no calendar has is told', async () => {
  const { fields, warnings } = await read('Date: 31/02/2026', 'Total: RM 99.00');
  expect(fields.invoice_date).toBeUndefined();
  expect(warnings).toEqual(['“31/02/2026” is no date of the calendar, so it was not taken as invoice_date.']);
});

test('titles, heads of tables and the number of the paper are no sellers', async () => {
  const table = ['Description   Qty   Unit price   Amount', 'Cement   10   22.50   225.00'];
  const { fields } = await read('Date: 5/3/2026', ...table, 'Total: RM 225.00');
  expect(fields.seller_name).toBeUndefined();
  expect(fields.seller_address).toBeUndefined();
});

test('a table of amounts whose headings nobody knows is told', async () => {
  const row = (cells: string[]): string => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
  const rows = [
    ['Zboží', 'Kusů', 'Kč'],
    ['Cement', '10', '225.00'],
    ['Sand', '2', '100.00'],
  ];
  const html = `<h1>Invoice</h1><p>Invoice No: INV-88<br>Date: 5/3/2026</p><table>${rows.map(row).join('')}</table><p>Total: 325.00</p>`;
  const { fields, warnings } = await parse(madeHtml(html), { template: 'invoice' });
  expect(fields.line_items).toBeUndefined();
  expect(warnings).toEqual([
    'A table on page 1 may hold line items, but its headings are not known, so no line_items were filled.',
  ]);
});

test('what is left of charges and credits is the total of a folio', async () => {
  const { fields } = await read(
    'Date: 15/02/2026',
    'Room charge 8,365.00',
    'Advance 3,000.00',
    'Total 8,365.00 3,000.00',
    'Net Payable 5,365.00',
  );
  expect(fields.total?.value).toBe(5365);
});
