/** Hostile pages: what is not read in the time of a page or a document is left out with a warning, and the call ends. */

import { expect, test } from 'vitest';
import { type Budgets, parseDocument } from '../../../server/engine/documents/parse-document.ts';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import { localTextModels } from '../../../server/engine/vision/ocr/models/local-models.ts';
import { makePdf } from './helpers.ts';

async function parse(bytes: Uint8Array, budgets: Partial<Budgets>): Promise<ParseResult> {
  const context = {
    models: localTextModels,
    budgets: { pageMs: Number.POSITIVE_INFINITY, documentMs: Number.POSITIVE_INFINITY, ...budgets },
  };
  const params = { bytes, template: null, pages: null, outputFormat: 'json' as const };
  for await (const item of parseDocument(params, context)) if (item.kind === 'result') return item.result;
  throw new Error('no result');
}

/** A PDF put together by hand: objects 4 and up, the first of them the content of its page. */
function rawPdf(resources: string, streams: { dictionary?: string; content: string }[]): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<${resources}>>>>`,
    ...streams.map(
      ({ dictionary = '', content }) =>
        `<<${dictionary}/Length ${content.length}>>\nstream\n${content}\nendstream`,
    ),
  ];
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${bodies}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`);
}

test('forms that draw each other, two to the power of thirty times', async () => {
  const levels = 30;
  const forms = Array.from({ length: levels }, (_, level) => ({
    dictionary: `/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X ${6 + level} 0 R>>>>`,
    content: level < levels - 1 ? '/X Do /X Do' : '0 0 10 10 re f',
  }));
  const bytes = rawPdf('/XObject<</X 5 0 R>>', [{ content: '/X Do' }, ...forms]);
  const { warnings } = await parse(bytes, { pageMs: 500 });
  expect(warnings).toContain('Page 1 is too long: only its first part was read.');
});

test('a page of strokes that would have to be drawn', async () => {
  const stroke = (index: number): string =>
    `${(index * 7) % 580} ${(index * 13) % 830} m ${(index * 17) % 580} ${(index * 19) % 830} l S`;
  const content = Array.from({ length: 60_000 }, (_, index) => stroke(index)).join('\n');
  const { warnings } = await parse(rawPdf('', [{ content }]), { pageMs: 400 });
  expect(warnings).toContainEqual(expect.stringMatching(/^Page 1 (?:takes too long|is too long)/));
});

test('a document is answered with the pages that were read in its time', async () => {
  const pages = ['one', 'two', 'three', 'four'].map(
    (name) => (_: unknown, text: (value: string, x: number, y: number) => void) =>
      text(`This is page ${name} of the four pages of a document of some length.`, 50, 60),
  );
  const { pages: read, warnings } = await parse(await makePdf(...pages), { documentMs: 0 });
  expect(read).toBe(1);
  expect(warnings).toContain('The document takes too long to read: only 1 of 4 pages were read.');
});
