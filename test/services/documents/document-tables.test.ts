import { expect, test } from 'vitest';
import { readFlow } from '../../../server/engine/documents/office/read-flow.ts';
import { toCsv, toWorkbook } from '../../../server/services/documents/document-tables.ts';

const rows = [
  ['Item', 'Amount', ''],
  ['<Tea> & "milk"\u0001', '12.50', '007'],
  ['=HYPERLINK("x")', '-3', '1,200.00'],
];

test('a workbook has a sheet for each table, and its cells come back', () => {
  const { sections } = readFlow(
    toWorkbook([
      { page: 1, rows },
      { page: 4, rows: [['茶', '2']] },
    ]),
  );
  const cells = sections.map(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === 'table' ? [part.rows.map((row) => row.map(({ text }) => text))] : [],
    ),
  );
  expect(cells).toEqual([
    [
      [
        ['Item', 'Amount', ''],
        ['<Tea> & "milk"', '12.5', '007'],
        ['=HYPERLINK("x")', '-3', '1,200.00'],
      ],
    ],
    [[['茶', '2']]],
  ]);
});

test('decimals behind a comma are numbers where their column shows it', () => {
  const workbook = toWorkbook([
    {
      page: 1,
      rows: [
        ['Hours', 'Amount', 'Part', 'Mixed'],
        ['12,5', '5.250,00', '1,234', '1,50'],
        ['3', 'n/a', '2', '2.50'],
      ],
    },
  ]);
  const rows = readFlow(workbook).sections.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.kind === 'table' ? part.rows.map((row) => row.map(({ text }) => text)) : [],
    ),
  );
  expect(rows).toEqual([
    ['Hours', 'Amount', 'Part', 'Mixed'],
    ['12.5', '5250', '1,234', '1,50'],
    ['3', 'n/a', '2', '2.5'],
  ]);
});

test('a workbook has tables of very many rows', () => {
  const rows = Array.from({ length: 200_000 }, () => ['1,5']);
  expect(toWorkbook([{ page: 1, rows }]).length).toBeGreaterThan(1_000);
});

test('a document without tables is a workbook with an empty sheet', () => {
  const parts = readFlow(toWorkbook([])).sections.flatMap((section) => section.parts);
  expect(parts).toEqual([expect.objectContaining({ kind: 'heading', text: 'Tables' })]);
});

test('comma-separated values quote what parts cells and begin no formula; signed amounts stay', () => {
  expect(toCsv({ rows })).toBe(
    'Item,Amount,\r\n"<Tea> & ""milk""\u0001",12.50,007\r\n"\'=HYPERLINK(""x"")",-3,"1,200.00"\r\n',
  );
  expect(toCsv({ rows: [['+cmd|x', '@a', '-1.5%', '+60 12']] })).toBe("'+cmd|x,'@a,-1.5%,+60 12\r\n");
});
