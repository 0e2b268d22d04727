/** Numbers of invoices, wherever their label stands. */

import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readInvoiceHeader } from '../../../../server/engine/documents/templates/invoice/invoice-header.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

type Line = [text: string, x: number][];

function numberOf(...lines: Line[]): string | undefined {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of lines) {
    for (const [text, x] of line) sheet.at(text, x);
    sheet.down();
  }
  const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
  return readInvoiceHeader(toDocumentText([page])).invoice_number?.value;
}

test('below its label, with another column at the right', () => {
  const labels: Line = [
    ['Invoice Number', 50],
    ['Fore Street', 320],
  ];
  const values: Line = [
    ['INV-0417', 50],
    ['PL22 0BW', 320],
  ];
  expect(numberOf(labels, values)).toBe('INV-0417');
});

test('behind a label whose colon stands apart', () => {
  const number: Line = [
    ['No.', 50],
    [': IV-2502/0118', 120],
  ];
  const date: Line = [
    ['Date', 50],
    [': 26/02/2025', 120],
  ];
  expect(numberOf(number, date)).toBe('IV-2502/0118');
});

test.each([
  ['Schlussrechnung Nr. 2025-0417', '2025-0417'],
  ['Betreft: factuur 25017', '25017'],
  ['N° 2025/0930', '2025/0930'],
  ['# INV-000112', 'INV-000112'],
  ['Faktur #ANT-2025-118842', 'ANT-2025-118842'],
  ['Honorarrechnung Nr. 25-0788', '25-0788'],
  ['Número: A/2025/0093 — Fecha: 30 de junio de 2025', 'A/2025/0093'],
  ['Receipt 004417', '004417'],
  ['Trx: 1184-20-60217', '1184-20-60217'],
  ['DOCUMENTO N. 0482-0031', '0482-0031'],
  ['Núm. factura: R26/0088', 'R26/0088'],
  ['Fatura FT H2026/1184', 'FT H2026/1184'],
  ['Fatura Simplificada FS 3/21877', 'FS 3/21877'],
  ['账单编号: YX202603-00871', 'YX202603-00871'],
  ['RESIT NO : 006613', '006613'],
])('on a line of its own: %s', (line, number) => {
  expect(numberOf([[line, 50]], [['Total 12.00', 50]])).toBe(number);
});

test('behind a word for the paper whose colon stands apart', () => {
  const number: Line = [
    ['Invoice', 50],
    [': INV0061208', 120],
  ];
  expect(numberOf(number, [['Total 12.00', 50]])).toBe('INV0061208');
});

test('below a heading that is the word for number alone', () => {
  const labels: Line = [
    ['NUMERO', 50],
    ['DATA', 200],
  ];
  const values: Line = [
    ['218/2025', 50],
    ['12/11/2025', 200],
  ];
  expect(numberOf(labels, values)).toBe('218/2025');
});

test('a house number is none', () => {
  expect(numberOf([['No. 138, Jalan Besar', 50]], [['Total 12.00', 50]])).toBeUndefined();
});

test('broken after its hyphen, with its end in the line below; less sure where there is no end', () => {
  const number: Line = [['Invoice No: KPS-2026-', 300]];
  expect(numberOf(number, [['0451', 372]])).toBe('KPS-2026-0451');
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  sheet.at('Invoice No: KPS-2026-', 300).down().at('Bill to', 50).down();
  const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
  expect(readInvoiceHeader(toDocumentText([page])).invoice_number).toMatchObject({
    value: 'KPS-2026',
    confidence: 0.5,
  });
});

test.each([
  ['DOCUMENTO N. 0412-0087', '0412-0087'],
  ['nr wydr. 018842', '018842'],
  ['N.º: T-0048213', 'T-0048213'],
  ['No. Struk: 03.118.20417', '03.118.20417'],
  ['Folio no. 22840', '22840'],
  ['NFC-e nº 48317', '48317'],
  ['Kassabonnr. 118204', '118204'],
  ['Kvitto nr 20617', '20617'],
  ['TK-41827033', 'TK-41827033'],
])('of a till: %s', (line, number) => {
  expect(numberOf([[line, 50]])).toBe(number);
});

