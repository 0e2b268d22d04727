import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findDates } from '../../../server/engine/documents/fields/dates.ts';
import { toReading } from '../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../server/engine/documents/templates/invoice.ts';
import { type Receipt, receiptPage, sameText } from '../../support/documents/sroie.ts';
import { dataFolder, hasData, makePdf, parse } from './helpers.ts';

describe('invoices', () => {
  test('amounts that add up are sure; a stray larger amount is not the total', async () => {
    const bytes = await makePdf((_page, text) => {
      text('KEDAI CONTOH SDN BHD', 50, 50, 14);
      text('INVOICE', 400, 50, 14);
      text('Invoice No: A-77', 50, 90);
      text('Date: 03/04/2026', 50, 104);
      for (const [row, [label, value]] of [
        ['Subtotal', '100.00'],
        ['Discount', '10.00'],
        ['SST 6%', '5.40'],
        ['Total', '95.40'],
        ['Cash', '200.00'],
        ['Change', '104.60'],
      ].entries()) {
        text(label!, 350, 300 + row * 16);
        text(value!, 480, 300 + row * 16);
      }
    });
    const { fields } = await parse(bytes);
    const values = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
    expect(values).toMatchObject({
      subtotal: 100,
      discount: 10,
      tax: 5.4,
      total: 95.4,
      amount_paid: 200,
      change: 104.6,
    });
    expect(fields.total!.confidence).toBeGreaterThan(0.95);
    expect(fields.invoice_date).toMatchObject({ value: '2026-04-03', raw: '03/04/2026' });
  });

  test('rounding: the amount to pay is the one after it', async () => {
    const bytes = await makePdf((_page, text) => {
      text('WARUNG CONTOH ENTERPRISE', 50, 50, 14);
      text('RECEIPT NO: 1234', 50, 80);
      for (const [row, [label, value]] of [
        ['TOTAL SALES (INCL GST 6%)', '64.13'],
        ['ROUNDING ADJ', '0.02'],
        ['TOTAL', '64.15'],
      ].entries()) {
        text(label!, 50, 300 + row * 16);
        text(value!, 480, 300 + row * 16);
      }
    });
    const { fields } = await parse(bytes, { template: 'invoice' });
    expect(fields.total!.value).toBe(64.15);
  });
});

describe.skipIf(!hasData('doc-invoice2data-dev'))('invoices of doc-invoice2data-dev', () => {
  const cases = ['AmazonWebServices', 'NetpresseInvoice', 'QualityHosting', 'coolblue1', 'free_fiber'];
  test.each(cases)('%s', async (name) => {
    const folder = new URL('doc-invoice2data-dev/', dataFolder);
    const [expected] = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
    const { fields, type } = await parse(readFileSync(new URL(`${name}.pdf`, folder)));
    expect(type).toBe('invoice');
    expect(fields.invoice_number!.value).toBe(expected.invoice_number);
    expect(fields.invoice_date!.value).toBe(expected.date);
    expect(fields.total!.value).toBe(expected.amount);
    expect(fields.currency!.value).toBe(expected.currency);
    if (expected.iban) expect(fields.iban!.value).toBe(expected.iban);
    if (expected.date_due) expect(fields.due_date!.value).toBe(expected.date_due);
    if (expected.vat) expect(String(fields.seller_tax_id!.value)).toBe(expected.vat.replaceAll(' ', ''));
    if (name !== 'AmazonWebServices' && fields.subtotal)
      expect(fields.subtotal.value).toBe(expected.amount_untaxed);
  });
});

describe.skipIf(!hasData('doc-sroie-dev'))('receipts of doc-sroie-dev, from their annotated lines', () => {
  test('date and total above 0.93, names above 0.8, addresses above 0.68', () => {
    const packed = readFileSync(new URL('doc-sroie-dev/receipts.jsonl.gz', dataFolder));
    const receipts: Receipt[] = gunzipSync(packed)
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const right = { company: 0, date: 0, address: 0, total: 0 };
    for (const receipt of receipts) {
      const reading = toReading([receiptPage(receipt)]);
      const fields = readInvoice(reading);
      if (sameText(String(fields.seller_name?.value ?? ''), receipt.company)) right.company++;
      if (sameText(String(fields.seller_address?.value ?? ''), receipt.address)) right.address++;
      if (fields.invoice_date?.value === findDates(receipt.date, reading.dayOrder)[0]?.iso) right.date++;
      if (Math.abs(Number(fields.total?.value) - Number(receipt.total.replace(/[^\d.]/g, ''))) < 0.005)
        right.total++;
    }
    const share = (count: number): number => count / receipts.length;
    expect(share(right.date)).toBeGreaterThan(0.93);
    expect(share(right.total)).toBeGreaterThan(0.93);
    expect(share(right.company)).toBeGreaterThan(0.8);
    expect(share(right.address)).toBeGreaterThan(0.68);
  });
});
