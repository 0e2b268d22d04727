import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv, toCsv } from '../../renderer/src/export/csv.ts';
import { siblingName } from '../../renderer/src/export/download.ts';
import { fieldsCsv } from '../../renderer/src/pages/documents/document-exports.ts';
import type { DocumentsResult } from '../../server/api/services/documents.ts';
import { toCsv as tableCsv } from '../../server/services/documents/document-tables.ts';

describe('CSV', () => {
  it('quotes what needs quoting and disarms formulas', () => {
    expect(toCsv([['a,b', 'say "hi"', 'two\nlines', '=1+1', -5, null, true]])).toBe(
      '"a,b","say ""hi""","two\nlines",\'=1+1,-5,,true\r\n',
    );
  });

  it('leaves amounts with their sign and lone dashes as they are, as the server does', () => {
    const rows = [['-343.45', '-1,234.00', '+12 %', '-5%', '-1.5e-3', '-', '-1+1', '+cmd()', '-A1', '@x']];
    const written = "-343.45,\"-1,234.00\",+12 %,-5%,-1.5e-3,-,'-1+1,'+cmd(),'-A1,'@x\r\n";
    expect(toCsv(rows)).toBe(written);
    expect(tableCsv({ rows })).toBe(written);
  });

  it('reads back what it writes', () => {
    const cell = fc
      .string({ minLength: 1 })
      .filter((text) => text.trim() !== '' && !/^[=+\-@\t\r]/.test(text) && !text.includes('\r'));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const plain = rows.map((row) => ['x', 'y', ...row]);
        expect(parseCsv(`h,i,j,k,l\r\n${toCsv(plain)}`).slice(1)).toEqual(plain);
      }),
    );
  });

  it('finds the delimiter, drops the byte order mark and blank lines', () => {
    expect(parseCsv('\uFEFFa;b\n"1;2";3\n\n')).toEqual([
      ['a', 'b'],
      ['1;2', '3'],
    ]);
    expect(parseCsv('a\tb\n1\t2')).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
    expect(parseCsv('only\nlines')).toEqual([['only'], ['lines']]);
  });
});

describe('fields of a document', () => {
  it('become rows, line items one a cell', () => {
    const at = { confidence: 0.9, page: 1, bbox: [0, 0, 1, 0.5], raw: 'r' };
    const result = {
      fields: {
        total: { value: 12.5, currency: 'MYR', ...at },
        items: { value: [{ qty: { value: 2, ...at } }], ...at, raw: null },
        note: { value: null, confidence: 0.1, page: null, bbox: null, raw: null },
      },
    } as unknown as DocumentsResult;
    expect(parseCsv(fieldsCsv(result))).toEqual([
      ['field', 'value', 'currency', 'confidence', 'page', 'x0', 'y0', 'x1', 'y1', 'raw'],
      ['total', '12.5', 'MYR', '0.9', '1', '0', '0', '1', '0.5', 'r'],
      ['items[0].qty', '2', '', '0.9', '1', '0', '0', '1', '0.5', 'r'],
      ['note', '', '', '0.1', '', '', '', '', '', ''],
    ]);
  });

  it('are saved beside their file', () => {
    expect(siblingName('my.scan.pdf', 'fields.csv')).toBe('my.scan.fields.csv');
  });
});
