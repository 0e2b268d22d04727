import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import {
  invoiceLikelihood,
  readInvoice,
} from '../../../server/engine/documents/templates/invoice/invoice.ts';
import { receiptPage } from '../../support/documents/sroie.ts';

/** A receipt of the given lines; a line in several parts has wide blanks between them. */
function read(lines: string[][]) {
  const width = 400;
  const placed = lines.flatMap((parts, row) => {
    const blanks = 30 * (parts.length - 1);
    let left = (width - 8 * parts.join('').length - blanks) / 2;
    return parts.map((text) => {
      const box: [number, number, number, number] = [left, 20 * row, left + 8 * text.length, 20 * row + 14];
      left = box[2] + 30;
      return { text, box };
    });
  });
  const edges = [0, width - 8].map((x) => ({
    text: '.',
    box: [x, 900, x + 8, 914] as [number, number, number, number],
  }));
  const receipt = { id: '', company: '', date: '', address: '', total: '', lines: [...placed, ...edges] };
  const reading = toDocumentText([receiptPage(receipt)]);
  return { reading, fields: readInvoice(reading) };
}

const foot = [['TAX INVOICE'], ['BILL NO: 00134609'], ['TOTAL RM 22.25']];

describe('heads of receipts', () => {
  test('a centred line in wide letters is one line', () => {
    const { fields } = read([
      ['B', '&', 'BEST', 'RESTAURANT'],
      ['NO. 12, JALAN SS4/5', 'PETALING JAYA'],
      ['SELANGOR DARUL EHSAN'],
      ...foot,
    ]);
    expect(fields.seller_name?.value).toBe('B & BEST RESTAURANT');
    expect(fields.seller_address?.value).toBe('NO. 12, JALAN SS4/5 PETALING JAYA SELANGOR DARUL EHSAN');
  });

  test.each(['SUN VICTORY SON BHD', 'SUN VICTORY SDN BHX', 'SUN VICTORY S0N BHD'])(
    '%s has the suffix that it must have',
    (name) => {
      const { fields } = read([[name], ['NO. 12, JALAN SS4/5, PETALING JAYA'], ['47301 SELANGOR'], ...foot]);
      expect(fields.seller_name?.value).toBe('SUN VICTORY SDN BHD');
    },
  );

  test('an address behind its label, below the branch and the numbers', () => {
    const { fields } = read([
      ['HAI RAYA SDN BHD'],
      ['KEPONG OUTLET'],
      ['TEL : 03-62636977'],
      ['HQ ADD: LOT 11995, BATU 2, JALAN KAPAR'],
      ['41400 KLANG, SELANGOR'],
      ...foot,
    ]);
    expect(fields.seller_address?.value).toBe('LOT 11995, BATU 2, JALAN KAPAR 41400 KLANG, SELANGOR');
  });

  test('a name broken over lines, its register number, and a line for the telephone', () => {
    const { fields } = read([
      ['AIK HUAT HARDWARE'],
      ['ENTERPRISE (SETIA'],
      ['ALAM) SDN BHD 273500-U (GKJ)'],
      ['A-16-1, TOWER A'],
      ['JALAN INDAH, 40170 SHAH ALAM'],
      ['MOBILE /WHATSAPPS : +6012-918 7937'],
      ...foot,
    ]);
    expect(fields.seller_name?.value).toBe('AIK HUAT HARDWARE ENTERPRISE (SETIA ALAM) SDN BHD');
    expect(fields.seller_address?.value).toBe('A-16-1, TOWER A JALAN INDAH, 40170 SHAH ALAM');
  });

  test('who is named below a whole head and its title is the customer', () => {
    const { fields } = read([
      ['PERNIAGAAN ZHENG HUI'],
      ['NO.59 JALAN PERMAS 9/5'],
      ['81750 JOHOR BAHRU'],
      ['GST NO: 000800589824'],
      ['SIMPLIFIED TAX INVOICE'],
      ['GOGIANT ENGINEERING (M) SDN BHD'],
      ['RECEIPT#: CS00082662'],
      ['TOTAL RM 22.25'],
    ]);
    expect(fields.seller_name?.value).toBe('PERNIAGAAN ZHENG HUI');
    expect(fields.seller_address?.value).toBe('NO.59 JALAN PERMAS 9/5 81750 JOHOR BAHRU');
  });

  test('the owner named below the sign is the seller, goods are no address', () => {
    const { fields } = read([
      ['OLD ASIA'],
      ['OWN BY: CHEF LEE SDN BHD'],
      ['MEMBER OF THE GUILD'],
      ['22241 STREET MAP', '18.00'],
      ...foot,
    ]);
    expect(fields.seller_name?.value).toBe('CHEF LEE SDN BHD');
    expect(fields.seller_address).toBeUndefined();
  });

  test('a firm below the address of its branch; a town that a street without a sign stands above', () => {
    const branch = read([
      ['TQ FOR SHOPPING WITH US'],
      ['UNIT 105, BLOCK A, PUSAT DAGANGAN'],
      ['NO.9, JALAN 16/11, 46350, PETALING JAYA'],
      ['CARELINE : 1800 88 1231'],
      ['OUR NEWS RETAIL SB(306295-X) FKA BISON STORES SB'],
      ...foot,
    ]).fields;
    expect(branch.seller_name?.value).toBe('OUR NEWS RETAIL SB');
    expect(branch.seller_address?.value).toBe(
      'UNIT 105, BLOCK A, PUSAT DAGANGAN NO.9, JALAN 16/11, 46350, PETALING JAYA',
    );
    const relais = read([
      ['RELAIS TOTAL'],
      ['AUTOROUTE RABAT'],
      ['15000 KHEMISSET'],
      ['TEL : 05.22.95.66.66'],
      ['30/03/2018 12:36'],
      ['CAFE CREME', '12.00'],
      ...foot,
    ]).fields;
    expect(relais.seller_name?.value).toBe('RELAIS TOTAL');
    expect(relais.seller_address?.value).toBe('AUTOROUTE RABAT 15000 KHEMISSET');
    expect(relais.invoice_date?.value).toBe('2018-03-30');
  });

  test('a plot number is no company', () => {
    const { fields } = read([
      ['KFA KEDAI'],
      ['PT 1961 JALAN MALINJA'],
      ['45400 SEKINCHAN SELANGOR'],
      ...foot,
    ]);
    expect(fields.seller_name?.value).toBe('KFA KEDAI');
  });
});

test('a receipt without a title is told by what tills print', () => {
  const { reading, fields } = read([
    ['YAM FRESH'],
    ['NO. 145G, JALAN RIMBUNAN RAYA 1'],
    ['GST ID: 001817907200'],
    ['DATE: 2018-03-18', 'DINE IN'],
    ['GRAND TOTAL RM 29.30'],
    ['CASH RM 30.30'],
    ['CHANGE RM 1.00'],
    ['THANK YOU'],
  ]);
  expect(invoiceLikelihood(reading, fields)).toBeGreaterThan(0.5);
  const letter = read([
    ['DEAR MEMBER'],
    ['THANK YOU FOR YOUR LETTER ABOUT THE CHANGE OF ADDRESS'],
    ['YOUR TOTAL BALANCE IS RM 29.30'],
  ]);
  expect(invoiceLikelihood(letter.reading, letter.fields)).toBeLessThan(0.5);
});

test('a colon that stands alone does not part an amount from its label', () => {
  const { fields } = read([['RECEIPT'], ['QTY: 1', 'TOTAL RM', ':', '11.60'], ['SR 6%', '10.94', '0.66']]);
  expect(fields.total?.value).toBe(11.6);
});
