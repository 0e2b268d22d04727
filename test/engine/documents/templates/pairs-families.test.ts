/** Key-value pairs of generated letters, statements and forms: each way of setting labels, families held back beside the others. */

import { describe, expect, test } from 'vitest';
import { toDocumentText } from '../../../../server/engine/documents/fields/reading.ts';
import { readGeneric } from '../../../../server/engine/documents/templates/generic.ts';
import { makePairs } from '../../../support/documents/generated/pairs.ts';
import { isHeldBack } from '../../../support/documents/generated/receipts.ts';
import { toPage } from '../../../support/documents/generated/sheet.ts';

const families = Array.from({ length: 90 }, (_, family) => family);

function recallOf(heldBack: boolean): { recall: number; precision: number } {
  let [right, asked, found] = [0, 0, 0];
  for (const family of families.filter((each) => isHeldBack(each) === heldBack)) {
    const { sheet, pairs } = makePairs(family, 1);
    const page = toPage(sheet, { slip: 0, join: 0, jitter: 0.02 }, family);
    const nothing = { tables: [], widgets: [], checkboxes: [], barcodes: [], stamps: [] };
    const document = { ...nothing, pages: [page], inkSignatures: [], digitalSignatures: [] };
    const fields = Object.values(readGeneric(document, toDocumentText([page])));
    asked += Object.keys(pairs).length;
    found += fields.length;
    for (const [label, value] of Object.entries(pairs))
      if (fields.some((field) => field.label?.startsWith(label) && field.raw === value)) right++;
  }
  return { recall: right / asked, precision: right / found };
}

describe('labels that stand beside or above their values', () => {
  test.each([true, false])('held back: %s', (heldBack) => {
    const { recall, precision } = recallOf(heldBack);
    expect(recall).toBeGreaterThan(0.94);
    expect(precision).toBeGreaterThan(0.97);
  });
});
