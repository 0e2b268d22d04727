/** Receipts and invoices that nobody tuned anything to: kinds of error that were met on them, and floors for whole families. */

import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../server/engine/documents/fields/reading.ts';
import type { Features } from '../../../server/engine/documents/scoring/boosted-trees.ts';
import type { DocumentScoring } from '../../../server/engine/documents/scoring/document-scoring.ts';
import { knownFeatures } from '../../../server/engine/documents/scoring/known-features.ts';
import { readInvoice } from '../../../server/engine/documents/templates/invoice/invoice.ts';
import { amountCandidates } from '../../../server/engine/documents/templates/invoice/invoice-amounts.ts';
import { addressCandidates } from '../../../server/engine/documents/templates/invoice/parties/address-candidates.ts';
import { partyContextOf } from '../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import {
  rivalAddresses,
  rivalNames,
} from '../../../server/engine/documents/templates/invoice/parties/rival-runs.ts';
import {
  addressesInLine,
  addressOnly,
  namesInLine,
} from '../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import { totalCandidates } from '../../../server/engine/documents/templates/invoice/total-candidates.ts';
import { documentScoring } from '../../../server/engine/documents/vocabulary/words.ts';
import { Judge } from '../../bench/documents/judge.ts';
import { measureFamilies, measureStrange } from '../../bench/documents/strangers.ts';
import { makeInvoice } from '../../support/documents/generated/invoices.ts';
import { makeReceipt } from '../../support/documents/generated/receipts.ts';
import { Sheet, toPage } from '../../support/documents/generated/sheet.ts';

const exact = { slip: 0, join: 0, jitter: 0 };

function read(draw: (sheet: Sheet) => void) {
  const sheet = new Sheet(260, { size: 9 });
  draw(sheet);
  return readInvoice(toDocumentText([toPage(sheet, exact, 1)]));
}

const head = (sheet: Sheet): Sheet =>
  sheet
    .line('WANGSA MAJU HARDWARE SDN BHD', 'center', { size: 11 })
    .line('(812345-K)', 'center')
    .line('NO. 8, JALAN 3/27A, SEKSYEN 1', 'center')
    .line('53300 KUALA LUMPUR', 'center')
    .line('TEL: 03-4142 0000', 'center')
    .down();

const items = (sheet: Sheet): Sheet => sheet.pair('Hammer 500g', '24.00').pair('Nails 2in 1kg', '11.80');

