import { describe, expect, it } from 'vitest';
import {
  emptyBatch,
  sortDocuments,
  withAnswer,
  withFiles,
  withItem,
} from '../../renderer/src/pages/documents/batch/batch.ts';
import {
  isApprovable,
  needsReview,
  toBatchGrid,
  toKindGrids,
} from '../../renderer/src/pages/documents/batch/batch-grid.ts';
import type { DocumentsResult } from '../../server/api/services/documents.ts';

const toResult = (type: string, confidences: Record<string, number>): DocumentsResult =>
  ({
    type,
    confidence: 0.99,
    tables: [],
    fields: Object.fromEntries(
      Object.entries(confidences).map(([name, confidence]) => [name, { value: `${name}!`, confidence }]),
    ),
  }) as unknown as DocumentsResult;

const results = [
  toResult('invoice', { number: 0.97, total: 0.95 }),
  toResult('receipt', { total: 0.9 }),
  toResult('invoice', { number: 0.6, date: 0.9 }),
  null,
];
const batch = results.reduce(
  (built, result, id) =>
    withItem(built, id, result ? { state: 'done', result } : { state: 'failed', problem: 'no' }),
  withFiles(
    emptyBatch,
    ['a', 'b', 'c', 'd'].map((name) => new File([], `${name}.pdf`)),
  ),
);

describe('a batch', () => {
  it('takes every kind that the page reads alone', () => {
    const names = ['a.pdf', 'b.XLSX', 'c.docx', 'd.eml', 'e.msg', 'f.tiff', 'g.csv', 'h.exe'];
    const hidden = ['.DS_Store', '._a.pdf'];
    const sorted = sortDocuments([...names, ...hidden].map((name) => new File([], name)));
    expect(sorted).toMatchObject({ others: ['h.exe'], hidden: 2 });
    const { items } = withFiles(emptyBatch, sorted.taken);
    expect(items.map(({ name }) => name)).toEqual(names.slice(0, 7));
  });
});

describe('the review of a batch', () => {
  it('makes a table a kind, what failed last, the least sure first, the total before the fields of the paper', () => {
    const grids = toKindGrids(batch.items);
    expect(grids.map(({ kind }) => kind)).toEqual(['invoice', 'receipt', null]);
    expect(grids[0]).toMatchObject({
      header: ['file', 'least_confidence', 'total', 'number', 'date'],
      rows: [
        ['c.pdf', 0.6, null, 'number!', 'date!'],
        ['a.pdf', 0.95, 'total!', 'number!', null],
      ],
    });
    expect(grids[2]?.rows).toEqual([['d.pdf', 'no']]);
  });

  it('has nothing to approve where no field was found', () => {
    const fieldless = { ...toResult('generic', {}), confidence: 0 };
    const [item] = withAnswer(batch, 0, fieldless).items;
    expect([needsReview(item!), isApprovable(item!)]).toEqual([false, false]);
    expect(toKindGrids([item!])[0]?.rows).toEqual([['a.pdf', null]]);
    expect(batch.items.map(isApprovable)).toEqual([true, true, true, false]);
  });

  it('shows and exports what was set right, and keeps what was read', () => {
    const read = toResult('invoice', { number: 0.6 });
    const after = withAnswer(batch, 2, read, new Map([['number', 'right']])).items[2];
    expect(after).toMatchObject({ read, result: { fields: { number: { value: 'right', confidence: 1 } } } });
    expect(toBatchGrid([after!])).toEqual({
      header: ['file', 'type', 'confidence', 'problem', 'least_confidence', 'approved', 'number'],
      rows: [['c.pdf', 'invoice', read.confidence, null, Math.min(read.confidence, 1), false, 'right']],
    });
  });

  it('asks for a look at what is not sure, until it is approved', () => {
    const wanting = () => batch.items.filter(needsReview).map(({ name }) => name);
    expect(wanting()).toEqual(['c.pdf', 'd.pdf']);
    expect(
      withItem(batch, 2, { approved: true })
        .items.filter(needsReview)
        .map(({ name }) => name),
    ).toEqual(['d.pdf']);
  });
});
