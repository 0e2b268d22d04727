/** What the rest of a page says of a name: who is to be paid, who is billed, and what its rivals are like. */

import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import {
  invoiceLikelihood,
  readInvoice,
} from '../../../../server/engine/documents/templates/invoice/invoice.ts';
import { partyContextOf } from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { PartyContext } from '../../../../server/engine/documents/templates/invoice/parties/party-context.ts';
import type { LineRun } from '../../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import { rivalNames } from '../../../../server/engine/documents/templates/invoice/parties/rival-runs.ts';
import {
  addressOnly,
  namesInLine,
} from '../../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

const reading = (lines: (string | [text: string, x: number][])[]) => {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const line of lines) {
    for (const [text, x] of typeof line === 'string' ? [[line, 50] as const] : line) sheet.at(text, x);
    sheet.down();
  }
  return toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]);
};
const runOf = (context: PartyContext, value: string): LineRun =>
  nameCandidates(context).find((run) => run.value === value)!;

const paper = [
  [
    ['Morley Dental Care', 50],
    ['Aire Valley Heating', 320],
  ],
  [
    ['22 Tannery Row', 50],
    ['Bridge Road', 320],
  ],
  [
    ['Leeds LS12 6AB', 50],
    ['Leeds LS5 3BN', 320],
  ],
  [['VAT No GB 811 2204 19', 320]],
  'Total 144.00',
  'Please make cheques payable to Aire Valley Heating',
  'Customer Morley Dental Care',
] satisfies (string | [string, number][])[];

test('a name that is to be paid elsewhere, and one that is billed, are told', () => {
  const context = partyContextOf(reading(paper));
  const [seller, buyer] = ['Aire Valley Heating', 'Morley Dental Care'].map(
    (value) => runOf(context, value).features,
  );
  expect(seller).toMatchObject({ echoPayable: 1, echoBuyer: 0, blockNotice: 1, othersTold: 0 });
  expect(buyer).toMatchObject({ echoPayable: 0, echoBuyer: 1, blockNotice: 0, othersTold: 1 });
});

test('runs are compared with the likeliest one that stands apart from them', () => {
  const runs = nameCandidates(partyContextOf(reading(paper)));
  const score = ({ value }: LineRun): number =>
    value === 'Aire Valley Heating' ? 3 : value === 'Morley Dental Care' ? 1 : -6;
  const compared = rivalNames(runs, { own: runs.map(score), other: runs.map(() => -2) });
  const of = (value: string) => compared.find((run) => run.value === value)!.features;
  expect(of('Aire Valley Heating')).toMatchObject({ ownRank: 0, ownGap: 2, rivalNotice: 0 });
  expect(of('Morley Dental Care')).toMatchObject({ ownRank: 1, ownGap: -2, rivalNotice: 1 });
  expect(compared.length).toBeLessThanOrEqual(24);
});

test('a title close behind a name is not part of it', () => {
  expect(namesInLine('TOKO SINAR AGUNG FAKTUR PENJUALAN').map(({ text }) => text)).toContain(
    'TOKO SINAR AGUNG',
  );
});

test('a label whose colon stands in a column of its own is a label, and the colon no part of what it tells', () => {
  const context = partyContextOf(
    reading([
      [
        ['LADANG MAKMUR', 50],
        ['Your Ref.', 300],
        [': PO 88012', 420],
      ],
      'Total 12.00',
    ]),
  );
  const [name, label] = context.reading.rows[0]!.pieces.map((piece) => context.facts.get(piece)!);
  expect([name!.label, label!.label]).toEqual([false, true]);
  expect(addressOnly(': 12, Jalan Besar')).toBe('12, Jalan Besar');
});

test('thanks behind a name are not part of it', () => {
  expect(namesInLine('Roodborst Ontwerp dankt u hartelijk!').map(({ text }) => text)).toContain(
    'Roodborst Ontwerp',
  );
});

test('labels of electronic invoices that say a party in two ways are labels', () => {
  const context = partyContextOf(
    reading([
      [
        ['Cedente/prestatore (fornitore)', 50],
        ['Cessionario/committente (cliente)', 320],
      ],
      [
        ['销售方信息', 50],
        ['购买方信息', 320],
      ],
      [
        ['銷售方', 50],
        ['客戶名稱', 320],
      ],
    ]),
  );
  for (const row of context.reading.rows) {
    const [seller, buyer] = row.pieces.map((piece) => context.facts.get(piece)!);
    expect([seller!.sellerLabel, buyer!.buyerLabel]).toEqual([true, true]);
  }
});

test.each([
  'Fattura n. 118',
  'FACTURA',
  'Schlussrechnung',
  'Your water bill',
  'Nota Kredit',
  'Gutschrift',
  'KWITANTIE',
  '發票',
])('%s names an invoice', (title) => {
  const titled = reading([title, 'Total 12.00']);
  const plain = reading(['Notes', 'Total 12.00']);
  expect(invoiceLikelihood(titled, readInvoice(titled))).toBeGreaterThan(
    invoiceLikelihood(plain, readInvoice(plain)) + 0.3,
  );
});
