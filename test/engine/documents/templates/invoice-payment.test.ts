import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../../server/engine/documents/templates/invoice/invoice.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

function valuesOf(lines: (string | [label: string, value: string])[]): Record<string, unknown> {
  const sheet = new Sheet(500, { size: 10 });
  sheet.line('INVOICE', 'left').line('Invoice No: 4711', 'left').pair('Total', '120.00').down();
  for (const line of lines)
    if (typeof line === 'string') sheet.line(line, 'left');
    else sheet.at(line[0], sheet.margin).at(line[1], 200).down();
  const fields = readInvoice(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  return Object.fromEntries(
    ['payment_terms', 'bank_name', 'bank_account', 'account_holder'].map((name) => [
      name,
      fields[name]?.value,
    ]),
  );
}

describe('terms of payment', () => {
  test.each([
    ['Payment terms: Net 30', 'Net 30'],
    ['Terms: C.O.D.', 'C.O.D.'],
    ['Terma Bayaran : 14 hari', '14 hari'],
    ['Zahlungsbedingungen: 14 Tage netto', '14 Tage netto'],
    ['Conditions de règlement : 30 jours fin de mois', '30 jours fin de mois'],
    ['付款条件：月结30天', '月结30天'],
    ['Please pay within 21 days', 'pay within 21 days'],
    ['Zahlbar innerhalb von 10 Tagen ohne Abzug', 'Zahlbar innerhalb von 10 Tagen ohne Abzug'],
  ])('%s', (line, value) => {
    expect(valuesOf([line]).payment_terms).toBe(value);
  });

  test.each([
    'Terms and conditions apply',
    'Goods may be exchanged within 7 days',
    'Delivery terms: ex works',
  ])('none: %s', (line) => {
    expect(valuesOf([line]).payment_terms).toBeUndefined();
  });
});

describe('accounts of a bank', () => {
  test('beside their labels', () => {
    const lines: [string, string][] = [
      ['Bank Name', 'Maybank Berhad'],
      ['Account No.', '5140 2299 8801'],
      ['Account Name', 'Kopi Angin Sdn Bhd'],
    ];
    expect(valuesOf(lines)).toMatchObject({
      bank_name: 'Maybank Berhad',
      bank_account: '5140 2299 8801',
      account_holder: 'Kopi Angin Sdn Bhd',
    });
  });

  test('in one line', () => {
    expect(valuesOf(['Bank: CIMB Bank  A/C No: 8001234567'])).toMatchObject({
      bank_name: 'CIMB Bank',
      bank_account: '8001234567',
    });
  });

  test('a customer’s account is none of a bank', () => {
    expect(valuesOf(['Account No: 220001234567']).bank_account).toBeUndefined();
    expect(
      valuesOf(['Please pay to our bank', 'Customer account no: 99887766']).bank_account,
    ).toBeUndefined();
  });

  test('headings beside each other are no values', () => {
    expect(valuesOf(['Nom de la banque  BIC', 'IBAN']).bank_name).toBeUndefined();
  });
});
