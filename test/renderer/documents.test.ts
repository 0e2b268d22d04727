import { describe, expect, it } from 'vitest';
import { tabsOf } from '../../renderer/src/pages/documents/document-tabs.ts';
import {
  itemColumns,
  printedForm,
  sumThatDiffers,
  toGroups,
  toLabel,
  toText,
} from '../../renderer/src/pages/documents/field-groups.ts';
import { markId, toMarks } from '../../renderer/src/pages/documents/marks.ts';
import { toGrid } from '../../renderer/src/pages/documents/table-grid.ts';
import { chooseLanguage } from '../../renderer/src/strings/language.ts';
import type { DocumentsResult } from '../../server/api/services/documents.ts';

const at = (bbox: number[], page = 1) => ({ confidence: 0.9, page, bbox, raw: null });

const invoice: DocumentsResult = {
  id: 'req_doc_1',
  model: 'svc-parse-pro',
  created: 1,
  type: 'invoice',
  fields: {
    total: { value: 12.5, currency: 'MYR', ...at([0.5, 0.9, 0.6, 0.95]) },
    seller_name: { value: 'Kedai', ...at([0, 0, 0.2, 0.1]) },
    invoice_number: { value: 'A-1', ...at([0, 0.1, 0.2, 0.2]) },
    line_items: { value: [{ qty: { value: 2, ...at([0, 0.5, 0.1, 0.6]) } }], ...at([0, 0.5, 1, 0.8]) },
    oddity: { value: null, confidence: 0.2, page: null, bbox: null, raw: null },
  },
  tables: [
    {
      page: 2,
      rows: [
        ['Both', ''],
        ['a', 'b'],
      ],
      bbox: [0, 0, 1, 1],
      confidence: 1,
      cells: [
        { row: 0, col: 0, row_span: 1, col_span: 2, text: 'Both', bbox: [0, 0, 1, 0.5] },
        { row: 1, col: 0, row_span: 1, col_span: 1, text: 'a', bbox: [0, 0.5, 0.5, 1] },
      ],
    },
  ],
  checkboxes: [{ label: 'Yes', checked: true, confidence: 1, page: 1, bbox: [0, 0, 0.01, 0.01] }],
  signatures: [{ confidence: 1, page: 1, bbox: [0.3, 0.3, 0.4, 0.4] }],
  warnings: [],
  confidence: 0.9,
  usage: { pages: 2 },
};

describe('toMarks', () => {
  const marks = toMarks(invoice);
  it('has a box for everything with a place, line items cell by cell', () => {
    expect(marks.map(({ id }) => id).toSorted()).toEqual(
      [
        markId.field('total'),
        markId.field('seller_name'),
        markId.field('invoice_number'),
        markId.field('line_items'),
        markId.item('line_items', 0, 'qty'),
        markId.table(0),
        markId.cell(0, 0, 0),
        markId.cell(0, 1, 0),
        markId.check(0),
        markId.signature(0),
      ].toSorted(),
    );
  });
  it('puts small boxes on top', () => {
    expect(marks[0]?.id).toBe(markId.table(0));
    expect(marks.at(-1)?.id).toBe(markId.check(0));
  });
});

describe('toGroups', () => {
  it('orders an invoice as it is read', () => {
    expect(toGroups(invoice).map(({ name, fields }) => [name, fields.map(([key]) => key).join()])).toEqual([
      ['document', 'invoice_number'],
      ['parties', 'seller_name'],
      ['items', 'line_items'],
      ['amounts', 'total'],
      ['pairs', 'oddity'],
    ]);
  });
  it('leaves the pairs of a generic document together', () => {
    expect(toGroups({ ...invoice, type: 'generic' }).map(({ name }) => name)).toEqual(['items', 'pairs']);
  });
});

const storage = { setItem: () => undefined, getItem: () => null } as unknown as Storage;

describe('the parts of a total', () => {
  const amounts = (values: Record<string, number>) =>
    sumThatDiffers({
      ...invoice,
      fields: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { value, ...at([0, 0, 1, 1]) }]),
      ),
    });
  it('are told where they do not add up', () => {
    expect(amounts({ subtotal: 191, tax: 11.46, total: 212.46 })).toEqual({ sum: '202.46', total: '212.46' });
  });
  it.each<Record<string, number>>([
    { subtotal: 191, tax: 11.46, total: 202.46 },
    { subtotal: 100, discount: 10, tax: 5.4, total: 95.4 },
    { subtotal: 106, tax: 6, total: 106 },
    { subtotal: 10.02, rounding: -0.02, total: 10 },
    { total: 5 },
  ])('may be %j', (values) => {
    expect(amounts(values)).toBeNull();
  });
});

describe('field texts', () => {
  it('label names of the templates, not names from the page', () => {
    expect([toLabel('due_date'), toLabel('Order No.')]).toEqual(['Due date', 'Order No.']);
  });
  it('label names of the templates in the language of the interface', async () => {
    await chooseLanguage('ms', storage);
    try {
      expect([toLabel('due_date'), toLabel('Order No.')]).toEqual(['Tarikh akhir bayaran', 'Order No.']);
    } finally {
      await chooseLanguage('en', storage);
    }
  });
  it('write money with its currency', () => {
    expect([toText(1234.5, 'MYR'), toText(3), toText(null), toText('x')]).toEqual([
      '1,234.50 MYR',
      '3',
      '',
      'x',
    ]);
  });
  it('write rates as percentages', () => {
    expect([toText(8, null, 'tax_rate'), toText(8, null, 'quantity')]).toEqual(['8 %', '8']);
  });
  it('repeat what is printed only where it says more', () => {
    expect(printedForm('12 Jalan Ampang\n50450 Kuala Lumpur', '12 Jalan Ampang, 50450 Kuala Lumpur')).toBe(
      null,
    );
    expect(printedForm('12 November 2026', '2026-11-12')).toBe('12 November 2026');
  });
  it('collect the columns of all line items', () => {
    const cell = { value: 1, ...at([0, 0, 1, 1]) };
    expect(itemColumns([{ a: cell }, { b: cell, a: cell }])).toEqual(['a', 'b']);
  });
});

describe('toGrid', () => {
  it('keeps spans and fills places without a cell', () => {
    const [table] = invoice.tables;
    expect(toGrid(table as (typeof invoice.tables)[number])).toEqual([
      [{ row: 0, col: 0, rowSpan: 1, colSpan: 2, text: 'Both' }],
      [
        { row: 1, col: 0, rowSpan: 1, colSpan: 1, text: 'a' },
        { row: 1, col: 1, rowSpan: 1, colSpan: 1, text: 'b' },
      ],
    ]);
  });
});

describe('tabs of the results', () => {
  it('show the risks that a warning points at', () => {
    const values = (result: DocumentsResult) => tabsOf(result).map(({ value }) => value);
    const risk = { kind: 'script' as const, detail: 'A script', page: null, bbox: null };
    expect(values(invoice)).not.toContain('risks');
    expect(values({ ...invoice, risks: [risk] })).toContain('risks');
  });
});
