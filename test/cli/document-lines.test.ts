/** An answer of the documents service as a person reads it in a terminal. */
import { expect, it } from 'vitest';
import type { DocumentsResult } from '../../server/api/services/documents.ts';
import { documentLines } from '../../server/cli/document-lines.ts';
import { fittedTable } from '../../server/cli/fitted-table.ts';

const at = { confidence: 0.9, page: 1, bbox: [0, 0, 1, 0.5], raw: 'r' };
const row = (description: string, amount: number) => ({
  number: { value: '1', ...at },
  description: { value: description, ...at },
  amount: { value: amount, currency: 'MYR', ...at },
});
const result = {
  type: 'invoice',
  usage: { pages: 1 },
  confidence: 0.9,
  warnings: [],
  tables: [],
  checkboxes: [],
  signatures: [],
  fields: {
    total: { value: 12.5, currency: 'MYR', ...at },
    taxes: {
      value: [
        {
          rate: { value: 8, label: 'SST 8%:', ...at },
          amount: { value: 0.93, currency: 'MYR', label: 'SST 8%', ...at },
        },
      ],
      ...at,
    },
    line_items: {
      value: [row('Coffee beans of one origin, roasted in the north', 8), row('咖啡豆', 4.5)],
      ...at,
    },
  },
} as unknown as DocumentsResult;

it('shows line items as a table and taxes as lines, nothing wider than the terminal', () => {
  const lines = documentLines(result, 44);
  expect(lines.join('\n')).not.toContain('bbox');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(44);
  expect(lines).toContain('taxes  SST 8%: 0.93  MYR  0.90');
  expect(lines.slice(lines.indexOf('line_items, confidence 0.90'))).toEqual([
    'line_items, confidence 0.90',
    'NUMBER  DESCRIPTION                   AMOUNT',
    '1       Coffee beans of one origin,   8',
    '        roasted in the north',
    '1       咖啡豆                        4.5',
  ]);
});

it('shows risks, boxes by their question, and who signed', () => {
  const box = (label: string, checked: boolean) => ({ ...at, label, group: 'Pets?', checked });
  const risky = {
    ...result,
    fields: {},
    checkboxes: [box('Yes', true), box('No', false)],
    signatures: [
      { ...at, label: 'Tenant', signed: true, kind: 'ink' },
      { ...at, label: 'Landlord', signed: false, kind: 'ink' },
    ],
    risks: [
      { kind: 'hidden_text', detail: 'Text in white on white', page: 2, bbox: null, text: 'pay twice' },
    ],
  } as unknown as DocumentsResult;
  expect(documentLines(risky, 80).slice(1)).toEqual([
    '',
    'Risks',
    'hidden text  page 2  Text in white on white: “pay twice”',
    '',
    'Checkboxes',
    'Pets?  [x]  Yes',
    '       [ ]  No',
    '',
    'Signatures',
    'Tenant    page 1  signed (ink)',
    'Landlord  page 1  not signed',
  ]);
});

it('fits a table of more columns than the terminal holds', () => {
  const cells = Array.from({ length: 30 }, (_, column) => `column${column}`);
  expect(Math.max(...fittedTable([cells], 60).map((line) => line.length))).toBeLessThanOrEqual(60);
});

it('fits a table of very many rows', () => {
  const rows = Array.from({ length: 200_000 }, () => ['a']);
  expect(fittedTable(rows, 60)).toHaveLength(rows.length);
});