describe('kinds of error met on strangers’ papers', () => {
  test('the buyer of a delivery note is not its seller', () => {
    const fields = read((sheet) => {
      head(sheet);
      sheet.line('DELIVERY ORDER', 'center').line('Deliver To: BINA JAYA CONSTRUCTION SDN BHD', 'left');
      sheet.line('LOT 77, JALAN KILANG, 68100 BATU CAVES', 'left').line('Date: 14/03/2024', 'left').down();
      items(sheet).pair('Total', '35.80');
    });
    expect(fields.seller_name?.value).toBe('WANGSA MAJU HARDWARE SDN BHD');
    expect(fields.seller_address?.value).toBe('NO. 8, JALAN 3/27A, SEKSYEN 1 53300 KUALA LUMPUR');
    expect(fields.buyer_name?.value).toBe('BINA JAYA CONSTRUCTION SDN BHD');
  });

  test('amounts of a tax summary are no total', () => {
    const fields = read((sheet) => {
      items(head(sheet))
        .pair('Total Sales (Inclusive GST)', '35.80')
        .pair('Cash', '40.00')
        .pair('Change', '4.20');
      sheet
        .down()
        .line('GST Summary    Amount    Tax', 'left')
        .pair('SR 6%', '33.77   2.03')
        .pair('Total', '33.77   2.03');
    });
    expect(fields.total?.value).toBe(35.8);
  });

  test('amounts of goods that came back are no total', () => {
    const fields = read((sheet) => {
      items(head(sheet))
        .down()
        .line('EXCHANGE', 'left')
        .pair('Saw blade', '-12.50')
        .pair('Exchange amount', '-12.50');
      sheet.down().pair('TOTAL', '23.30').pair('CASH', '25.00').pair('CHANGE', '1.70');
    });
    expect(fields.total?.value).toBe(23.3);
  });

  test('a refund has a negative total', () => {
    const fields = read((sheet) => {
      head(sheet).line('REFUND', 'center').pair('Hammer 500g', '-24.00').pair('Nails 2in 1kg', '-11.80');
      sheet.down().pair('TOTAL RM', '-35.80');
    });
    expect(fields.total?.value).toBe(-35.8);
  });

  test('prices in whole rupiah, in groups of three, are amounts', () => {
    const fields = read((sheet) => {
      sheet.line('WARUNG BU SITI', 'center', { size: 11 }).line('Jl. Merdeka No. 8, Bandung 40111', 'center');
      sheet.down().pair('Kopi', '56.000').pair('Nasi goreng', '54.000').pair('Sub Total', '110.000');
      sheet
        .pair('PB1 10%', '11.000')
        .pair('TOTAL', '121.000')
        .pair('TUNAI', '150.000')
        .pair('KEMBALI', '29.000');
    });
    expect(fields.total?.value).toBe(121_000);
  });

  test('a number of the register is neither name nor address', () => {
    const fields = read((sheet) => {
      sheet.line('SERI EMAS TRADING SDN BHD 201901012345 (1321674-W)', 'left');
      sheet
        .line('12, JALAN BESAR, 08000 SUNGAI PETANI, KEDAH', 'left')
        .line('TEL 04-421 0000', 'left')
        .down();
      items(sheet).pair('Total', '35.80');
    });
    expect(fields.seller_name?.value).toBe('SERI EMAS TRADING SDN BHD');
    expect(fields.seller_address?.value).toBe('12, JALAN BESAR, 08000 SUNGAI PETANI, KEDAH');
  });

  test('a name over two lines of different size is one name', () => {
    const fields = read((sheet) => {
      sheet.line('MAJU JAYA', 'center', { size: 16 }).line('ELECTRICAL SDN BHD', 'center', { size: 11 });
      sheet
        .line('45 & 47, JALAN KENANGA, 31900 KAMPAR, PERAK', 'center')
        .line('TEL: 05-465 0000', 'center')
        .down();
      items(sheet).pair('Total', '35.80');
    });
    expect(fields.seller_name?.value).toBe('MAJU JAYA ELECTRICAL SDN BHD');
  });

  test('the place of a branch is not part of the address', () => {
    const fields = read((sheet) => {
      sheet.line('KEDAI BUKU PELANGI SDN BHD', 'center', { size: 11 }).line('KLUANG BRANCH', 'center');
      sheet
        .line('23, JALAN MERSING, 86000 KLUANG, JOHOR', 'center')
        .line('TEL: 07-772 0000', 'center')
        .down();
      items(sheet).pair('Total', '35.80');
    });
    expect(fields.seller_name?.value).toBe('KEDAI BUKU PELANGI SDN BHD');
    expect(fields.seller_address?.value).toBe('23, JALAN MERSING, 86000 KLUANG, JOHOR');
  });
});

/** Shares of families held back; figures of four papers each are documents-quality's. */
describe('families held back', () => {
  test.each([
    [
      'receipts',
      'first',
      makeReceipt,
      { seller_name: 0.9, seller_address: 0.92, total: 0.97, invoice_date: 0.95 },
    ],
    [
      'receipts',
      'second',
      makeReceipt,
      { seller_name: 0.85, seller_address: 0.83, total: 0.95, invoice_date: 0.95 },
    ],
    [
      'invoices',
      'first',
      makeInvoice,
      { seller_name: 0.95, seller_address: 0.88, buyer_name: 0.93, buyer_address: 0.93, total: 0.97 },
    ],
    [
      'invoices',
      'second',
      makeInvoice,
      { seller_name: 0.96, seller_address: 0.88, buyer_name: 0.95, buyer_address: 0.95, total: 0.97 },
    ],
  ] as const)('%s of the %s set', (_kind, set, make, floors) => {
    const judge = new Judge();
    const shares = measureFamilies({ make, set, papers: 2, judge });
    for (const [field, floor] of Object.entries(floors))
      expect(shares[field], field).toBeGreaterThanOrEqual(floor);
    expect(judge.sureRight / judge.sure).toBeGreaterThan(0.92);
  });

  test.each([
    ['receipts', { seller_name: 0.86, seller_address: 0.84, total: 0.97, invoice_date: 0.97 }],
    [
      'invoices',
      { seller_name: 0.76, seller_address: 0.77, buyer_name: 0.81, buyer_address: 0.77, total: 0.97 },
    ],
  ] as const)('%s of the third set', (kind, floors) => {
    const shares = measureStrange(kind, 4, new Judge());
    for (const [field, floor] of Object.entries(floors))
      expect(shares[field], field).toBeGreaterThanOrEqual(floor);
  });
});

