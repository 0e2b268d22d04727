import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readLineItems } from '../../../../server/engine/documents/templates/invoice/invoice-items.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';
import { madeDocx, madeHtml, wordParagraph } from '../../../support/documents/made-office.ts';
import { makePdf, parse } from '../helpers.ts';

function itemsOf(draw: (sheet: Sheet) => void) {
  const sheet = new Sheet(420, { size: 9 });
  sheet.at('Description', 20).at('Qty', 200).at('Price', 228).at('Amount', 330).down();
  draw(sheet);
  const { items } = readLineItems(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).map(([name, { value }]) => [name, value])),
  );
}

test('a quantity close to its price is not one number with it', () => {
  const items = itemsOf((sheet) => sheet.at('Oak door', 20).at('3 215.00', 210).at('645.00', 330).down());
  expect(items).toEqual([{ description: 'Oak door', quantity: 3, unit_price: 215, amount: 645 }]);
});

test('a price with a blank between thousands stays one number', () => {
  const items = itemsOf((sheet) =>
    sheet.at('Brass hinge', 20).at('12', 205).at('1 250.00', 225).at('15 000.00', 320).down(),
  );
  expect(items).toEqual([{ description: 'Brass hinge', quantity: 12, unit_price: 1250, amount: 15_000 }]);
});

test('goods whose name looks like a foot are goods where their figures agree', () => {
  const items = itemsOf((sheet) => {
    sheet.at('Oak door', 20).at('1', 205).at('645.00', 230).at('645.00', 330).down();
    sheet.at('Fitting (hours)', 20).at('3', 205).at('60.00', 230).at('180.00', 330).down();
    sheet.at('Varnish', 20).at('2', 205).at('18.00', 230).at('36.00', 330).down();
    sheet.at('Total hours', 20).at('3', 330).down();
  });
  expect(items.map(({ description }) => description)).toEqual(['Oak door', 'Fitting (hours)', 'Varnish']);
});

/** Columns no further apart than words, as a browser sets a table without rules. */
const narrow = [
  [36, 92, 112, 156],
  [36, 98, 121, 175],
];

const bodies = [
  ['Cement', '10', '22.50', '225.00'],
  ['Sand', '2', '50.00', '100.00'],
];

const read = [
  { description: 'Cement', quantity: 10, unit_price: 22.5, amount: 225 },
  { description: 'Sand', quantity: 2, unit_price: 50, amount: 100 },
];

const valuesOfItems = async (bytes: Uint8Array): Promise<unknown> => {
  const { fields } = await parse(bytes, { template: 'invoice' });
  const rows = fields.line_items?.value as unknown as Record<string, { value: unknown }>[];
  return rows?.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.value])),
  );
};

describe('tables of two narrow rows', () => {
  const heads = {
    English: ['Description', 'Qty', 'Unit price', 'Amount'],
    Malay: ['Perkara', 'Kuantiti', 'Harga seunit', 'Jumlah'],
    Chinese: ['描述', '数量', '单价', '金额'],
  };
  const plainText = ['Invoice No: INV-88', 'Date: 5/3/2026'];

  test.each(Object.entries(heads))('HTML with %s headings', async (_, head) => {
    const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    const html = `<h1>Invoice</h1><p>${plainText.join('<br>')}</p><table>${[head, ...bodies].map(row).join('')}</table><p>Total: RM 325.00</p>`;
    expect(await valuesOfItems(madeHtml(html))).toEqual(read);
  });

  test('DOCX', async () => {
    const row = (cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`;
    const body = `${['INVOICE', ...plainText].map((line) => wordParagraph(line)).join('')}<w:tbl>${[heads.English, ...bodies].map(row).join('')}</w:tbl>${wordParagraph('Total: RM 325.00')}`;
    expect(await valuesOfItems(madeDocx(body))).toEqual(read);
  });

  test('PDF', async () => {
    const pdf = await makePdf((_, text) => {
      for (const [at, line] of ['Invoice', ...plainText].entries()) text(line, 34, 60 + 14 * at);
      for (const [at, line] of [heads.English, ...bodies].entries())
        for (const [col, cell] of line.entries()) text(cell, narrow[at === 0 ? 0 : 1]![col]!, 154 + 16 * at);
      text('Total: RM 325.00', 34, 215);
    });
    expect(await valuesOfItems(pdf)).toEqual(read);
  });

  test('one heading of two words that are headings as well stays one', () => {
    const sheet = new Sheet(420, { size: 9 });
    sheet.at('Description of goods', 20).at('Qty', 160).at('Jumlah Harga', 300).down();
    sheet.at('Oak door', 20).at('3', 162).at('645.00', 310).down();
    const { items } = readLineItems(toDocumentText([toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1)]));
    expect(items[0]).toMatchObject({ description: { value: 'Oak door' }, amount: { value: 645 } });
  });
});
