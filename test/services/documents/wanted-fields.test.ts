import { describe, expect, test } from 'vitest';
import type { FieldEntry, ParseResult } from '../../../server/engine/documents/types.ts';
import { toSchema, wantedFields } from '../../../server/services/documents/wanted-fields.ts';
import { coldStore, emptyResult } from '../../support/documents/cold-store.ts';

describe('what is asked for', () => {
  const found = {
    value: 'x',
    confidence: 1,
    page: 1,
    bbox: [0, 0, 1, 1],
    raw: 'x',
    evidence: { rule: 'label', sources: [] },
  } satisfies FieldEntry;
  const result = (type: string, fields: string[]): ParseResult => ({
    ...emptyResult(type),
    fields: Object.fromEntries(fields.map((name) => [name, found])),
  });
  const names = (...args: Parameters<typeof wantedFields>) => wantedFields(...args).map(({ name }) => name);

  test('fields of the template that the rules did not find', () => {
    expect(names(result('custom:cold-store', ['reference', 'total']), coldStore)).toEqual([
      'checked_by',
      'checked',
      'code',
    ]);
    expect(names(result('invoice', ['invoice_number', 'total']), null)).toContain('due_date');
  });

  test('nothing of a document of another kind, nor of one without a list of fields', () => {
    expect(names(result('custom:cold-store', []), coldStore)).toEqual([]);
    for (const type of ['generic', 'passport', 'mykad'])
      expect(names(result(type, ['name']), null)).toEqual([]);
  });

  test('as texts or null, every one of them', () => {
    expect(toSchema(coldStore.fields.slice(0, 1))).toEqual({
      type: 'object',
      properties: {
        reference: { anyOf: [{ type: 'string', minLength: 1, maxLength: 200 }, { type: 'null' }] },
      },
      required: ['reference'],
      additionalProperties: false,
    });
  });
});