test('below a sender in small print stands the addressee, whose name looks more like a firm', () => {
  const fields = read((sheet) => {
    sheet.line('QualHost AG - Uferweg 40 - 63571 Gelnhausen', 'left', { size: 7 }).down(2);
    for (const line of ['Vivid Labs Ltd.', '93B Chung Road', 'Yuen Long'])
      sheet.line(line, 'left', { size: 9 });
    sheet.down().line('Rechnung', 'left', { size: 14 }).line('Rechnungsnr. 30064443', 'left');
    items(sheet.down()).pair('Gesamtbetrag', '35.80');
  });
  expect(fields.seller_name?.value).toBe('QualHost AG');
  expect(fields.buyer_name?.value).toBe('Vivid Labs Ltd.');
});

describe('seller and buyer of letters', () => {
  const letter = (draw: (sheet: Sheet) => void) => {
    const sheet = new Sheet(595, { size: 9, margin: 50 });
    draw(sheet);
    const row = (name: string, quantity: string, amount: string): Sheet =>
      sheet.at(name, 50).at(quantity, 330).at(amount, 480).down();
    sheet.down(2);
    row('Description', 'Qty', 'Amount');
    row('Hammer 500g', '2', '24.00');
    row('Nails 2in 1kg', '1', '11.80');
    row('', 'Total', '35.80');
    return readInvoice(toDocumentText([toPage(sheet, exact, 1)]));
  };
  const block = (sheet: Sheet, x: number, lines: string[]): void => {
    const { y } = sheet;
    for (const line of lines) sheet.at(line, x).down();
    sheet.y = y;
  };

  test('a label of the address is not part of it', () => {
    const fields = letter((sheet) => {
      block(sheet, 50, ['Ébénisterie Lacombe SARL', 'Siège social : 14 rue des Vignes', '33650 La Brède']);
      sheet.down(5);
      block(sheet, 50, ['Client :', 'Cabinet Morin', '3 rue Haute', '33000 Bordeaux']);
      sheet.down(5).line('FACTURE', 'left', { size: 14 }).line('Facture n° 2024-031', 'left');
    });
    expect(fields.seller_address?.value).toBe('14 rue des Vignes 33650 La Brède');
    expect(fields.buyer_name?.value).toBe('Cabinet Morin');
  });

  test('parties in columns are told by their labels, whichever stands first', () => {
    const fields = letter((sheet) => {
      sheet.line('INVOICE', 'left', { size: 16 }).line('Invoice No: 4471', 'left').down();
      block(sheet, 50, ['Billed to', 'Ravensworth Parish Council', '2 Church Lane', 'Kendal LA9 4AB']);
      block(sheet, 320, ['From', 'Tern & Daughters Ltd', '17 Mill Road', 'Oswestry SY11 2AB']);
      sheet.down(6);
    });
    expect(fields.seller_name?.value).toBe('Tern & Daughters Ltd');
    expect(fields.seller_address?.value).toBe('17 Mill Road Oswestry SY11 2AB');
    expect(fields.buyer_name?.value).toBe('Ravensworth Parish Council');
    expect(fields.buyer_address?.value).toBe('2 Church Lane Kendal LA9 4AB');
  });
});

