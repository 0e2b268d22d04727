import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../server/engine/documents/templates/invoice/invoice.ts';
import { findDates } from '../../../server/engine/quantities/dates.ts';
import { type Receipt, receiptPage, sameText } from '../../support/documents/sroie.ts';
import { dataFolder, hasData, makePdf, parse, valuesOf } from './helpers.ts';

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
    expect(valuesOf(fields)).toMatchObject({
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

/** Rows of text at fixed columns. */
const rows = (
  text: (value: string, x: number, y: number) => void,
  xs: number[],
  lines: string[][],
  top: number,
): void => {
  for (const [row, values] of lines.entries())
    for (const [col, value] of values.entries()) text(value, xs[col]!, top + row * 18);
};

describe('layouts and languages', () => {
  test('Malay, with discount and sales tax', async () => {
    const bytes = await makePdf((_page, text) => {
      text('SYARIKAT MAJU CONTOH SDN. BHD.', 150, 40, 14);
      text('(Co. Reg. No: 201901999345)', 180, 54, 8);
      text('No. 7, Jalan Rekaan 2, 43000 Kajang, Selangor', 120, 66, 8);
      text('No. Pendaftaran SST: W10-1808-32999123', 180, 90, 8);
      text('INVOIS CUKAI', 250, 120, 14);
      rows(
        text,
        [40],
        [
          ['Kepada:'],
          ['Klinik Sihat Rekaan'],
          ['Lot 12, Jalan Besar'],
          ['71000 Port Dickson, Negeri Sembilan'],
        ],
        150,
      );
      rows(
        text,
        [380],
        [['No. Invois : INV-00231'], ['Tarikh : 5 Ogos 2025'], ['Tarikh Akhir Bayaran : 4 September 2025']],
        150,
      );
      rows(
        text,
        [40, 80, 280, 350, 470],
        [
          ['Bil.', 'Keterangan', 'Kuantiti', 'Harga Seunit (RM)', 'Jumlah (RM)'],
          ['1', 'Sarung tangan getah', '20', '18.50', '370.00'],
          ['2', 'Pelitup muka', '50', '9.90', '495.00'],
        ],
        250,
      );
      rows(
        text,
        [350, 470],
        [
          ['Jumlah Kecil', '865.00'],
          ['Diskaun', '15.00'],
          ['Cukai Jualan 10%', '85.00'],
          ['Jumlah Keseluruhan (RM)', '935.00'],
        ],
        330,
      );
    });
    const { type, fields } = await parse(bytes);
    expect(type).toBe('invoice');
    expect(valuesOf(fields)).toMatchObject({
      invoice_number: 'INV-00231',
      invoice_date: '2025-08-05',
      due_date: '2025-09-04',
      seller_name: 'SYARIKAT MAJU CONTOH SDN. BHD.',
      seller_sst_number: 'W10-1808-32999123',
      buyer_name: 'Klinik Sihat Rekaan',
      currency: 'MYR',
      subtotal: 865,
      discount: 15,
      tax: 85,
      total: 935,
    });
    expect(fields.line_items!.value).toHaveLength(2);
  });

  test('labels over values, number in the title, months first', async () => {
    const bytes = await makePdf((_page, text) => {
      text('Invoice INV/2023/03/0008', 50, 220, 20);
      rows(
        text,
        [50, 180],
        [
          ['Invoice Date:', 'Due Date:'],
          ['03/20/2023', '04/30/2023'],
        ],
        250,
      );
      rows(
        text,
        [50, 250, 330, 410, 490],
        [
          ['Description', 'Quantity', 'Unit Price', 'Taxes', 'Amount'],
          ['Office Chair', '1.00', '150.00', '15%', '$ 150.00'],
          ['Office Lamp', '2.00', '50.00', '15%', '$ 100.00'],
        ],
        300,
      );
      rows(
        text,
        [350, 490],
        [
          ['Untaxed Amount', '$ 250.00'],
          ['Tax 15%', '$ 37.50'],
          ['Total', '$ 287.50'],
        ],
        400,
      );
    });
    const { fields } = await parse(bytes);
    expect(valuesOf(fields)).toMatchObject({
      invoice_number: 'INV/2023/03/0008',
      invoice_date: '2023-03-20',
      due_date: '2023-04-30',
      currency: 'USD',
      subtotal: 250,
      tax: 37.5,
      total: 287.5,
    });
  });

  test('net total, tax and amount due: the last is the total', async () => {
    const bytes = await makePdf((_page, text) => {
      text('Northwind Contoh Ltd', 40, 50, 16);
      rows(
        text,
        [350, 470],
        [
          ['Invoice number', '2025-118'],
          ['Date of issue', '12 June 2025'],
          ['Payment due by', '12 July 2025'],
        ],
        120,
      );
      rows(
        text,
        [380, 470],
        [
          ['Net total', '£1,800.00'],
          ['VAT @ 20%', '£360.00'],
          ['Amount due', '£2,160.00'],
        ],
        270,
      );
    });
    const { fields } = await parse(bytes);
    expect(valuesOf(fields)).toMatchObject({
      subtotal: 1800,
      tax: 360,
      total: 2160,
      currency: 'GBP',
      due_date: '2025-07-12',
    });
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
  test('dates and totals above 0.95, names and addresses above 0.85', () => {
    const packed = readFileSync(new URL('doc-sroie-dev/receipts.jsonl.gz', dataFolder));
    const receipts: Receipt[] = gunzipSync(packed)
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const right = { company: 0, date: 0, address: 0, total: 0 };
    for (const receipt of receipts) {
      const reading = toDocumentText([receiptPage(receipt)]);
      const fields = readInvoice(reading);
      if (sameText(String(fields.seller_name?.value ?? ''), receipt.company)) right.company++;
      if (sameText(String(fields.seller_address?.value ?? ''), receipt.address)) right.address++;
      if (fields.invoice_date?.value === findDates(receipt.date, reading.dayOrder)[0]?.iso) right.date++;
      if (Math.abs(Number(fields.total?.value) - Number(receipt.total.replace(/[^\d.]/g, ''))) < 0.005)
        right.total++;
    }
    const share = (count: number): number => count / receipts.length;
    expect(share(right.date)).toBeGreaterThan(0.95);
    expect(share(right.total)).toBeGreaterThan(0.95);
    expect(share(right.company)).toBeGreaterThan(0.85);
    expect(share(right.address)).toBeGreaterThan(0.85);
  });
});

test.skipIf(!hasData('doc-sroie-dev'))(
  'small print with brackets on a receipt is no machine-readable zone',
  async () => {
    const picture = readFileSync(new URL('doc-sroie-dev/img/049.jpg', dataFolder));
    expect((await parse(picture)).type).toBe('invoice');
  },
  240_000,
);
