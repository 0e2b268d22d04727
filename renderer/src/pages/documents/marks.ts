/** Boxes of an answer, each with the id that its row in the results carries as well. */
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { isItems, type LineItem } from './field-groups.ts';

export type MarkKind = 'field' | 'item' | 'table' | 'cell' | 'check' | 'signature' | 'stamp' | 'code';

export interface LinkedMark {
  id: string;
  kind: MarkKind;
  page: number;
  bbox: number[];
  label: string;
}

export const markId = {
  field: (name: string) => `field:${name}`,
  item: (name: string, row: number, key: string) => `item:${name}:${row}:${key}`,
  table: (index: number) => `table:${index}`,
  cell: (table: number, row: number, col: number) => `cell:${table}:${row}:${col}`,
  check: (index: number) => `check:${index}`,
  signature: (index: number) => `signature:${index}`,
  stamp: (index: number) => `stamp:${index}`,
  code: (index: number) => `code:${index}`,
};

/** Large boxes first, so that small ones lie on top and can be pointed at. */
export function toMarks(result: DocumentsResult): LinkedMark[] {
  const marks: LinkedMark[] = [];
  for (const [name, field] of Object.entries(result.fields)) {
    if (field.bbox && field.page) {
      marks.push({ id: markId.field(name), kind: 'field', page: field.page, bbox: field.bbox, label: name });
    }
    if (isItems(field)) marks.push(...toItemMarks(name, field.value));
  }
  result.tables.forEach((table, index) => {
    marks.push({ id: markId.table(index), kind: 'table', page: table.page, bbox: table.bbox, label: '' });
    for (const { row, col, bbox, text } of table.cells) {
      marks.push({ id: markId.cell(index, row, col), kind: 'cell', page: table.page, bbox, label: text });
    }
  });
  result.checkboxes.forEach(({ page, bbox, label }, index) => {
    marks.push({ id: markId.check(index), kind: 'check', page, bbox, label });
  });
  result.signatures.forEach(({ page, bbox, signer = '' }, index) => {
    marks.push({ id: markId.signature(index), kind: 'signature', page, bbox, label: signer });
  });
  result.stamps?.forEach(({ page, bbox }, index) => {
    marks.push({ id: markId.stamp(index), kind: 'stamp', page, bbox, label: '' });
  });
  result.barcodes?.forEach(({ page, bbox, text }, index) => {
    marks.push({ id: markId.code(index), kind: 'code', page, bbox, label: text });
  });
  return marks.sort((a, b) => area(b.bbox) - area(a.bbox));
}

const toItemMarks = (name: string, items: LineItem[]): LinkedMark[] =>
  items.flatMap((item, row) =>
    Object.entries(item).flatMap(([key, { page, bbox }]) =>
      page && bbox
        ? [{ id: markId.item(name, row, key), kind: 'item' as const, page, bbox, label: key }]
        : [],
    ),
  );

const area = ([x0 = 0, y0 = 0, x1 = 0, y1 = 0]: number[]): number => (x1 - x0) * (y1 - y0);
