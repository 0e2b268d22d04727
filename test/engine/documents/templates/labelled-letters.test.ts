/** Key-value pairs of letters, forms and notices written by hand, in English, Malay, Chinese, German and French: labels left of, above and in cells beside their values. */

import { expect, test } from 'vitest';
import type { Document, Page } from '../../../../server/engine/documents/document.ts';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { findTables } from '../../../../server/engine/documents/tables/find-tables.ts';
import { readGeneric } from '../../../../server/engine/documents/templates/generic.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';
import { writtenForms } from '../../../support/documents/written-papers.ts';

const exact = { slip: 0, join: 0, jitter: 0 };
const plain = (text: unknown): string =>
  String(text)
    .toUpperCase()
    .replace(/[^\p{L}\d-]/gu, '');

function read(page: Page) {
  const tables = findTables(page);
  const nothing = { widgets: [], checkboxes: [], barcodes: [], stamps: [], inkSignatures: [] };
  const document: Document = { ...nothing, tables, pages: [page], digitalSignatures: [] };
  return Object.values(readGeneric(document, toDocumentText([page])));
}

test('nearly every pair is found, and nothing else', () => {
  const letters = writtenForms(new URL('../../../fixtures/documents/strange/labelled.txt', import.meta.url));
  let [right, asked, found] = [0, 0, 0];
  for (const letter of letters) {
    const { sheet, truth } = letter.paper();
    const fields = read(toPage(sheet, exact, 1));
    found += fields.length;
    for (const [label, value] of Object.entries(truth)) {
      asked++;
      if (fields.some((one) => plain(one.label).startsWith(plain(label)) && plain(one.raw) === plain(value)))
        right++;
    }
  }
  expect(right / asked).toBeGreaterThan(0.92);
  expect(right / found).toBeGreaterThan(0.97);
});

/** Rows of cells with lines around them. */
function ruled(rows: string[][], isBold: (column: number) => boolean): Page {
  const sheet = new Sheet(400, { margin: 20, size: 9, leading: 2 });
  const left = (column: number): number => 20 + 90 * column;
  const tops = rows.map((cells) => {
    for (const [column, text] of cells.entries()) sheet.at(text, left(column) + 4, { bold: isBold(column) });
    const top = sheet.y - 12;
    sheet.down();
    return top;
  });
  const columns = rows[0]!.length;
  const ends = [...tops, tops.at(-1)! + 18];
  const page = toPage(sheet, exact, 1);
  return {
    ...page,
    horizontal: ends.map((at) => ({ at, from: left(0), to: left(columns) })),
    vertical: Array.from({ length: columns + 1 }, (_, column) => ({
      at: left(column),
      from: ends[0]!,
      to: ends.at(-1)!,
    })),
  };
}
const particulars = [
  ['Name', 'Nur Aisyah', 'Class', '4 Cemerlang'],
  ['School', 'SMK Pauh', 'Year', '2025'],
  ['Guardian', 'Encik Rosli', 'Relation', 'Father'],
];

test('cells of labels and values by turns are pairs where the labels are bold, and none where nothing tells them', () => {
  const pairs = read(ruled(particulars, (column) => column % 2 === 0)).map(({ label, raw }) => [label, raw]);
  expect(pairs).toContainEqual(['Class', '4 Cemerlang']);
  expect(pairs).toContainEqual(['Guardian', 'Encik Rosli']);
  expect(pairs).toHaveLength(6);
  expect(read(ruled(particulars, () => false))).toHaveLength(0);
});

test('the head of a table is no row of labels', () => {
  const sheet = new Sheet(400, { margin: 20 });
  for (const cells of [
    ['Article', 'Colour', 'Size'],
    ['Shirt', 'blue', 'M'],
    ['Coat', 'green', 'L'],
    ['Scarf', 'red', 'S'],
  ]) {
    for (const [column, text] of cells.entries()) sheet.at(text, 20 + 110 * column);
    sheet.down();
  }
  expect(read(toPage(sheet, exact, 1))).toHaveLength(0);
});
