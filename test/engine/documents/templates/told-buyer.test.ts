/** The block that a label says is the buyer's. */

import { expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { toldBuyer } from '../../../../server/engine/documents/templates/invoice/parties/told-buyer.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';

function toldOf(...pairs: [label: string, value: string][]): string[] {
  const sheet = new Sheet(595, { size: 9, margin: 50 });
  for (const [label, value] of pairs) {
    sheet.at(label, 50);
    sheet.at(value, 130);
    sheet.down();
  }
  const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
  return toldBuyer(toDocumentText([page])).map(({ text }) => text);
}

test('a patient, one line, where the colon of the label stands with the name', () => {
  expect(
    toldOf(['Patient', ': Tan Wei Ling'], ['NRIC', ': SXXXX447C'], ['Doctor', ': Dr Ho Kim Seng']),
  ).toEqual([': Tan Wei Ling']);
});

test('the client before the patient, which may be a dog', () => {
  expect(toldOf(['Patient:', 'Biscuit (canine)'], ['Client:', 'Ada Penrose'])[0]).toBe('Ada Penrose');
});
