/** Pages as Markdown and as passages: headings by size, items by sign, tables as rows, gaps of forms kept apart. */
import { describe, expect, test } from 'vitest';
import type { Page, PageTable, TextBlock, Word } from '../../../../server/engine/documents/document.ts';
import { pageBlocks } from '../../../../server/engine/documents/layout/page-blocks.ts';
import { toChunks } from '../../../../server/engine/documents/output/chunks.ts';
import { toMarkdown } from '../../../../server/engine/documents/output/markdown.ts';
import { unread } from '../../../../server/engine/documents/pipeline.ts';
import type { Box } from '../../../../server/engine/vision/geometry.ts';
import { Sheet, toPage } from '../../../support/documents/generated/sheet.ts';
import { makePdf, parse } from '../helpers.ts';

const prose = 'The ferry leaves the northern pier each morning at six and again at noon, when the tide';

const report = () =>
  makePdf((_, text) => {
    text('Annual report', 60, 80, 22);
    text('Ferries', 60, 120, 15);
    text(prose, 60, 150);
    text('permits it to pass the bar.', 60, 162);
    text('•', 60, 190);
    text('Tickets are sold on board', 72, 190);
    text('•', 60, 204);
    text('Dogs travel free', 72, 204);
    text('Fares', 60, 240, 15);
    for (const [row, cells] of [
      ['Route', 'Adult', 'Child'],
      ['North', '12.50', '6.00'],
      ['South', '9.80', '4.90'],
      ['Loop', '21.00', '10.00'],
    ].entries())
      for (const [column, cell] of cells.entries()) text(cell, 60 + 140 * column, 270 + 16 * row);
  });

test('a title, labels with their values and prose are lines of their own, in Chinese as well', () => {
  const texts = (lines: string[]): string[] => {
    const sheet = new Sheet(260, { size: 9 });
    for (const line of lines) sheet.line(line, 'left');
    const blocks = pageBlocks(toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1), []);
    return blocks.flatMap((block) => (block.kind === 'table' ? [] : block.text.split('\n')));
  };
  const head = ['退租通知书', '租客：林美华', '单位：B-12-3', '电话：012-778 4410'];
  const prose = ['本人将于下月最后一天迁出上述单位并交还全部', '钥匙，请退回押金。'];
  expect(texts([...head, ...prose])).toEqual([...head, prose.join('')]);
  const labels = ['Tenant of the unit: Lim Mei Hua and family', 'Unit and block of the estate: B-12-3 North'];
  expect(texts(labels)).toEqual(labels);
});

describe('headings of a page', () => {
  const headingsOf = async (...lines: [text: string, size: number][]): Promise<string[]> => {
    const pdf = await makePdf((_, text) => {
      for (const [at, [value, size]] of lines.entries()) text(value, 60, 80 + 40 * at, size);
      for (const at of [0, 1, 2]) text(prose, 60, 600 + 12 * at);
    });
    const { markdown } = await parse(pdf, { outputFormat: 'markdown', template: 'generic' });
    return markdown!.split('\n').filter((line) => line.startsWith('#'));
  };

  test('end in no colon or full stop as sentences do; titles and firms may', async () => {
    const lines = [
      'The table lists all vehicles:',
      'All of them are in use.',
      'Vehicles:',
      'Kedai Ah Seng Sdn. Bhd.',
    ];
    expect(await headingsOf(...lines.map((text): [string, number] => [text, 14]))).toEqual([
      '## Vehicles:',
      '## Kedai Ah Seng Sdn. Bhd.',
    ]);
  });

  test('are larger than the text, also where small print has more characters', async () => {
    const pdf = await makePdf((_, text) => {
      text('Invoice', 60, 80, 15);
      for (const at of [0, 1, 2, 3]) text(prose.slice(0, 60), 60, 120 + 14 * at, 11);
      for (const at of Array(12).keys()) text(prose, 60, 500 + 9 * at, 7);
    });
    const { markdown } = await parse(pdf, { outputFormat: 'markdown', template: 'generic' });
    expect(markdown!.split('\n').filter((line) => line.startsWith('#'))).toEqual(['## Invoice']);
  });

  test('are shorter than the lines of text where they are of their size', () => {
    const { page } = unread(1);
    const line = (text: string, y: number, bold: boolean) => ({
      ...{ text, bold, box: [10, y, 10 + 5 * text.length, y + 10] as Box, baseline: y + 8, size: 10 },
      ...{ turned: false, source: 'text_layer' as const },
    });
    page.words = [
      line('Upkeep', 10, true),
      line(`${prose} now`, 40, true),
      ...[0, 1, 2, 3].map((at) => line(`${prose} and`, 80 + 12 * at, false)),
    ];
    expect(pageBlocks(page, []).map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'paragraph']);
  });
});

