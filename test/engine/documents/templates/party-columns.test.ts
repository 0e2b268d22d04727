/** Parties in columns whose lines do not share their baselines, beside logos, before notices, and the addresses that go with them. */

import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { addressCandidates } from '../../../../server/engine/documents/templates/invoice/parties/address-candidates.ts';
import { partyContextOf } from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { PartyContext } from '../../../../server/engine/documents/templates/invoice/parties/party-context.ts';
import { isAddressLike } from '../../../../server/engine/documents/templates/invoice/parties/party-lines.ts';
import {
  endOfForm,
  isOnlyForm,
} from '../../../../server/engine/documents/templates/invoice/parties/party-name.ts';
import type { LineRun } from '../../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import { rivalAddresses } from '../../../../server/engine/documents/templates/invoice/parties/rival-runs.ts';
import {
  addressOnly,
  namesInLine,
} from '../../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

type Line = [text: string, x: number, y: number, size?: number];

function contextOf(lines: Line[]): PartyContext {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const [text, x, y, size] of lines) {
    sheet.y = y;
    sheet.at(text, x, size === undefined ? {} : { size });
  }
  return partyContextOf(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
}
const named = (context: PartyContext, value: string): LineRun =>
  nameCandidates(context).find((run) => run.value === value)!;
const addressed = (runs: readonly LineRun[], value: string): LineRun =>
  runs.find((run) => run.value === value)!;

test('a label is above its name though lines of another column stand in between', () => {
  const context = contextOf([
    ['To:', 50, 100],
    ['Number 0632', 400, 105],
    ['Mrs J Okoro', 50, 112],
    ['Date 22/08/2025', 400, 117],
    ['15 Gadlys Terrace', 50, 124],
  ]);
  expect(named(context, 'Mrs J Okoro').features).toMatchObject({
    fromBuyerLabel: 1,
    aboveNone: 0,
    linesToAddress: 0,
  });
});

test('a logo in large print is no part of the address beside it', () => {
  const { reading } = contextOf([
    ['Seri Bayu Sdn Bhd', 120, 60, 12],
    ['SB', 50, 76, 24],
    ['No. 17, Jalan Kenari,', 82, 76],
    ['47810 Petaling Jaya', 120, 90],
  ]);
  expect(reading.pieces.map(({ text }) => text)).toContain('No. 17, Jalan Kenari,');
});

test('a word in spaced letters is a word', () => {
  const { reading } = contextOf([['P H O T O G R A P H Y', 50, 60]]);
  expect(reading.pieces[0]!.text).toBe('PHOTOGRAPHY');
});

describe('legal forms', () => {
  test.each([
    ['Lisle & Moor LLP is a limited liability partnership', 'Lisle & Moor LLP'],
    ['Northgate Energy Limited. Registered in Wales', 'Northgate Energy Limited.'],
    ['Bäckerei Holm GmbH & Co. KG, Ulm', 'Bäckerei Holm GmbH & Co. KG'],
  ])('%s ends its name behind the form', (line, name) => {
    expect(line.slice(0, endOfForm(line)!)).toBe(name);
    expect(namesInLine(line).map(({ text }) => text)).toContain(name);
  });

  test('a line that ends with its form does not go on', () => {
    expect(endOfForm('Lisle & Moor LLP')).toBeNull();
    expect(endOfForm('Church Lane')).toBeNull();
  });

  test('a form alone is no name', () => {
    expect(['GmbH & Co. KG', 'Sdn. Bhd.', 'Holm GmbH'].map(isOnlyForm)).toEqual([true, true, false]);
  });
});

test('a name that its form ends in the line below is not whole without it', () => {
  const context = contextOf([
    ['Bäckerei Holm', 50, 60, 14],
    ['GmbH & Co. KG', 50, 76],
    ['Marktstr. 6', 50, 88],
    ['88212 Ravensburg', 50, 100],
  ]);
  const values = nameCandidates(context).map(({ value }) => value);
  expect(values).toContain('Bäckerei Holm GmbH & Co. KG');
  expect(values).not.toContain('Bäckerei Holm');
  const runs = addressCandidates(named(context, 'Bäckerei Holm GmbH & Co. KG'), context);
  expect(runs.some(({ value }) => value.startsWith('GmbH'))).toBe(false);
});

