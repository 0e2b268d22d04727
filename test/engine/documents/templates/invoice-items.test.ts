import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readLineItems } from '../../../../server/engine/documents/templates/invoice/invoice-items.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

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
