import { expect, test } from 'vitest';
import { openPdf } from '../../../server/engine/documents/pdf/open.ts';
import { linesPdf } from '../../support/documents/lines-pdf.ts';

test('operators are no longer listed once there are too many, and the page is named', async () => {
  const { document, cutPages, close } = await openPdf(linesPdf(20_000), {
    maxImageAreaPx: 0,
    isCut: (_page, operators) => operators > 3_000,
  });
  const page = await document.getPage(1);
  const { fnArray } = await page.getOperatorList({ intent: 'display' });
  expect(fnArray.length).toBeGreaterThan(3_000);
  expect(fnArray.length).toBeLessThan(10_000);
  expect([...cutPages]).toEqual([1]);
  await close();
});
