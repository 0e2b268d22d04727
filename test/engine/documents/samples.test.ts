import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse, sample, valuesOf } from './helpers.ts';

describe('the sample invoice', () => {
  test('every field, by itself and as an invoice', async () => {
    const bytes = await readFile(sample('invoice'));
    for (const template of [null, 'invoice'] as const) {
      const result = await parse(bytes, { template });
      expect(result.type).toBe('invoice');
      expect(valuesOf(result.fields)).toMatchObject({
        invoice_number: 'KAU-2026-0417',
        invoice_date: '2026-03-14',
        due_date: '2026-04-13',
        purchase_order: 'PO-88213',
        seller_name: 'Kopi Angin Utara Sdn Bhd',
        seller_address: '18, Jalan Teknologi 3/9, Kota Damansara 47810 Petaling Jaya, Selangor',
        seller_sst_number: 'B16-2309-32009981',
        buyer_name: 'Hotel Bayu Senja Berhad',
        buyer_tax_id: 'C29988776050',
        currency: 'MYR',
        subtotal: 4690,
        tax: 375.2,
        total: 5065.2,
        bic: 'BCONMYKL',
      });
      expect(result.fields.total).toMatchObject({ currency: 'MYR', raw: '5,065.20', page: 1 });
      expect(result.fields.total!.confidence).toBeGreaterThan(0.9);
    }
  });

  test('as key-value pairs: every label that stands beside its value', async () => {
    const { fields } = await parse(await readFile(sample('invoice')), { template: 'generic' });
    expect(valuesOf(fields)).toMatchObject({
      invoice_no: 'KAU-2026-0417',
      invoice_date: '2026-03-14',
      due_date: '2026-04-13',
      purchase_order: 'PO-88213',
      sst_no: 'B16-2309-32009981',
      payment_terms: '30 days',
      account_no: '5140 2299 8801',
      total_myr: 5065.2,
    });
    expect(fields.invoice_no).toMatchObject({ label: 'Invoice No.', raw: 'KAU-2026-0417' });
  });

  test('line items and the table', async () => {
    const result = await parse(await readFile(sample('invoice')));
    const items = result.fields.line_items!.value as Record<string, { value: unknown }>[];
    expect(items).toHaveLength(5);
    expect(valuesOf(items[2]!)).toEqual({
      number: '3',
      description: 'Oat milk, barista, 1 litre, case of 12',
      quantity: 10,
      unit_price: 118.8,
      tax_rate: 8,
      amount: 1188,
    });
    expect(result.tables[0]!.rows[0]).toEqual(['No', 'Description', 'Qty', 'Unit Price', 'SST %', 'Amount']);
    expect(result.tables[0]!.rows).toHaveLength(6);
  });

  test('boxes lie where the text is printed', async () => {
    const { fields } = await parse(await readFile(sample('invoice')));
    const [x0, y0, x1, y1] = fields.invoice_number!.bbox;
    // Drawn right-aligned at 545 of 595 points, baseline 92 of 842.
    expect(x1).toBeCloseTo(545 / 595, 2);
    expect(x0).toBeGreaterThan(0.75);
    expect((y0 + y1) / 2).toBeCloseTo(89 / 842, 2);
  });

  test('text in reading order, layout kept', async () => {
    const { text } = await parse(await readFile(sample('invoice')), { outputFormat: 'text' });
    expect(text).toMatch(
      /Kopi Angin Utara Sdn Bhd[\s\S]*Bill To[\s\S]*Description[\s\S]*Total \(MYR\)\s+5,065\.20/,
    );
    expect(text).toMatch(/Invoice No\. {2,}KAU-2026-0417/);
  });
});

describe('the sample form', () => {
  test('fields, checkboxes and radio buttons are read exactly', async () => {
    const result = await parse(await readFile(sample('form')));
    expect(valuesOf(result.fields)).toEqual({
      full_name: 'Nur Aisyah binti Contoh',
      company: 'Hotel Bayu Senja Berhad',
      email: 'aisyah@bayusenja.example',
      arrival: '21/04/2026',
    });
    expect(result.checkboxes.map(({ label, checked }) => [label, checked])).toEqual([
      ['I need a parking space', true],
      ['Vegetarian meal', true],
      ['Wheelchair access', false],
      ['Send me the newsletter', false],
      ['Guest', false],
      ['Contractor', true],
      ['Press', false],
    ]);
    expect(result.checkboxes.every(({ confidence, page }) => confidence === 1 && page === 1)).toBe(true);
  });
});
