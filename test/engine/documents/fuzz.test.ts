import { expect, test } from 'vitest';
import { fuzzDocuments } from '../../support/documents/fuzz.ts';
import { madeDocuments } from '../../support/documents/made-documents.ts';

test('damaged documents parse or are refused with a code of the contract', async () => {
  const report = await fuzzDocuments(await madeDocuments(), { seed: 7, count: 30 });
  expect(report.failures).toEqual([]);
  expect(report.parsed).toBeGreaterThan(3);
  expect(Object.values(report.refused).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1);
}, 120_000);
