import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ParsingThread } from '../../../server/engine/documents/thread/parsing-thread.ts';
import { makePdf, parse } from './helpers.ts';

/** Everything in a PDF that asks to run or to fetch, pointed at a server that counts who comes. */
function activePdf(origin: string): Buffer {
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/OpenAction 5 0 R/Names<</JavaScript<</Names[(start) 5 0 R]>>>>/AA<</WC 5 0 R>>/URI<</Base(${origin}/base)>>/AcroForm<</Fields[8 0 R]/XFA 9 0 R>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/AA<</O 5 0 R>>/Annots[6 0 R 8 0 R]/Resources<</Font<</F 10 0 R>>/XObject<</I 7 0 R>>>>>>',
    `<</Length 70>>\nstream\nBT /F 12 Tf 20 100 Td (Nothing to see on this page of text) Tj ET /I Do\nendstream`,
    `<</S/JavaScript/JS(app.launchURL\\("${origin}/js"\\); globalThis.ranFromPdf = true; fetch\\("${origin}/fetch"\\))>>`,
    `<</Type/Annot/Subtype/Link/Rect[0 0 300 200]/A<</S/URI/URI(${origin}/link)>>/AA<</PV<</S/SubmitForm/F(${origin}/submit)>>>>>>`,
    `<</Type/XObject/Subtype/Image/Width 4/Height 4/ColorSpace/DeviceGray/BitsPerComponent 8/F<</FS/URL/F(${origin}/image)>>/Length 0>>\nstream\n\nendstream`,
    `<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(x)/Rect[10 10 90 30]/AA<</K 5 0 R/F 5 0 R/V 5 0 R/C 5 0 R>>>>`,
    `<</Length 120>>\nstream\n<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform><image href="${origin}/xfa"/></subform></template></xdp:xdp>\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/NoSuchFontAnywhere>>',
  ];
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${bodies}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`);
}

const visits: string[] = [];
const server = createServer((request, response) => {
  visits.push(request.url ?? '');
  response.end();
});
const thread = new ParsingThread(() => Promise.reject(new Error('no recognition here')));

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  server.close();
  await thread.close();
});

test('scripts do not run and nothing is fetched, neither by parsing nor by drawing', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bytes = activePdf(origin);
  const signal = new AbortController().signal;
  const params = { bytes, template: null, pages: null, outputFormat: 'text' as const };
  const items: unknown[] = [];
  for await (const item of thread.stream('parse', params, { signal })) items.push(item);
  items.push(await thread.call('pageImage', { bytes, page: 1, widthPx: 300 }, { signal }));
  expect(JSON.stringify(items)).toContain('Nothing to see');
  expect(JSON.stringify(items)).toContain('The document holds scripts: they were not run.');
  // The server answers, so an empty list is no accident.
  await fetch(`${origin}/probe`);
  expect(visits).toEqual(['/probe']);
  expect(globalThis).not.toHaveProperty('ranFromPdf');
});

test('attached files are named and not read', async () => {
  const pdf = await PDFDocument.load(
    await makePdf((_page, text) => text('A letter with an enclosure', 60, 100)),
  );
  await pdf.attach(Buffer.from('MZ'), 'invoice.exe', { mimeType: 'application/octet-stream' });
  const { warnings } = await parse(await pdf.save());
  expect(warnings).toEqual(['The document has files attached, which were not read: invoice.exe.']);
});

test('a plain document has no such warning', async () => {
  const { warnings } = await parse(
    await makePdf((_page, text) => text('A letter without an enclosure', 60, 100)),
  );
  expect(warnings).toEqual([]);
});