test('a label alone is no name', () => {
  const context = contextOf([
    ['Customer', 50, 60],
    ['Job address', 320, 60],
    ['Glenfern Body Corporate', 50, 72],
  ]);
  const values = nameCandidates(context).map(({ value }) => value);
  expect(values).toContain('Glenfern Body Corporate');
  expect(values).not.toContain('Customer');
  expect(values).not.toContain('Job address');
});

test('a postcode is not taken for a number of taxes', () => {
  expect(addressOnly('7 Maes y Deri, Aberdare, CF44 8HT')).toBe('7 Maes y Deri, Aberdare, CF44 8HT');
  expect(addressOnly('Via Roma 1, 50056 Montelupo C.F. 05512780482')).toBe('Via Roma 1, 50056 Montelupo');
});

const papers: Line[] = [
  ['Harrow Glass Ltd', 50, 60],
  ['4 Mill Lane, Leeds LS5 3BN', 50, 72],
  ['Accounts Payable', 320, 72],
  ['Beck Dental', 320, 60],
  ['22 Tannery Row, Leeds LS12 6AB', 320, 84],
];

test('what stands between a name and an address is told', () => {
  const context = contextOf(papers);
  const seller = addressCandidates(named(context, 'Harrow Glass Ltd'), context);
  const buyer = addressCandidates(named(context, 'Beck Dental'), context);
  expect(addressed(seller, '4 Mill Lane, Leeds LS5 3BN').features).toMatchObject({
    skipped: 0,
    behindName: 25,
  });
  expect(addressed(buyer, '22 Tannery Row, Leeds LS12 6AB').features).toMatchObject({
    skipped: 1,
    skippedPersons: 1,
  });
  expect(addressed(seller, '22 Tannery Row, Leeds LS12 6AB').features).toMatchObject({ skipped: -1 });
});

test('an address right behind a name on its line is told', () => {
  const context = contextOf([['Harrow Glass Ltd · 4 Mill Lane · Leeds LS5 3BN', 50, 760]]);
  const runs = addressCandidates(named(context, 'Harrow Glass Ltd'), context);
  expect(addressed(runs, '4 Mill Lane, Leeds LS5 3BN').features.behindName).toBeLessThan(5);
});

test.each([
  ['Caring for companions since 1986', false],
  ['Tomo 1182, folio 44', false],
  ['46005 Valencia', true],
  ['Tannery Row 22', true],
])('%s is an address: %s', (line, isAddress) => {
  expect(isAddressLike(line)).toBe(isAddress);
});

test('a telephone number behind an address is not part of it', () => {
  expect(addressOnly('92 Newham Street, Portland VIC 3223 | 0491 570 158')).toBe(
    '92 Newham Street, Portland VIC 3223',
  );
  expect(addressOnly('Dorfstr. 5, 04103 Leipzig')).toBe('Dorfstr. 5, 04103 Leipzig');
});

test('a line beside the label of a party begins something else', () => {
  const context = contextOf([
    ['TO:', 50, 60],
    ['KESTREL GARDEN LTD', 100, 60],
    ['UNIT 9, DERWENT ESTATE', 100, 72],
    ['FROM:', 50, 84],
    ['NINGBO 315040, CHINA', 100, 84],
  ]);
  const runs = addressCandidates(named(context, 'KESTREL GARDEN LTD'), context);
  const values = runs.map(({ value }) => value);
  expect(values).toContain('UNIT 9, DERWENT ESTATE');
  expect(values.some((value) => value.startsWith('UNIT 9') && value.includes('NINGBO'))).toBe(false);
});

test('addresses are compared with those of the other name', () => {
  const context = contextOf(papers);
  const [own, other] = ['Harrow Glass Ltd', 'Beck Dental'].map((name) => {
    const runs = addressCandidates(named(context, name), context);
    return { runs, scores: runs.map(({ value }) => (value.startsWith('4 Mill') ? 2 : -3)) };
  });
  const compared = rivalAddresses(own!, other!);
  expect(compared.length).toBeLessThanOrEqual(24);
  expect(addressed(compared, '22 Tannery Row, Leeds LS12 6AB').features).toMatchObject({
    ownGap: -5,
    otherNamed: 1,
    otherSkipped: 1,
  });
  const alone = rivalAddresses(own!, { runs: [], scores: [] });
  expect(alone[0]!.features).toMatchObject({ otherNamed: 0, otherScore: -8 });
});
