/** Chosen names and addresses with what belongs to them: houses that have names, letters in care of others, legal forms behind a trade. */

import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { addressCandidates } from '../../../../server/engine/documents/templates/invoice/parties/address-candidates.ts';
import { partyContextOf } from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { nameCandidates } from '../../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { PartyContext } from '../../../../server/engine/documents/templates/invoice/parties/party-context.ts';
import type { LineRun } from '../../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import {
  addressOnly,
  namesInLine,
} from '../../../../server/engine/documents/templates/invoice/parties/sender-lines.ts';
import {
  wholeAddress,
  withoutCareOf,
} from '../../../../server/engine/documents/templates/invoice/parties/whole-address.ts';
import { withForm } from '../../../../server/engine/documents/templates/invoice/parties/whole-name.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

function contextOf(lines: readonly string[], x = 50): PartyContext {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const [at, text] of lines.entries()) {
    sheet.y = 100 + 12 * at;
    sheet.at(text, x);
  }
  return partyContextOf(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
}
const named = (context: PartyContext, value: string): LineRun =>
  nameCandidates(context).find((run) => run.value === value)!;
const nobody: ReadonlySet<never> = new Set();

/** The address that begins below the named line, made whole. */
function addressBelow(lines: readonly string[], first: string): string {
  const context = contextOf(lines);
  const name = named(context, lines[0]!);
  const run = addressCandidates(name, context).find(({ value }) => value.startsWith(first))!;
  return wholeAddress(run, name, context, nobody).value;
}

describe('a line between a name and an address', () => {
  test.each([
    [
      'is a house',
      ['Mrs Ada Hale', 'The Old Forge', '3 Mill Lane', 'Leeds LS1 4AB'],
      'The Old Forge 3 Mill Lane',
    ],
    ['is a street', ['Mrs Ada Hale', '5 place du Minage', '17400 Melle'], '5 place du Minage 17400 Melle'],
    [
      'is in care of',
      ['Brf Ekorren', 'c/o Sifferro AB', 'Box 219', '702 11 Täby'],
      'c/o Sifferro AB Box 219',
    ],
    ['is a person', ['Hale Ltd', 'Attn: Tom Fox', '3 Mill Lane', 'Leeds LS1 4AB'], '3 Mill Lane'],
  ])('%s', (_, lines, begins) => {
    const address = addressBelow(lines, lines[2]!);
    expect(address.startsWith(begins)).toBe(true);
  });
});

test('in whose care letters are is not who is billed', () => {
  const context = contextOf(['Brf Ekorren 3', 'c/o Sifferro AB', 'Box 219', '702 11 Täby']);
  const careOf = { pieces: [context.reading.pieces[1]!], value: 'c/o Sifferro AB', features: {} };
  expect(withoutCareOf(careOf, context).value).toBe('Brf Ekorren 3');
});

test.each([
  ['Noronha – Hotelaria, Lda. · Rua Nova 61, Porto', 'Noronha – Hotelaria', 'Noronha – Hotelaria, Lda.'],
  ['Solar – Turismo Rural, Lda. · Rua Nova 61', 'Solar', 'Solar – Turismo Rural, Lda.'],
  ['Cahaya Seri Sdn. Bhd. (1399418-K)', 'Cahaya Seri Sdn', 'Cahaya Seri Sdn. Bhd.'],
  ['Cahaya Seri, an agent of Melati Sdn. Bhd.', 'Cahaya Seri', 'Cahaya Seri'],
])('the form of %s', (line, value, whole) => {
  const { pieces } = contextOf([line]).reading;
  expect(withForm({ pieces: [pieces[0]!], value, features: {} }).value).toBe(whole);
});

test('no name ends within its form', () => {
  const names = namesInLine('Cahaya Seri Sdn. Bhd. 12 Jalan Ria').map(({ text }) => text);
  expect(names).not.toContain('Cahaya Seri Sdn');
});

test('telephone and mail behind an address are taken off in any order', () => {
  expect(addressOnly('Unit 7, Lydeway, Devizes SN10 9TT, 01380 555 0142, a@b.example')).toBe(
    'Unit 7, Lydeway, Devizes SN10 9TT',
  );
});

test('a number of a register before a name is none of it', () => {
  const context = contextOf(['CNPJ: 99.941.827/0001-33 DROGARIA DO CEDRO LTDA']);
  expect(nameCandidates(context).map(({ value }) => value)).toContain('DROGARIA DO CEDRO LTDA');
});

test('a label whose characters stand below each other tells whose name is beside it', () => {
  const sheet = new Sheet(595, { size: 9, margin: 30 });
  for (const [at, letter] of [...'购买方'].entries()) {
    sheet.y = 100 + 12 * at;
    sheet.at(letter, 33);
    sheet.at([...'销售方'][at]!, 361);
    if (at !== 1) continue;
    sheet.at('名称：云岫公司', 52);
    sheet.at('名称：海曜公司', 381);
  }
  const context = partyContextOf(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  expect(named(context, '云岫公司').features).toMatchObject({ behindBuyer: 1, behindSeller: 0 });
  expect(named(context, '海曜公司').features).toMatchObject({ behindBuyer: 0, behindSeller: 1 });
});

test('an address that begins with its postcode goes up to its name, one without it takes that of the next line', () => {
  const shop = ['Amberley Ltd', 'A66 Westbound', 'Coldbeck, Penrith', 'CA11 0ZR'];
  const context = contextOf(shop);
  const code = { pieces: [context.reading.pieces[3]!], value: 'CA11 0ZR', features: { part: 0 } };
  expect(wholeAddress(code, named(context, shop[0]!), context, nobody).value).toBe(
    'A66 Westbound Coldbeck, Penrith CA11 0ZR',
  );
  const deck = contextOf([
    'Gateway Inc',
    '650 N. Wharf Street, Weaver Building, Duluth',
    '55802. Tax 0055023',
  ]);
  const street = {
    pieces: [deck.reading.pieces[1]!],
    value: '650 N. Wharf Street, Weaver Building',
    features: { part: 0 },
  };
  expect(wholeAddress(street, named(deck, 'Gateway Inc'), deck, nobody).value).toBe(
    '650 N. Wharf Street, Weaver Building, Duluth 55802',
  );
  const mall = contextOf(['Gateway Inc', 'USJ Summit, 4 Subang Road', '22241']);
  const place = { ...street, pieces: [mall.reading.pieces[1]!], value: 'USJ Summit, 4 Subang Road' };
  expect(wholeAddress(place, named(mall, 'Gateway Inc'), mall, nobody).value).toBe(
    'USJ Summit, 4 Subang Road',
  );
});