describe('parts of the lines of a head', () => {
  test('an owner behind a label, a firm before its address and its notice, a number between', () => {
    expect(namesInLine('Operated by: BINA JAYA SDN BHD').map(({ text }) => text)).toContain(
      'BINA JAYA SDN BHD',
    );
    expect(namesInLine('Café Mokka GmbH - Hafenweg 4, 28195 Bremen').map(({ text }) => text)).toContain(
      'Café Mokka GmbH',
    );
    expect(namesInLine('M/s Bina Jaya').map(({ text, label }) => [text, label])).toContainEqual([
      'Bina Jaya',
      'buyer',
    ]);
    expect(namesInLine('Ridge Ltd. Registered in England 0123456').map(({ text }) => text)).toContain(
      'Ridge Ltd',
    );
    expect(namesInLine('KEDAI ABU (123456-A) 12, JALAN BESAR, 08000').map(({ text }) => text)).toContain(
      'KEDAI ABU',
    );
  });

  test('a name behind the words of a sentence or of a label without a colon', () => {
    expect(namesInLine('Please make payment to Kowal Garden Ltd').map(({ text }) => text)).toContain(
      'Kowal Garden Ltd',
    );
    expect(namesInLine('Kunde Vogt KG').map(({ text, label }) => [text, label])).toContainEqual([
      'Vogt KG',
      'buyer',
    ]);
  });

  test('telephones, labels and notices are taken off the lines of an address', () => {
    expect(addressOnly('41270 Temerloh, Johor No. Tel 05-5569 4304')).toBe('41270 Temerloh, Johor');
    expect(addressOnly('Oswestry, NY 64514 (608) 478-0698')).toBe('Oswestry, NY 64514');
    expect(addressOnly('Lieu : 14 rue des Vignes')).toBe('14 rue des Vignes');
    expect(addressOnly('36299 Bideford, UEN 201984425657')).toBe('36299 Bideford');
  });

  test('an address between a name and notices in one line', () => {
    expect(
      addressesInLine('Kowal Ltd. Unit 4, Mill Lane, Kendal LA9 4AB. BRN 700890-T. kowal.co.uk'),
    ).toContain('Unit 4, Mill Lane, Kendal LA9 4AB');
  });

  test('an address behind a name, before a telephone and a number of taxes', () => {
    expect(addressesInLine('Café Mokka GmbH - Hafenweg 4, 28195 Bremen')).toContain(
      'Hafenweg 4, 28195 Bremen',
    );
    expect(addressesInLine('Ridge Ltd, 4 Mill Lane, Kendal LA9 4AB. VAT GB 123 4567 89')).toContain(
      '4 Mill Lane, Kendal LA9 4AB.',
    );
    expect(
      addressesInLine('Ridge Ltd. No 0123456. Registered office: 4 Mill Lane, Kendal LA9 4AB'),
    ).toContain('4 Mill Lane, Kendal LA9 4AB');
  });
});

test('the weights of the pack are of features that are computed', () => {
  const reading = toDocumentText([toPage(makeReceipt(0, 1).sheet, exact, 1)]);
  const context = partyContextOf(reading);
  const scoring = documentScoring();
  const runs = nameCandidates(context);
  const [name] = runs;
  const scores = runs.map(() => 0);
  const [among] = rivalNames(runs, { own: scores, other: scores });
  const addresses = addressCandidates(name!, context);
  const [address] = addresses;
  const likely = { runs: addresses, scores: addresses.map(() => 0) };
  const [addressAmong] = rivalAddresses(likely, likely);
  const [total] = totalCandidates(reading, amountCandidates(reading), null);
  const candidates: Record<keyof DocumentScoring, { features: Features }> = {
    name: name!,
    nameAmong: among!,
    address: address!,
    addressAmong: addressAmong!,
    buyerName: name!,
    buyerNameAmong: among!,
    buyerAddress: address!,
    buyerAddressAmong: addressAmong!,
    total: total!,
  };
  for (const [key, { features }] of Object.entries(candidates)) {
    const of = key as keyof DocumentScoring;
    expect(new Set(Object.keys(features))).toEqual(knownFeatures[of]);
    expect(Object.keys(features)).toEqual(expect.arrayContaining(scoring[of]?.features ?? []));
  }
});
