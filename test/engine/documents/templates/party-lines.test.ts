/** Lines of names and addresses with what else stands on them: kinds of error met on strangers' papers. */

import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../../server/engine/documents/templates/invoice/invoice.ts';
import { withHeading } from '../../../../server/engine/documents/templates/invoice/invoice-heading.ts';
import { rankBuyerPlaces } from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { isAddressLike } from '../../../../server/engine/documents/templates/invoice/parties/party-lines.ts';
import { nameOnly } from '../../../../server/engine/documents/templates/invoice/parties/party-name.ts';
import {
  addressOnly,
  namesInLine,
} from '../../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

function read(draw: (sheet: Sheet) => void) {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  draw(sheet);
  return readInvoice(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
}

test.each([
  ['14 Cobden Terrace, Otley LS21 3BN | 07700 900318 | Gas Safe 558120', '14 Cobden Terrace, Otley LS21 3BN'],
  ['8 Canal Works, Brighouse HD6 1PF · 01484 555 019 ·', '8 Canal Works, Brighouse HD6 1PF'],
])('an address ends before a telephone between signs: %s', (line, address) => {
  expect(addressOnly(line)).toBe(address);
});

test('a form behind a dash begins a notice of the law', () => {
  expect(nameOnly('Électricité Ferrandin – SARL au capital de 8 000 €')).toBe('Électricité Ferrandin');
  expect(
    namesInLine('Ferrandin – SARL au capital de 8 000 € – 23 rue des Tanneurs').map(({ text }) => text),
  ).not.toContain('Ferrandin – SARL');
});

test.each(['Rua Direita, 145', 'PO Box771', '811 01 Bratislava', 'Fő tér 3.', 'Mannerheimintie 12 A 4'])(
  'a line of an address: %s',
  (line) => {
    expect(isAddressLike(line)).toBe(true);
  },
);

test('a firm of persons goes on in small print below its own name', () => {
  const fields = read((sheet) => {
    sheet.line('Cantina Valdoro', 'center', { size: 20 });
    for (const line of ['di Pietro Masini & C. S.a.s.', 'Via delle Vigne, 18', '53024 Montalcino (SI)'])
      sheet.line(line, 'center');
    sheet.down().line('Fattura n. 64/2026', 'left').pair('Vino', '24,00').pair('Totale', '24,00');
  });
  expect(fields.seller_name?.value).toBe('Cantina Valdoro di Pietro Masini & C. S.a.s.');
});

test.each([
  ['FERRAMENTA COLOMBO', 'DI COLOMBO ALDO', 'VIA CAVOUR 25', '28845 DOMODOSSOLA VB', 'P.IVA 00555019832'],
  ['RESTORAN SELERA KAMPUNG', 'PAK LANG', '(SA0055501-M)', 'Jalan Besar', '68100 Batu Caves, Selangor'],
])('a name over two lines of one print: %s / %s', (...lines) => {
  const fields = read((sheet) => {
    for (const line of lines) sheet.line(line, 'center');
    sheet.down().pair('Date', '03/04/2025').pair('Nasi', '4,50').pair('TOTAL', '4,50');
  });
  expect(fields.seller_name?.value).toBe(`${lines[0]} ${lines[1]}`);
});

test('the amount of a bill in large print beside an address does not cut it', () => {
  const fields = read((sheet) => {
    sheet.line('Severn Energy Limited, 20 Bakers Quay, Gloucester GL1 2LG', 'left').down(2);
    for (const line of ['Mr Rhys Pugh', 'The Old Chapel', 'Llanwenarth Road']) sheet.line(line, 'left');
    sheet.at('Abergavenny', 50).at('£118.44', 348, { size: 27 }).down();
    sheet.line('NP7 7EF', 'left').down(2).line('Bill number 771022951', 'left');
    sheet.pair('Electricity', '£118.44').pair('Total to pay', '£118.44');
  });
  expect(fields.buyer_address?.value).toBe('The Old Chapel Llanwenarth Road Abergavenny NP7 7EF');
});

test('letters of labels without their signs are the same labels', () => {
  const fields = read((sheet) => {
    sheet.line('Parking des Remparts', 'left', { size: 12 }).line('8 boulevard Saint-Michel', 'left');
    sheet.line('21200 Beaune', 'left').down().pair('Recu n°', '00518842').pair('Ticket n°', '0117 22094');
    sheet.pair('Total TTC', '7,20').pair('Especes', '10,00');
  });
  expect(fields.invoice_number?.value).toBe('00518842');
  expect(fields.amount_paid?.value).toBe(10);
});

test('the firm over the address, with its registers, is the seller rather than a logo elsewhere', () => {
  const fields = read((sheet) => {
    sheet.line('Groen & goed', 'left', { size: 22 }).down();
    for (const line of ['Stichting Elswijk', 'Elswijkerlaan 2', '2061 CT Bloemendaal'])
      sheet.line(line, 'left');
    sheet.down().line('Factuur', 'left', { size: 16 }).line('Factuurnummer 26.0457', 'left');
    sheet.pair('Snoeien', '24,00').pair('Te betalen', '€ 24,00').down(8);
    for (const line of [
      'Hoveniersbedrijf Van der Meulen',
      'Zandvoortselaan 188',
      '2106 AL Heemstede',
      'KvK 34118820, btw NL001882043B17',
    ])
      sheet.line(line, 'left');
  });
  expect(fields.seller_name?.value).toBe('Hoveniersbedrijf Van der Meulen');
});

test('a name in wide letters that were read in parts is one word', () => {
  const sheet = new Sheet(300, { size: 9, margin: 20 });
  for (const [letters, x] of [
    ['P', 60],
    ['E', 72],
    ['LI', 84],
    ['C', 98],
    ['A', 110],
    ['N', 122],
  ] as const)
    sheet.at(letters, x);
  sheet.down().line('Shop 2, 77 The Strand', 'left').line('Manly QLD 4179', 'left').down();
  sheet.pair('Flat white', '5.00').pair('Total', '5.00').pair('Cash', '5.00');
  const reading = withHeading(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  expect(reading.rows[0]!.pieces[0]!.text).toBe('PELICAN');
});

test('goods go elsewhere than the bill: an address below a label of the buyer alone goes before one of delivery', () => {
  const run = (value: string, fromDeliveryLabel: number, fromBuyerLabel: number) => ({
    value,
    pieces: [],
    features: { fromDeliveryLabel, fromBuyerLabel, addressLines: 1 },
  });
  const even = { features: [], bias: 0, trees: [], calibration: [] };
  const ranked = (runs: ReturnType<typeof run>[]) =>
    rankBuyerPlaces(even, runs).map(({ candidate, score }) => [candidate.value, score]);
  expect(ranked([run('ship to', 2, 2), run('bill to', 6, 2)])).toEqual([
    ['bill to', 0],
    ['ship to', -2],
  ]);
  expect(ranked([run('ship to', 2, 2), run('elsewhere', 6, 6)])[0]).toEqual(['ship to', 0]);
});

test('a line of a sign in large print is none of the address below it, though it is called a street', () => {
  const fields = read((sheet) => {
    sheet.line('Magnolia', 'center', { size: 21 }).line('Street', 'center', { size: 24 });
    for (const line of ['1412 Magnolia St', 'New Orleans, LA 70115', '(504) 555-0119'])
      sheet.line(line, 'center');
    sheet.down().line('Check #: 30218', 'left').pair('Gumbo cup', '9.00').pair('TOTAL', '$9.00');
  });
  expect(fields.seller_address?.value).toBe('1412 Magnolia St New Orleans, LA 70115');
});