describe('Markdown of a page', () => {
  test('has its headings, lists and tables', async () => {
    const { markdown } = await parse(await report(), { outputFormat: 'markdown', template: 'generic' });
    expect(markdown).toBe(
      [
        '# Annual report',
        '',
        '## Ferries',
        '',
        `${prose} permits it to pass the bar.`,
        '',
        '- Tickets are sold on board',
        '- Dogs travel free',
        '',
        '## Fares',
        '',
        '| Route | Adult | Child |',
        '| --- | --- | --- |',
        '| North | 12.50 | 6.00 |',
        '| South | 9.80 | 4.90 |',
        '| Loop | 21.00 | 10.00 |',
        '',
      ].join('\n'),
    );
  });

  test('text cannot begin a block or an element that it is not', () => {
    const { page } = unread(1);
    const blocks = ['# no title', '1. no item', '<script>', 'a|b *c* snake_case'].map((text) => ({
      kind: 'paragraph' as const,
      text,
      level: 0,
      box: page.toView([0, 0, 1, 1]),
    }));
    expect(toMarkdown([{ page, blocks }]).trim().split('\n\n')).toEqual([
      '\\# no title',
      '\\1. no item',
      '\\<script>',
      'a|b \\*c\\* snake_case',
    ]);
  });
});

