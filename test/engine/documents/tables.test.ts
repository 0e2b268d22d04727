import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adjacencyRelations, countShared, f1 } from '../../support/documents/adjacency.ts';
import { readAnnotation, scoreTables } from '../../support/documents/icdar2013.ts';
import { readCsv, rowsToCells } from '../../support/documents/tabula.ts';
import { dataFolder, hasData, makePdf, parse } from './helpers.ts';

const rule = (page: import('pdf-lib').PDFPage, from: [number, number], to: [number, number]): void =>
  page.drawLine({
    start: { x: from[0], y: 842 - from[1] },
    end: { x: to[0], y: 842 - to[1] },
    thickness: 0.7,
  });

describe('tables', () => {
  test('ruled, with a heading over two columns', async () => {
    const bytes = await makePdf((page, text) => {
      for (const y of [100, 120, 140, 160, 180]) rule(page, [y === 120 ? 150 : 50, y], [350, y]);
      for (const x of [50, 150, 350]) rule(page, [x, 100], [x, 180]);
      rule(page, [250, 120], [250, 180]);
      text('Region', 55, 125);
      text('Visitors', 230, 114);
      text('2024', 190, 134);
      text('2025', 290, 134);
      for (const [row, values] of [
        ['North', '12', '15'],
        ['South', '7', '9'],
      ].entries())
        for (const [col, value] of values.entries()) text(value, 55 + col * 100, 154 + row * 20);
    });
    const { tables } = await parse(bytes);
    expect(tables).toHaveLength(1);
    expect(tables[0]!.rows).toEqual([
      ['Region', 'Visitors', ''],
      ['', '2024', '2025'],
      ['North', '12', '15'],
      ['South', '7', '9'],
    ]);
    const spans = tables[0]!.cells.map(({ text, rowSpan, colSpan }) => [text, rowSpan, colSpan]);
    expect(spans).toContainEqual(['Visitors', 1, 2]);
    expect(spans).toContainEqual(['Region', 2, 1]);
  });

  test('with rules around groups of rows: each line with amounts is a row', async () => {
    const bytes = await makePdf((page, text) => {
      for (const y of [100, 118, 172, 208, 226]) rule(page, [50, y], [500, y]);
      const rows = [
        ['Pos.', 'Item', 'Quantity', 'Price', 'Amount'],
        ['1', 'Wardrobe of oak', '1', '2,480.00', '2,480.00'],
        ['2', 'Fitting', '9 h', '62.00', '558.00'],
        ['3', 'Journey', '1', '35.00', '35.00'],
        ['', '', '', 'Net', '3,073.00'],
        ['', '', '', 'VAT 19 %', '583.87'],
        ['', '', '', 'Total', '3,656.87'],
      ];
      for (const [row, values] of rows.entries())
        for (const [col, value] of values.entries()) text(value, 55 + col * 95, 114 + row * 18);
    });
    const { tables } = await parse(bytes);
    expect(tables[0]!.rows.map((row) => row.at(-1))).toEqual([
      ...['Amount', '2,480.00', '558.00', '35.00', '3,073.00', '583.87', '3,656.87'],
    ]);
  });

  test('without lines: columns by whitespace, wrapped labels, a total', async () => {
    const rows = [
      ['Country', 'Area', 'People'],
      ['Perlis', '821', '285,000'],
      ['Kedah', '9,492', '2,131,000'],
      ['Federal Territory of', '', ''],
      ['Labuan', '92', '95,000'],
      ['Total', '10,405', '2,511,000'],
    ];
    const bytes = await makePdf((_page, text) => {
      text(
        'The figures below are those of the last census, rounded to the next thousand in each of the states.',
        50,
        60,
      );
      for (const [row, values] of rows.entries())
        for (const [col, value] of values.entries())
          if (value) text(value, [60, 220, 320][col]!, 110 + row * 14);
    });
    const { tables } = await parse(bytes);
    expect(tables).toHaveLength(1);
    expect(tables[0]!.rows).toEqual([
      ['Country', 'Area', 'People'],
      ['Perlis', '821', '285,000'],
      ['Kedah', '9,492', '2,131,000'],
      ['Federal Territory of\nLabuan', '92', '95,000'],
      ['Total', '10,405', '2,511,000'],
    ]);
  });

  test('a table that goes on over the page', async () => {
    const part =
      (top: number, first: number): Parameters<typeof makePdf>[0] =>
      (page, text) => {
        text('Annual report of the harbour office, continued from one page to another page', 60, 40);
        for (let row = 0; row <= 12; row++) rule(page, [60, top + row * 18], [420, top + row * 18]);
        for (const x of [60, 180, 300, 420]) rule(page, [x, top], [x, top + 12 * 18]);
        for (let row = 0; row < 12; row++)
          for (let col = 0; col < 3; col++)
            text(`${first + row * 3 + col}`, 65 + col * 120, top + 13 + row * 18);
      };
    const { tables } = await parse(await makePdf(part(560, 100), part(70, 200), part(400, 300)));
    expect(tables.map(({ page, continues }) => [page, continues])).toEqual([
      [1, undefined],
      [2, 0],
      [3, undefined],
    ]);
  });

  test('two columns of prose and a table of contents are no tables', async () => {
    const sentence = 'running text that fills its column from edge to edge';
    const prose = await makePdf((_page, text) => {
      for (let line = 0; line < 20; line++) {
        text(sentence, 50, 80 + line * 13);
        text(sentence, 310, 80 + line * 13);
      }
    });
    const contents = await makePdf((_page, text) => {
      for (let line = 1; line < 12; line++) {
        text(`Chapter ${line} ${'. '.repeat(50)}`, 50, 80 + line * 14);
        text(String(line * 7), 500, 80 + line * 14);
      }
    });
    expect((await parse(prose)).tables).toEqual([]);
    expect((await parse(contents)).tables).toEqual([]);
  });

  test('two columns are read one after the other', async () => {
    const bytes = await makePdf((_page, text) => {
      text('A title over both of the columns of this page, long enough to cross the gutter', 50, 50, 12);
      for (let line = 0; line < 12; line++) {
        text(`left line number ${line} fills the column with words`, 50, 80 + line * 13);
        text(`right line number ${line} fills the column with words`, 310, 80 + line * 13);
      }
    });
    const { text } = await parse(bytes, { outputFormat: 'text' });
    expect(text).toMatch(/A title[\s\S]*left line number 11[\s\S]*right line number 0/);
  });
});

