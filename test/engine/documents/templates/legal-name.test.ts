/** The firm behind a sign, names over several lines, parties that a label tells, and post boxes. */

import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readInvoice } from '../../../../server/engine/documents/templates/invoice/invoice.ts';
import { partyContextOf } from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { legalName } from '../../../../server/engine/documents/templates/invoice/parties/legal-name.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

type Line = string | [text: string, x: number, size?: number][];

const fieldsOf = (lines: Line[]) => {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of lines) {
    const cells = typeof line === 'string' ? [[line, 50] as const] : line;
    for (const [text, x, size] of cells) sheet.at(text, x, size ? { size } : {});
    sheet.down(1, Math.max(9, ...cells.map(([, , size]) => size ?? 0)));
  }
  const fields = readInvoice(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  const value = (name: string) => fields[name]?.value as string | undefined;
  return {
    seller: value('seller_name'),
    address: value('seller_address'),
    buyer: value('buyer_name'),
  };
};

const body: Line[] = [
  [
    ['INVOICE', 50, 16],
    ['No. 4471', 400],
  ],
  [
    ['Customer', 50],
    ['Date: 4 June 2026', 400],
  ],
  'Mrs A. Pennant',
  '4 Mill Rise',
  'Leeds LS5 3BN',
  [
    ['Tyre', 50],
    ['120.00', 500],
  ],
  [
    ['VAT 20%', 50],
    ['24.00', 500],
  ],
  [
    ['Total', 50],
    ['£144.00', 500],
  ],
];
const head: Line[] = [[['Harbour Tyres', 50, 22]], '14 Quay Road, Whitby YO21 3PU  01947 555 014', ''];

test.each([
  'Harbour Tyres is a trading name of Penhallow Motors Limited. Registered in England no. 09555120.',
  'Penhallow Motors Limited t/a Harbour Tyres, VAT reg. GB 555 0142 97',
  'Harbour Tyres is run by Penhallow Motors Limited (09555120)',
])('the firm behind a trading name is the seller: %s', (notice) => {
  const { seller, address } = fieldsOf([...head, ...body, '', notice]);
  expect(seller).toBe('Penhallow Motors Limited');
  expect(address).toBe('14 Quay Road, Whitby YO21 3PU');
});

test.each([
  [
    'SEKOLAH RENDAH SERI CENDANA',
    'Dikendalikan oleh Cendana Ilmu Sdn. Bhd. (201801005551)',
    'Cendana Ilmu Sdn. Bhd.',
  ],
  ['BERGHOF LADEN', 'Betrieben von der Alpenkost GmbH', 'Alpenkost GmbH'],
])('a line below the sign %s tells the firm', (sign, owner, firm) => {
  expect(fieldsOf([[[sign, 50, 18]], owner, 'Lot 11, Jalan Bukit 2, 75200 Melaka', '', ...body]).seller).toBe(
    firm,
  );
});

test('a name is told with the legal form that another line has of it', () => {
  const foot = 'Harbour Tyres Ltd, 14 Quay Road, Whitby YO21 3PU. Company no. 09555120';
  expect(fieldsOf([...head, ...body, '', foot]).seller).toBe('Harbour Tyres Ltd');
});

test('letters that small print makes two of do not shift the name behind them', () => {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of ['Harbour Tyres', '14 Quay Road, Whitby', 'İİİİ. Harbour Tyres Ltd, Whitby'])
    sheet.line(line, 'left');
  const context = partyContextOf(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  const name = { pieces: [context.reading.pieces[0]!], value: 'Harbour Tyres', features: {} };
  expect(legalName(name, context)?.value).toBe('Harbour Tyres Ltd');
});

test('a sign that no line tells a firm of stays the seller', () => {
  const foot = 'Bank: Wharfe Bank plc, sort code 00-55-12. We are a member of the Tyre Trades Group.';
  expect(fieldsOf([...head, ...body, '', foot]).seller).toBe('Harbour Tyres');
});

test('a line that begins with `and` goes on with the name above it', () => {
  const lines: Line[] = [
    'FERRAMENTA',
    'BERTELLI LUIGI',
    'E NIPOTI S.A.S.',
    'VIA PORTA MOLINO 63',
    '46100 MANTOVA',
  ];
  expect(fieldsOf([...lines, '', 'TOTALE 35,00']).seller).toBe('FERRAMENTA BERTELLI LUIGI E NIPOTI S.A.S.');
});

test('what is received is no name, and who stands behind its label is the buyer', () => {
  const { buyer } = fieldsOf([
    [
      ['Wolfkloof Guest Farm', 50, 17],
      ['RECEIPT', 480],
    ],
    'P.O. Box 155, Montagu 6720',
    [
      ['Date', 50],
      ['17 May 2026', 140],
    ],
    [
      ['Received from', 50],
      ['Mr and Mrs J. van Dyk', 140],
    ],
    [
      ['the sum of', 50],
      ['one thousand five hundred rand only', 140],
    ],
    'R 1 500.00',
  ]);
  expect(buyer).toBe('Mr and Mrs J. van Dyk');
});

test('a motto below the sign is no name', () => {
  const head: Line[] = [
    [['NETTLEBED STORES', 240]],
    [['Proper food, proper close', 240]],
    [['22 High St, Nettlebed', 240]],
    [['RG9 5DA', 240]],
  ];
  expect(fieldsOf([...head, ...body]).seller).toBe('NETTLEBED STORES');
});
