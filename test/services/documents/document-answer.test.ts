import { expect, test } from 'vitest';
import type { ParseResult } from '../../../server/engine/documents/types.ts';
import { toWire } from '../../../server/services/documents/document-answer.ts';

const at = { confidence: 1, page: 1, bbox: [0, 0, 1, 1] as [number, number, number, number] };
const field = { ...at, value: 'x', raw: 'x', evidence: { rule: 'mrz' as const, sources: [] } };

test('a document leaves in the words of the wire, and its fields keep their names', () => {
  const result: Pick<ParseResult, 'fields' | 'tables' | 'signatures'> = {
    fields: {
      rowSpan: { ...field, mrzValid: false },
      filledBy: { ...field, filledBy: 'chat@1' },
      plain: field,
    },
    tables: [
      { ...at, rows: [['x']], cells: [{ row: 0, col: 0, rowSpan: 1, colSpan: 2, text: 'x', bbox: at.bbox }] },
    ],
    signatures: [{ ...at, kind: 'digital', signed: true, signedAt: '2026-03-14T07:30:12Z' }],
  };
  const wire = toWire(result);
  expect(wire.fields).toEqual({
    rowSpan: { ...field, mrz_valid: false },
    filledBy: { ...field, filled_by: 'chat@1' },
    plain: field,
  });
  expect(wire.tables[0]?.cells).toEqual([
    { row: 0, col: 0, row_span: 1, col_span: 2, text: 'x', bbox: at.bbox },
  ]);
  expect(wire.signatures).toEqual([
    { ...at, kind: 'digital', signed: true, signed_at: '2026-03-14T07:30:12Z' },
  ]);
});