describe.skipIf(!hasData('doc-icdar2013-eu'))('ICDAR 2013, European half (doc-icdar2013-eu)', () => {
  test('adjacency relations', async () => {
    const folder = new URL('doc-icdar2013-eu/', dataFolder);
    const scores: { precision: number; recall: number }[] = [];
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.pdf'))) {
      const expected = readAnnotation(
        readFileSync(new URL(file.replace('.pdf', '-str.xml'), folder), 'utf8'),
      );
      const { tables } = await parse(readFileSync(new URL(file, folder)), { template: 'generic' });
      scores.push(scoreTables(tables, expected));
    }
    const mean = (key: 'precision' | 'recall'): number =>
      scores.reduce((sum, score) => sum + score[key], 0) / scores.length;
    expect(f1(mean('precision'), mean('recall'))).toBeGreaterThan(0.98);
  });
});

describe.skipIf(!hasData('doc-tabula-pdfs'))('tabula test files (doc-tabula-pdfs)', () => {
  test.each([
    ['frx_2012_disclosure', 0.99],
    ['spreadsheet_no_bounding_frame', 0.95],
    ['spanning_cells', 0.95],
    ['twotables', 0.95],
    ['MultiColumn', 0.9],
    ['indictb1h_14', 0.9],
  ])('%s', async (name, floor) => {
    const folder = new URL('doc-tabula-pdfs/', dataFolder);
    const expected = adjacencyRelations(
      rowsToCells(readCsv(readFileSync(new URL(`${name}.csv`, folder), 'utf8'))),
    );
    const { tables } = await parse(readFileSync(new URL(`${name}.pdf`, folder)), { template: 'generic' });
    const found = tables.flatMap((table) => adjacencyRelations(rowsToCells(table.rows)));
    const shared = countShared(found, expected);
    expect(f1(shared / found.length, shared / expected.length)).toBeGreaterThan(floor);
  });
});
