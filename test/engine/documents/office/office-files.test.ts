/** Office, mail, web and text files as Markdown; what is refused, what is hidden, what is bounded. */
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { pageCount, pageImage } from '../../../../server/engine/documents/pages/page-image.ts';
import {
  madeDocx,
  madeEml,
  madeHtml,
  madeOds,
  madeOdt,
  madePptx,
  madeXlsx,
  wordItem,
  wordParagraph,
} from '../../../support/documents/made-office.ts';
import { failure, makePdf, parse, valuesOf } from '../helpers.ts';

const markdown = async (bytes: Uint8Array): Promise<string> =>
  (await parse(bytes, { outputFormat: 'markdown', template: 'generic' })).markdown!;

describe('what the files say', () => {
  test('DOCX: headings, numbered lists, merged cells; deleted text is gone', async () => {
    const cell = (text: string, properties = '') =>
      `<w:tc><w:tcPr>${properties}</w:tcPr>${wordParagraph(text)}</w:tc>`;
    const bytes = madeDocx(
      wordParagraph('Lease', '<w:pStyle w:val="H1"/>') +
        '<w:p><w:r><w:t>Rent is </w:t></w:r><w:del><w:r><w:delText>5</w:delText></w:r></w:del><w:ins><w:r><w:t>6</w:t></w:r></w:ins></w:p>' +
        wordItem('First', 1) +
        wordItem('Inner', 1, 1) +
        wordItem('Second', 1) +
        wordItem('Dot', 2) +
        `<w:tbl><w:tr>${cell('Year', '<w:vMerge w:val="restart"/>')}${cell('A')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('B')}</w:tr></w:tbl>`,
    );
    expect(await markdown(bytes)).toBe(
      '# Lease\n\nRent is 6\n\n1. First\n    - (a) Inner\n2. Second\n- Dot\n\n| Year | A |\n| --- | --- |\n| Year | B |\n',
    );
  });

  test('DOCX: lists by the name of their style, typed bullets, and a frame of one cell', async () => {
    const styles =
      '<w:styles xmlns:w="w"><w:style w:styleId="B2"><w:name w:val="List Bullet 2"/></w:style></w:styles>';
    const body =
      wordParagraph('Bring') +
      wordParagraph('inner', '<w:pStyle w:val="B2"/>') +
      wordParagraph('• tea') +
      '<w:p><w:r><w:t>–</w:t><w:tab/><w:t>milk</w:t></w:r></w:p>' +
      wordParagraph('- 5 degrees') +
      `<w:tbl><w:tr><w:tc>${wordItem('framed', 2)}</w:tc></w:tr></w:tbl>`;
    expect(await markdown(madeDocx(body, { 'word/styles.xml': styles }))).toBe(
      'Bring\n\n    - inner\n- tea\n- milk\n\n\\- 5 degrees\n\n- framed\n',
    );
  });

  test('Markdown: front matter is lines, code keeps its lines, tasks their ticks', async () => {
    const text =
      '---\ntitle: Pumps\ndate: 2026-03-10\n---\n\n# H\n\n```sh\nif a_b_c\n  go\n\nfi\n```\n\nSo:\n\n    one\n      two\n\n- [ ] open\n- [x] done\n- x\n\n    goes on\n';
    expect(await markdown(Buffer.from(text))).toBe(
      'title: Pumps  \ndate: 2026-03-10\n\n# H\n\n```\nif a_b_c\n  go\n\nfi\n```\n\nSo:\n\n```\none\n  two\n```\n\n- [ ] open\n- [x] done\n- x\n\ngoes on\n',
    );
    const { fields } = await parse(Buffer.from(text), { template: 'generic' });
    expect(valuesOf(fields)).toMatchObject({ title: 'Pumps', date: '2026-03-10' });
    const ruled = '# A\n\nOne\n---\n\ntext\n';
    expect(await markdown(Buffer.from(ruled))).toBe('# A\n\n## One\n\ntext\n');
  });

  test('code over several pages, in HTML too, keeps its lines', async () => {
    const code = Array.from({ length: 130 }, (_, at) => `${' '.repeat(at % 5)}step_${at}`).join('\n');
    const all = (await markdown(madeHtml(`<pre>${code}</pre>`))).replaceAll('```\n\n```\n', '');
    expect(all).toBe(`\`\`\`\n${code}\n\`\`\`\n`);
  });

  test('HTML: a table of one cell is a frame; Markdown: quotes, and items that go on', async () => {
    expect(
      await markdown(madeHtml('<table><tr><td><ul><li>one</li><li>two</li></ul></td></tr></table>')),
    ).toContain('- one\n- two');
    const text = '# H\n\n> - one\n> - two\n>   and more\n\nAfter.\n';
    expect(await markdown(Buffer.from(text))).toBe('# H\n\n- one\n- two and more\n\nAfter.\n');
  });

  test('XLSX: rich strings, dates, numbers as shown; a hidden sheet is not read out', async () => {
    expect(await markdown(madeXlsx())).toBe(
      '## Sales\n\n| Date | Amount |\n| --- | --- |\n| 2026-03-19 | 12.3 |\n',
    );
  });

  test('PPTX: the title first', async () => {
    expect(await markdown(madePptx())).toBe('# Plan\n\n- Ship in May\n');
  });

  test('ODT and ODS: blanks, lists, tables, repeated cells', async () => {
    expect(await markdown(madeOdt())).toBe('## Title\n\nOne line\n\n- Item\n\n| a | b |\n| --- | --- |\n');
    expect(await markdown(madeOds())).toBe('## Data\n\n| x | 7 | 7 |\n| --- | --- | --- |\n');
  });

  test('HTML: no script, nested lists, entities', async () => {
    const bytes = madeHtml(
      '<h2>A &amp; B</h2><script>steal()</script><ol><li>one<ul><li>deep</ul><li>two</ol>',
    );
    expect(await markdown(bytes)).toBe('## A & B\n\n1. one\n    - deep\n2. two\n');
  });

  test('CSV with quotes, Markdown and plain text', async () => {
    expect(await markdown(Buffer.from('a;b\n"1;""2""";3\n4;5\n'))).toBe(
      '| a | b |\n| --- | --- |\n| 1;"2" | 3 |\n| 4 | 5 |\n',
    );
    expect(await markdown(Buffer.from('# T\n\nSee [it](http://x.y) **now**.\n\n* one\n'))).toBe(
      '# T\n\nSee it now.\n\n- one\n',
    );
    expect(await markdown(Buffer.from('Dear Ana,\nI came, I saw, I left.\n\nBob\n'))).toBe(
      'Dear Ana,  \nI came, I saw, I left.\n\nBob\n',
    );
  });

  test('CSV: ragged rows, decimal commas, Latin-1, a told delimiter; prose with commas is none', async () => {
    const rowsOf = async (text: string, charset: BufferEncoding = 'utf8') =>
      (await parse(Buffer.from(text, charset), { template: 'generic' })).tables.map(({ rows }) => rows);
    const ragged =
      'Matter;Client;Rate;Date\r\n"A; lease";Tanjung;420,00;01/04/2026\r\n\r\nB;Café\r\nC;=X("y");120\r\nTotal;;6.150,00;\r\n';
    expect(await rowsOf(ragged, 'latin1')).toEqual([
      [
        ['Matter', 'Client', 'Rate', 'Date'],
        ['A; lease', 'Tanjung', '420,00', '01/04/2026'],
        ['B', 'Café', '', ''],
        ['C', '=X("y")', '120', ''],
        ['Total', '', '6.150,00', ''],
      ],
    ]);
    const decimals = Array.from({ length: 20 }, (_, row) => `${row},5;${row},25;x\n`).join('');
    expect((await rowsOf(`a;b;c\n${decimals}`))[0]!.slice(0, 2)).toEqual([
      ['a', 'b', 'c'],
      ['0,5', '0,25', 'x'],
    ]);
    expect(await rowsOf('label;value\nRate;12,5\n')).toEqual([
      [
        ['label', 'value'],
        ['Rate', '12,5'],
      ],
    ]);
    expect(await rowsOf('sep=;\r\na;b\r\n1,5;2\r\n')).toEqual([
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ]);
    const prose =
      'We came, we saw, we left.\nThen, on the way, it rained.\nAt home, tea, at last, and cake.\n';
    expect(await rowsOf(prose)).toEqual([]);
  });

  test('mail: head, body, then files attached, a PDF too', async () => {
    const pdf = await makePdf((_, text) => text('Invoice No: 4711 of a firm that sells many things', 60, 80));
    const {
      markdown: text,
      pages,
      warnings,
    } = await parse(
      madeEml([
        ['inner.eml', madeEml([['a.pdf', pdf]])],
        ['x.bin', new Uint8Array([0, 1, 2])],
      ]),
      { outputFormat: 'markdown', template: 'generic' },
    );
    expect(text).toContain('# Grüße\n\nFrom: Jürgen <j@example.com>'.replaceAll('<', '\\<'));
    expect(text).toContain('Café at noon');
    expect(text).toContain('## a.pdf');
    expect(text).toContain('Invoice No: 4711');
    expect(pages).toBe(4);
    expect(warnings.join()).toContain('x.bin');
  });

  test('the name of an attached file stands above its text, on its page, and is no part of it', async () => {
    const note = Buffer.from('Lunch at noon.\n');
    const bytes = madeEml([
      ['Name: 1.txt', note],
      ['b.csv', Buffer.from('Item,Price,Left\nPump,12.50,4\nHose,3.20,9\n')],
    ]);
    const { chunks, fields, pages } = await parse(bytes, { outputFormat: 'chunks', template: 'generic' });
    expect(pages).toBe(3);
    expect(chunks!.slice(1).map(({ heading, text, page }) => [heading, text.split('\n')[0], page])).toEqual([
      ['Name: 1.txt', 'Lunch at noon.', 2],
      ['b.csv', 'Item | Price | Left', 3],
    ]);
    expect(fields).not.toHaveProperty('name');
    const { lines } = await parse(bytes, { withLines: true });
    expect(lines!.map(({ text }) => text)).toContain('Name: 1.txt');
  });

  test('fields have places on the page that is drawn', async () => {
    const bytes = madeDocx(wordParagraph('Invoice No: INV-77') + wordParagraph('Due Date: 3 March 2026'));
    const { fields } = await parse(bytes, { template: 'generic' });
    expect(valuesOf(fields)).toMatchObject({ due_date: '2026-03-03' });
    expect(await pageCount(bytes)).toBe(1);
    const png = await pageImage({ bytes, page: 1, widthPx: 300 });
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  });
});

