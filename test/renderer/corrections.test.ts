import { describe, expect, it } from 'vitest';
import {
  expectedKind,
  toCorrected,
  toIsoDate,
} from '../../renderer/src/pages/documents/corrections/corrections.ts';
import type { DocumentsResult } from '../../server/api/services/documents.ts';

const field = (value: string | number) => ({ value, confidence: 0.7, page: 1, bbox: [0, 0, 1, 1], raw: '' });
const read = {
  fields: { total: field(42.5), due: field('2026-11-22') },
  tables: [],
} as unknown as DocumentsResult;

describe('corrections', () => {
  it.each([
    ['1,234.50', 42.5, null],
    ['abc', 42.5, 'number'],
    ['2026-02-28', '2026-11-22', null],
    ['2026-02-30', '2026-11-22', 'date'],
    ['14/04/2026', '2026-11-22', null],
    ['31/02/2026', '2026-11-22', 'date'],
    ['tomorrow', '2026-11-22', 'date'],
    ['anything', 'text', null],
    ['', 42.5, null],
  ])('of %j in the place of %j asks for %j', (text, before, kind) => {
    expect(expectedKind(text, before)).toBe(kind);
  });

  it.each([
    ['14/04/2026', '2026-04-14'],
    ['4.4.2026', '2026-04-04'],
    ['14 April 2026', '2026-04-14'],
    ['3 Ogos 2026', '2026-08-03'],
    ['2026-04-14', '2026-04-14'],
    ['04/31/2026', '04/31/2026'],
  ])('read %j as %j', (text, iso) => {
    expect(toIsoDate(text)).toBe(iso);
  });

  it('keep a date as it is kept everywhere', () => {
    expect(toCorrected(read, new Map([['due', '14/04/2026']])).fields.due?.value).toBe('2026-04-14');
  });

  it('keep the kind of the value and say whose they are', () => {
    const { fields } = toCorrected(read, new Map([['total', '1,234.50']]));
    expect(fields.total).toMatchObject({ value: 1234.5, corrected: true });
    expect(fields.due).toEqual(read.fields.due);
  });

  it('fill in the cell of a line item that was not read, in the kind of its column', () => {
    const items = {
      fields: {
        line_items: {
          ...field(''),
          value: [{ amount: field(5), unit_price: field(2.5) }, { amount: field(645) }],
        },
      },
      tables: [],
    } as unknown as DocumentsResult;
    const { fields } = toCorrected(items, new Map([['line_items[1].unit_price', '215.00']]));
    const rows = fields.line_items?.value as unknown as Record<string, { value: unknown }>[];
    const [first, second] = rows;
    expect(second?.unit_price).toMatchObject({ value: 215, corrected: true, bbox: null });
    expect(second?.amount?.value).toBe(645);
    expect(first).toEqual((items.fields.line_items as unknown as { value: unknown[] }).value[0]);
  });

  it('an emptied value is none', () => {
    expect(toCorrected(read, new Map([['due', ' ']])).fields.due?.value).toBeNull();
  });
});