describe('passages', () => {
  test('lie under their heading, on their page, with their place', async () => {
    const { chunks } = await parse(await report(), { outputFormat: 'chunks', template: 'generic' });
    expect(chunks!.map(({ heading }) => heading)).toEqual(['Ferries', 'Fares']);
    expect(chunks![0]!.text).toContain('- Dogs travel free');
    expect(chunks![1]!.text).toContain('North | 12.50 | 6.00');
    for (const { page, bbox } of chunks!) {
      expect(page).toBe(1);
      expect(bbox[1]).toBeGreaterThan(0.05);
      expect(bbox[3]).toBeLessThan(0.45);
    }
  });

  test('long text is cut at the ends of sentences, and nothing is lost', () => {
    const { page } = unread(1);
    const text = Array.from({ length: 90 }, (_, at) => `Sentence number ${at} says little.`).join(' ');
    const chunks = toChunks([{ page, blocks: [{ kind: 'paragraph', text, level: 0, box: [0, 0, 1, 1] }] }]);
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.text).toMatch(/\.$/);
    expect(chunks.map((chunk) => chunk.text).join(' ')).toBe(text);
  });

  const heading = (text: string, level: number, box: Box = [0, 0.4, 1, 0.5]): TextBlock => ({
    ...{ kind: 'heading', text, level, box },
  });
  const paragraph = (text: string, box: Box = [0, 0.5, 1, 0.6]): TextBlock => ({
    ...{ kind: 'paragraph', text, level: 0, box },
  });

  test('headings that no text follows are text: of the passage below, else of their own', () => {
    const [first, second] = [unread(1).page, unread(2).page];
    const told = toChunks([
      {
        page: first,
        blocks: [heading('4.2.0', 1), heading('Fixed', 2), paragraph('A leak.'), heading('Open', 1)],
      },
      { page: second, blocks: [heading('5', 1), paragraph('None.'), heading('End', 1)] },
    ]);
    expect(told.map(({ text, heading: over, page }) => [text, over, page])).toEqual([
      ['4.2.0\nA leak.', 'Fixed', 1],
      ['Open', null, 1],
      ['None.', '5', 2],
      ['End', null, 2],
    ]);
    const bare = ['Alpha', 'Beta', 'Price RM 77'].map((text, at) => heading(text, at + 1));
    expect(toChunks([{ page: first, blocks: bare }])).toMatchObject([{ text: 'Alpha\nBeta\nPrice RM 77' }]);
  });

  const passages = async (html: string): Promise<string[]> => {
    const bytes = Buffer.from(`<!doctype html><html><body class="has-cookie-banner">${html}</body></html>`);
    const { chunks } = await parse(bytes, { outputFormat: 'chunks', template: 'generic' });
    return chunks!.map(({ text, heading: over }) => `${over}: ${text}`);
  };

  test('what stands beside the content of a web page is left out of them, and of nothing else', async () => {
    const html = `<header><a href="/">Acme</a><h1>Returns</h1><nav><ul><li>Home</li><li>Shop</li></ul></nav></header>
      <ol class="breadcrumb"><li>Help</li></ol><div role="dialog"><h2>We use cookies</h2><p>Accept all</p></div>
      <div id="cookie-consent"><p>Reject all</p></div><aside><p>Popular</p></aside>
      <main><article><header><p>By Ana</p></header><p>Send it back.</p><footer>Last changed in May</footer></article></main>
      <div role="contentinfo"><table><tr><td>Imprint</td><td>Jobs</td></tr></table></div><footer><p>Careers</p></footer>`;
    expect(await passages(html)).toEqual(['Returns: By Ana\nSend it back.\nLast changed in May']);
    const { markdown } = await parse(Buffer.from(`<!doctype html>${html}`), { outputFormat: 'markdown' });
    for (const word of ['Acme', 'Shop', 'Help', 'cookies', 'Popular', 'Imprint', 'Careers'])
      expect(markdown).toContain(word);
  });

  test('a web page that has nothing else keeps it', async () => {
    const all = '<header><p>Acme</p></header><nav><ul><li>Home</li></ul></nav><footer>Jobs</footer>';
    expect(await passages(all)).toEqual(['null: Acme\n- Home\nJobs']);
  });

  test('running heads are told once, numbers of pages never, what stands on one page is kept', () => {
    const pages = [1, 2, 3, 4].map((number) => {
      const { page } = unread(number);
      const texts = [
        heading('Annual Report', 1, [0, 0.02, 1, 0.05]),
        paragraph(`Text ${'abcd'[number - 1]}.`),
      ];
      const foot = paragraph(number === 4 ? 'Printed by us' : `Page ${number} of 4`, [0, 0.94, 1, 0.97]);
      return { page, blocks: [...texts, foot] };
    });
    expect(toChunks(pages).map(({ text }) => text)).toEqual([
      'Text a.',
      'Text b.',
      'Text c.',
      'Text d.\nPrinted by us',
    ]);
    const heads = (texts: string[]) =>
      toChunks(
        texts.map((text, at) => ({
          page: unread(at + 1).page,
          blocks: [paragraph(text, [0, 0.02, 1, 0.05])],
        })),
      );
    expect(heads(['Total: 100', 'Total: 200', 'Total: 300'])).toHaveLength(3);
    expect(heads(['Invoice 1', 'Invoice 2', 'Invoice 3'])).toHaveLength(3);
    expect(heads(['House rules', 'House rules', 'House rules'])).toHaveLength(1);
    expect(heads(['- 1 -', '- 2 -', '- 3 -'])).toHaveLength(0);
  });

  test('a table without rows is none', () => {
    const { page } = unread(1);
    const table: PageTable = { page, box: [0, 0, 1, 1], rowCount: 0, colCount: 0, cells: [], confidence: 1 };
    expect(toChunks([{ page, blocks: [{ kind: 'table', table, box: table.box }] }])).toEqual([]);
  });
});