/** The archive with another size told of its part. */
function declaring(archive: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(archive);
  bytes.writeUInt32LE(size, bytes.indexOf('PK\u0001\u0002', 0, 'latin1') + 24);
  return bytes;
}

describe('what is refused or bounded', () => {
  test.each([
    ['an archive of nothing known', zipSync({ a: strToU8('b') }), 'unsupported_media', 'archive'],
    ['a damaged archive', Buffer.from('PK\u0003\u0004damaged'), 'document_unreadable', 'damaged'],
    ['noise', new Uint8Array([1, 2, 3, 0, 9]), 'unsupported_media', 'not a PDF'],
  ])('%s', async (_name, bytes, code, words) => {
    const refusal = await failure(parse(bytes));
    expect(refusal).toMatchObject({ code, param: 'file' });
    expect(refusal.message).toContain(words);
  });

  test('entities that a file declares are not expanded', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(50)}"><!ENTITY b "&a;&a;&a;&a;">]>`;
    const bytes = zipSync({
      'word/document.xml': strToU8(
        `${bomb}<w:document><w:body><w:p><w:r><w:t>&b; end</w:t></w:r></w:p></w:body></w:document>`,
      ),
    });
    expect((await parse(bytes, { outputFormat: 'text' })).text).not.toContain('haha');
  });

  test('a bomb, and markup that is too deep', async () => {
    const big = declaring(zipSync({ 'word/document.xml': strToU8('<w:document/>') }), 300 << 20);
    expect(await failure(parse(big))).toMatchObject({ code: 'document_unreadable' });
    // One that lies about its size is not inflated beyond what it told.
    const liar = declaring(zipSync({ 'word/document.xml': new Uint8Array(3 << 20) }), 100);
    const outcome = await parse(liar).then(
      ({ type }) => type,
      (error) => error.code,
    );
    expect(['generic', 'document_unreadable']).toContain(outcome);
    expect(await failure(parse(madeHtml('<div>'.repeat(100_000))))).toMatchObject({
      code: 'document_unreadable',
    });
  });

  test('mails in mails end somewhere, with a word', async () => {
    let mail = madeEml();
    for (let depth = 0; depth < 6; depth++) mail = madeEml([[`level${depth}.eml`, mail]]);
    expect((await parse(mail)).warnings.join()).toContain('not read');
  });
});
