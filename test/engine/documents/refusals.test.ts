import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { failure, makePdf, parse, sample } from './helpers.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** A one-page PDF with the given content stream, put together by hand. */
function rawPdf(stream: Buffer, dictionary: string, catalog = ''): Buffer {
  const head = Buffer.from(
    `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R${catalog}>>\nendobj\n2 0 obj\n` +
      '<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n' +
      '3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<>>>>\nendobj\n' +
      `4 0 obj\n<<${dictionary}/Length ${stream.length}>>\nstream\n`,
  );
  return Buffer.concat([
    head,
    stream,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n'),
  ]);
}

function longPdf(pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Resources<<>>>>';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    ...new Array<string>(pages).fill(page),
  ];
  const bodies = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(`%PDF-1.7\n${bodies}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`);
}

describe('refusals', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'document_unreadable'],
    ['noise', Buffer.from('hello, I am a PDF,\0 honest'), 'unsupported_media'],
    ['a GIF', Buffer.from('GIF89a\u0001\0\u0001\0'), 'unsupported_media'],
    ['a zip', Buffer.from('PK\u0003\u0004'), 'document_unreadable'],
    [
      'a PDF of noise',
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(4000, 0x5a)]),
      'document_unreadable',
    ],
  ])('%s', async (_name, bytes, code) => {
    expect(await failure(parse(bytes))).toMatchObject({ code, param: 'file' });
  });

  test('a PDF behind the headers of a message is read', async () => {
    const headers = Buffer.from(
      'Content-Type: application/pdf\r\nX-Note: saved with its headers\r\n'.repeat(40),
    );
    expect(headers.length).toBeGreaterThan(1024);
    const whole = await readFile(sample('invoice'));
    const { fields } = await parse(Buffer.concat([headers, whole]));
    expect(fields).toEqual((await parse(whole)).fields);
    const talk = Buffer.concat([headers, Buffer.from('A file that begins with %PDF-1.7 is a PDF.')]);
    expect((await parse(talk, { outputFormat: 'text' })).text).toContain('is a PDF.');
  });

  test('a truncated file parses or is refused, never breaks', async () => {
    const whole = await readFile(sample('invoice'));
    for (const share of [0.05, 0.3, 0.6, 0.9, 0.99]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      const outcome = await parse(cut).then(
        () => 'parsed',
        (error) => error.code,
      );
      expect(['parsed', 'document_unreadable']).toContain(outcome);
    }
  });

  test('more than twenty pages need a selection', async () => {
    const bytes = longPdf(10_000);
    expect(await failure(parse(bytes))).toMatchObject({
      code: 'invalid_page_range',
      message: expect.stringContaining('10000'),
    });
    expect((await parse(bytes, { pages: '9998-10000' })).pages).toBe(3);
  });

  test('a decompression bomb is refused before it is opened', async () => {
    const bomb = deflateSync(Buffer.alloc(260 * 1024 * 1024, 0x20));
    expect(await failure(parse(rawPdf(bomb, '/Filter/FlateDecode')))).toMatchObject({
      code: 'document_unreadable',
    });
    const nested = deflateSync(bomb);
    expect(nested.length).toBeLessThan(10_000);
    const twice = rawPdf(nested, '/Filter[/FlateDecode/FlateDecode]');
    expect(await failure(parse(twice))).toMatchObject({ code: 'document_unreadable' });
  });

  test('pictures and pages without text say why they are empty', async () => {
    const white = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const picture = await parse(white);
    expect(picture).toMatchObject({ fields: {}, tables: [], confidence: 0, pages: 1 });
    expect(picture.warnings.join()).toMatch(/Page 1 contains no text/);
    const blank = await parse(await makePdf(() => undefined));
    expect(blank.warnings.join()).toMatch(/Page 1 contains no text/);
    expect(await failure(parse(white, { pages: '2' }))).toMatchObject({ code: 'invalid_page_range' });
  });

  test('a damaged picture is refused', async () => {
    expect(await failure(parse(png))).toMatchObject({ code: 'document_unreadable', param: 'file' });
  });

  test('text beyond the edges of a page is told of', async () => {
    const wide = await makePdf((_page, text) => {
      text('On the page', 50, 50);
      for (let line = 0; line < 10; line++) text('far to the right of everything', 700, 100 + 20 * line);
    });
    const result = await parse(wide, { outputFormat: 'text' });
    expect(result.text).toContain('On the page');
    expect(result.warnings.join()).toMatch(/Page 1 has text beyond its edges/);
  });

  test('an XFA form says that its contents were not read', async () => {
    const bytes = rawPdf(Buffer.from(''), '', '/AcroForm<</Fields[]/XFA[(template)(<xdp/>)]>>');
    expect((await parse(bytes)).warnings.join()).toMatch(/XFA form/);
  });

  test('a wrong template leaves the fields empty and says so', async () => {
    const letter = await makePdf((_page, text) => text('Dear neighbour, thank you for the flowers.', 50, 80));
    for (const template of ['invoice', 'passport', 'mykad'] as const) {
      const result = await parse(letter, { template });
      expect(result).toMatchObject({ type: template, fields: {}, confidence: 0 });
      expect(result.warnings.join()).toMatch(/does not look like/);
    }
  });
});