describe('blocks of a page', () => {
  type Line = [text: string, x: number, y: number];
  const blocksOf = (lines: Line[], change: (page: Page) => Page = (page) => page) => {
    const sheet = new Sheet(595, { size: 9 });
    const page = toPage(sheet, { slip: 0, join: 0, jitter: 0 }, 1);
    const words = lines.flatMap(([line, x, y]) => {
      let from = x;
      return line.split(' ').map((text): Word => {
        const to = from + 4.5 * text.length;
        const box: Box = [from, y - 9, to, y];
        from = to + 2.5;
        return { text, box, baseline: y - 2, size: 9, bold: false, turned: false, source: 'text_layer' };
      });
    });
    return pageBlocks(change({ ...page, words }), []).map((block) =>
      block.kind === 'table' ? 'table' : `${block.kind}: ${block.text}`,
    );
  };
  const full = 'the ferry leaves the northern pier each morning at six';

  test('a column of prose with a list of numbers in it is read before the one beside it', () => {
    const left = [0, 1, 2, 3, 4].map((row): Line => [`${row} left ${full}`, 50, 100 + 12 * row]);
    const right = [0, 1, 2, 3, 4].map((row): Line => [`${row} right ${full}`, 340, 104 + 12 * row]);
    const table = [0, 1, 2].map((row): Line[] => [
      ['Route', 340, 190 + 12 * row],
      ['12', 420, 190 + 12 * row],
      ['44', 480, 190 + 12 * row],
    ]);
    const text = blocksOf([...left, ...right, ...table.flat()]).join(' ');
    expect(text.indexOf('4 left')).toBeLessThan(text.indexOf('0 right'));
    expect(text.indexOf('4 right')).toBeLessThan(text.indexOf('Route'));
  });

  test('lines of an address stay together; a block beside it follows', () => {
    const blocks = blocksOf([
      ['Mr Okafor', 50, 100],
      ['17 Vicarage Gardens', 50, 111],
      ['Lower Denham', 50, 122],
      ['Quotation 0615', 350, 106],
      ['Valid for 60 days', 350, 117],
      [`${full} ${full}`, 50, 180],
    ]);
    expect(blocks.slice(0, 2)).toEqual([
      'paragraph: Mr Okafor\n17 Vicarage Gardens\nLower Denham',
      'paragraph: Quotation 0615\nValid for 60 days',
    ]);
  });

  test('bullets that are drawn make items; initials of a name none', () => {
    const lines: Line[] = [
      ['dock doors', 60, 100],
      ['returns cage', 60, 112],
      ['J. Hargreaves', 50, 160],
    ];
    const fills: Box[] = [
      [52, 94, 55, 97],
      [52, 106, 55, 109],
    ];
    expect(blocksOf(lines, (page) => ({ ...page, fills }))).toEqual([
      'item: dock doors',
      'item: returns cage',
      'paragraph: J. Hargreaves',
    ]);
  });

  test('a line in capitals that stands alone heads what follows', () => {
    const lines: Line[] = [
      ['Mill Lane 4', 50, 60],
      ['QUOTATION', 50, 100],
      [full, 50, 140],
    ];
    expect(blocksOf(lines)[1]).toBe('heading: QUOTATION');
  });
});

test('numbers of pages are not of the text', async () => {
  const pdf = await makePdf((_, text) => {
    text(prose, 60, 150);
    text('Page 1 of 1', 280, 815);
  });
  expect((await parse(pdf, { outputFormat: 'markdown', template: 'generic' })).markdown).toBe(`${prose}\n`);
});
