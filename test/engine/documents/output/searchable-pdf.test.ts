/** The searchable PDF: what pdf.js reads back of it is the page's words, where they stand on it. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { picturePdf } from '../../../../server/engine/documents/output/picture-pdf.ts';
import { searchablePdf } from '../../../../server/engine/documents/pages/draw-pages.ts';
import type { PageLine } from '../../../../server/engine/documents/types.ts';
import { unionBox } from '../../../../server/engine/vision/geometry.ts';
import { makePdf, parse } from '../helpers.ts';

type Box = [number, number, number, number];

async function readBack(pdf: Uint8Array): Promise<{ text: string; bbox: Box }[]> {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const page = await (await task.promise).getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const words = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , size = 0, x = 0, y = 0] = item.transform as number[];
    const text = item.str.trimEnd();
    // The blank behind a word is as wide as one of its letters.
    const share = [...text].length / [...item.str].length;
    const bottom = y - 0.2 * size;
    const bbox: Box = [
      x / width,
      1 - (bottom + size) / height,
      (x + item.width * share) / width,
      1 - bottom / height,
    ];
    return [{ text, bbox }];
  });
  await task.destroy();
  return words;
}

test('lines of words are read back with their boxes, and the picture stays what is seen', async () => {
  const bytes = await makePdf((_, text) => {
    text('Invoice INV-2026-0042', 60, 100, 14);
    text('Total RM 1,234.50', 60, 400, 11);
  });
  const { lines = [] } = await parse(bytes, { withLines: true });
  const { pdf, pages } = await searchablePdf({ bytes, pages: null, lines });
  expect(pages).toBe(1);
  // pdf.js joins what stands on one line.
  const expected = lines.map(({ words }) => ({
    text: words.map(({ text }) => text).join(' '),
    bbox: unionBox(words.map(({ bbox }) => bbox)),
  }));
  const found = await readBack(pdf);
  expect(found.map(({ text }) => text)).toEqual(expected.map(({ text }) => text));
  for (const [index, { bbox }] of found.entries())
    for (const [at, value] of bbox.entries()) expect(value).toBeCloseTo(expected[index]!.bbox[at]!, 2);
  // Text over a scan hides nothing.
  const again = await parse(pdf, { outputFormat: 'text' });
  expect(again.text).toContain('INV-2026-0042');
  expect(again.risks ?? []).toEqual([]);
});

test('any script is found again, in more characters than one font has codes', async () => {
  const chinese = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const words: PageLine['words'] = chinese.map((text, at): PageLine['words'][number] => {
    const [x, y] = [(at % 30) / 30, Math.floor(at / 30) / 20];
    return { text: `${text}é`, bbox: [x, y, x + 0.03, y + 0.04] };
  });
  const jpeg = Buffer.from(onePixel, 'base64');
  const pdf = picturePdf([
    { jpeg, widthPx: 1, heightPx: 1, words: [...words, { text: '😀 ok', bbox: [0, 0.97, 0.1, 1] }] },
  ]);
  const found = (await readBack(pdf)).map(({ text }) => text).join('');
  expect(found.replaceAll(' ', '')).toBe(`${words.map(({ text }) => text).join('')}😀ok`);
});

const onePixel =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=';