const labelsOfNumbers = [
  'Inv. no.',
  'Credit memo no.',
  'Fee note no.',
  'RE-Nr.',
  'Honorarnote Nr.',
  'Gutschriftsnummer',
  "Note d'honoraires n°",
  'Recu n°',
  'N° ticket',
  'Factura simplificada nº:',
  'Nº operación:',
  'DOCUMENTO N.',
  'Ricevuta fiscale n.',
  'Pokwitowanie nr',
  'Faktura č.',
  'číslo',
  'Számla sorszáma:',
  'Kuittinumero',
  'Fatura No:',
  'Broj računa:',
  'Bon fiscal nr.',
  'No. Resit Rasmi:',
  '領収書番号',
  'Order number',
  'Our ref:',
];
test.each(labelsOfNumbers)('behind a label of its column: %s', (label) => {
  const line: Line = [
    [label, 50],
    ['0613-0028', 320],
  ];
  expect(numberOf(line)).toBe('0613-0028');
});

test('of an invoice before that of its order', () => {
  expect(numberOf([['Order number: TT-58104', 50]], [['Invoice no: 4471', 50]])).toBe('4471');
});

function dateOf(...lines: Line[]): string | undefined {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of lines) {
    for (const [text, x] of line) sheet.at(text, x);
    sheet.down();
  }
  return readInvoiceHeader(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)])).invoice_date
    ?.value;
}

test('the date of a credit note goes before that of the invoice it is against', () => {
  const own: Line = [['Credit note date: 19 May 2026', 50]];
  expect(dateOf(own, [['Invoice date: 28 April 2026', 50]])).toBe('2026-05-19');
  expect(dateOf([['Date of bill', 50]], [['14 November 2025', 50]])).toBe('2025-11-14');
});

test('the head of a column of dates tells none of the paper', () => {
  const row = (date: string): Line => [
    [date, 50],
    ['Flea tablets', 150],
    ['74.50', 400],
  ];
  const head: Line = [
    ['Date', 50],
    ['Details', 150],
    ['Charge', 400],
  ];
  expect(dateOf([['31 May 2026', 450]], head, row('03/05/26'), row('12/05/26'))).toBe('2026-05-31');
});

test('a date whose print a gap breaks', () => {
  const line: Line = [
    ['18', 50],
    ['Feb 2026 12:54 PM', 90],
  ];
  expect(dateOf([['LAKSA', 50]], line)).toBe('2026-02-18');
});

test.each([
  ['Honorarnote 05/2025', '05/2025'],
  ['Rechnung 2024/1288 23.12.2024', '2024/1288'],
  ['FACTURA SIMPLIFICADA: T25-08841', 'T25-08841'],
  ['Ticket n° 118 447 Le 06/02/2025', '118 447'],
  ['NO FACT 221874', '221874'],
  ['Serie T2 Num.25/09184', '25/09184'],
])('behind its title or label: %s', (line, wanted) => {
  expect(numberOf([[line, 50]])).toBe(wanted);
});

test('below a label whose sign of degrees was lost', () => {
  const [labels, values]: Line[] = [
    [
      ['FACTURE N', 50],
      ['Date', 160],
    ],
    [
      ['FA2503-0047', 50],
      ['18/03/2025', 160],
    ],
  ];
  expect(numberOf(labels!, values!)).toBe('FA2503-0047');
});

test('dates of stays and validity are not the date of the paper', () => {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of ['Anreise 20.12.2024 Abreise 23.12.2024', 'Gültig 15.02.2025', 'Wien, 24.12.2024']) {
    sheet.at(line, 50);
    sheet.down();
  }
  const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
  expect(readInvoiceHeader(toDocumentText([page])).invoice_date?.value).toBe('2024-12-24');
});

test("a browser's own date over the page does not tell how a country writes its dates", () => {
  const sheet = new Sheet(595, { size: 9, margin: 12 });
  sheet.at('11/28/26, 8:00 AM', 20);
  for (let line = 0; line < 8; line += 1) sheet.down();
  sheet.at('Invoice Date: 12/11/2026', 50);
  sheet.down();
  sheet.at('Total: RM 120.00', 50);
  for (let line = 0; line < 40; line += 1) sheet.down();
  sheet.at('Terima kasih', 50);
  const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
  expect(readInvoiceHeader(toDocumentText([page])).invoice_date?.value).toBe('2026-11-12');
});
