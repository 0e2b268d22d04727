/** Chosen names and addresses without what stands beside them, and with what a gap or a line's end parted from them. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import {
  partyContextOf,
  readParties,
} from '../../../../server/engine/documents/templates/invoice/parties/invoice-parties.ts';
import { legalName } from '../../../../server/engine/documents/templates/invoice/parties/legal-name.ts';
import { nameCandidates } from '../../../../server/engine/documents/templates/invoice/parties/name-candidates.ts';
import type { LineRun } from '../../../../server/engine/documents/templates/invoice/parties/place-features.ts';
import { withSigns } from '../../../../server/engine/documents/templates/invoice/parties/signs-of-letters.ts';
import { tidyAddress } from '../../../../server/engine/documents/templates/invoice/parties/tidy-address.ts';
import { tidyPartyName } from '../../../../server/engine/documents/templates/invoice/parties/tidy-name.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

const root = new URL('../../../../', import.meta.url);

/** A page of lines; what stands behind a bar begins another piece. */
function readingOf(lines: readonly string[]) {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const [at, text] of lines.entries()) {
    sheet.y = 100 + 12 * at;
    const [first, second] = text.split(' || ');
    sheet.at(first!, 50);
    if (second) sheet.at(second, 120);
  }
  return toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]);
}

/** The first so many lines of a page as an address. */
function tidied(lines: readonly string[], count: number, name = 'Hale Ltd'): string {
  const context = partyContextOf(readingOf(lines));
  const pieces = context.reading.pieces.filter(({ row, order }) => row < count && order === 0);
  const value = pieces.map(({ text }) => text).join(' ');
  return tidyAddress({ pieces, value, features: { part: 0 } }, name, context).value;
}

describe('an address', () => {
  test.each([
    [
      'with its postcode behind a gap',
      ['4418 76TH AVE SE', 'CALGARY AB || T2C 2X2'],
      2,
      '4418 76TH AVE SE CALGARY AB T2C 2X2',
    ],
    [
      'whose postcode has a letter for its nought',
      ['BOX 518', 'CREEK BC || VOH 1Y0'],
      2,
      'BOX 518 CREEK BC V0H 1Y0',
    ],
    [
      'with its number below the state',
      ['17 Magazine St, New Orleans, LA', '70130'],
      1,
      '17 Magazine St, New Orleans, LA 70130',
    ],
    ['with its country below', ['Plot 6, HARYANA, 122413', 'IN'], 1, 'Plot 6, HARYANA, 122413 IN'],
    ['with its street above', ['A429 Fosse Way', 'Moreton GL56 0QX'], 2, 'A429 Fosse Way Moreton GL56 0QX'],
    [
      'before another',
      ['19 Gympie Road', 'Kedron QLD 4031', '44 Bell Street, Stafford QLD 4053'],
      3,
      '19 Gympie Road Kedron QLD 4031',
    ],
    ['behind a trade', ['Design · Altstadtgasse 31 · 4020 Linz'], 1, 'Altstadtgasse 31 · 4020 Linz'],
    ['behind its name', ['Hale Ltd Dorfstraße 77, 6561 Ischgl'], 1, 'Dorfstraße 77, 6561 Ischgl'],
    [
      'behind a label',
      ['Assurance n° 169 – siège : 8 rue Ampère, 69740 Genas'],
      1,
      '8 rue Ampère, 69740 Genas',
    ],
    ['behind the number of a shop', ['STORE #0417', '3320 E SPRAGUE ST'], 2, '3320 E SPRAGUE ST'],
    [
      'before the place of a branch',
      ['60 Lebar Road Singapore 409051 | Airport branch: 115 Cargo Road'],
      1,
      '60 Lebar Road Singapore 409051',
    ],
    [
      'that is as it should be',
      ['The Old Forge', '3 Mill Lane', 'Leeds LS1 4AB'],
      3,
      'The Old Forge 3 Mill Lane Leeds LS1 4AB',
    ],
  ])('%s', (_, lines, count, wanted) => {
    expect(tidied(lines, count)).toBe(wanted);
  });
});

describe('a name', () => {
  const tidy = (value: string): string => tidyPartyName({ pieces: [], value, features: {} }).value;

  test.each([
    ['十 SANJEEVANI HALL', 'SANJEEVANI HALL'],
    ['Marek Sobotta · nullkabel e.K.', 'nullkabel e.K.'],
    ['c/- Mrs J Rewiti', 'Mrs J Rewiti'],
    ['Chez Odile', 'Chez Odile'],
    ['十月書店', '十月書店'],
  ])('%s', (value, wanted) => {
    expect(tidy(value)).toBe(wanted);
  });

  test('has no form of a bank that stands behind it', () => {
    const context = partyContextOf(
      readingOf(['SINARAN JATI ENTERPRISE', 'Cek kepada SINARAN JATI ENTERPRISE, Bank Selat Berhad 5501']),
    );
    const name: LineRun = nameCandidates(context).find(({ value }) => value === 'SINARAN JATI ENTERPRISE')!;
    expect(legalName(name, context)).toBeNull();
  });

  test('has the signs of its letters that stand elsewhere', () => {
    const { pieces } = readingOf(['SARL MERCIER Frères', 'Tel 1']);
    expect(withSigns('SARL MERCIER Freres', pieces)).toBe('SARL MERCIER Frères');
    expect(withSigns('Frere', pieces)).toBe('Frere');
  });
});

test('a title with stars of a till is no line of an address', () => {
  const lines = ['Kestrel Petroleum Pty Ltd', 'Lot 9 Eyre Highway', 'Ceduna SA 5690', '** 7 TAX INVOICE **'];
  const { seller } = readParties(readingOf(lines));
  expect(seller.address?.value).toBe('Lot 9 Eyre Highway Ceduna SA 5690');
});

/** The first page of a paper that trees of strangers' papers learn from, as it was read. */
function strangersPaper(set: number, file: string) {
  const packed = readFileSync(new URL('models/recipes/parse-starter/strangers.jsonl.gz', root));
  const papers = gunzipSync(packed)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line));
  const { words, ...page } = papers.find((paper) => paper.set === set && paper.file === file).pages[0];
  const marks = { horizontal: [], vertical: [], frames: [], fills: [], slants: [] };
  return toDocumentText([
    {
      ...page,
      ...marks,
      words: words.map(([text, x0, y0, x1, y1, baseline, size, bold, turned, source]: unknown[]) => ({
        text,
        box: [x0, y0, x1, y1],
        baseline,
        size,
        bold: bold === 1,
        turned: turned === 1,
        source,
      })),
      toView: (box: unknown) => box,
    },
  ]);
}

test('a buyer who is told has an address, though a doubtful one', () => {
  const { buyer } = readParties(strangersPaper(11, 'i17.pdf'));
  expect(buyer.address?.value).toBe('台中市西區公益路155巷20號3樓');
});
