import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ParsingThread } from '../../../server/engine/documents/thread/parsing-thread.ts';
import { chanceFrom } from '../../support/documents/forms/form-maker.ts';
import { damage, fuzzDocuments } from '../../support/documents/fuzz.ts';
import { madeDocuments } from '../../support/documents/made-documents.ts';
import { signedPdf } from '../../support/documents/sign-pdf.ts';
import { dataFolder, failure, hasData, makePdf, parse } from './helpers.ts';

test('damaged documents parse or are refused with a code of the contract', async () => {
  const report = await fuzzDocuments(await madeDocuments(), { seed: 7, count: 30 });
  expect(report.failures).toEqual([]);
  expect(report.parsed).toBeGreaterThan(3);
  expect(Object.values(report.refused).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1);
}, 120_000);

test('text placed a million points off the page', async () => {
  const bytes = await makePdf((_page, text) => {
    for (let line = 0; line < 30; line++) text('a line of text that fills its column', 50, 60 + line * 14);
    text('and one that runs from here to far beyond', 50, 600, 900_000_000);
  });
  expect((await parse(bytes, { outputFormat: 'text' })).text).toContain('fills its column');
});

/** What the reader leaves unfinished fails later, when the next document is read. */
test.skipIf(!hasData('doc-pdfjs'))(
  'a damaged document does not end the reading of the next one',
  async () => {
    const thread = new ParsingThread(() => Promise.reject(new Error('no recognition here')));
    const read = async (bytes: Uint8Array): Promise<number> => {
      let items = 0;
      const params = { bytes, template: null, pages: '1', outputFormat: 'text' as const };
      for await (const _ of thread.stream('parse', params, new AbortController())) items++;
      return items;
    };
    const chance = chanceFrom(1_000_524);
    chance();
    const damaged = damage(readFileSync(new URL('doc-pdfjs/outlines_se.pdf', dataFolder)), chance);
    expect(await failure(read(damaged))).toMatchObject({ code: 'document_unreadable' });
    expect(await read(await signedPdf('Tan'))).toBe(2);
    await thread.close();
  },
);
