/** An answer as CSV: one table for the fields, one for each table of the document. */
import type { DocumentsResult } from '../../../../server/api/documents.ts';
import { toCsv } from '../../export/csv.ts';
import { type Field, isItems, type LineItem, toText } from './field-groups.ts';

const header = ['field', 'value', 'currency', 'confidence', 'page', 'x0', 'y0', 'x1', 'y1', 'raw'];

export function fieldsCsv(result: DocumentsResult): string {
  const rows: (string | number | null)[][] = [header];
  for (const [name, field] of Object.entries(result.fields)) {
    if (!isItems(field)) rows.push(toRow(name, field));
    else {
      field.value.forEach((item, index) => {
        for (const [key, cell] of Object.entries(item)) rows.push(toRow(`${name}[${index}].${key}`, cell));
      });
    }
  }
  return toCsv(rows);
}

const toRow = (name: string, field: Field | LineItem[string]): (string | number | null)[] => [
  name,
  toText(field.value),
  field.currency ?? '',
  field.confidence,
  field.page,
  ...(field.bbox ?? ['', '', '', '']),
  field.raw,
];

export const tableCsv = (table: DocumentsResult['tables'][number]): string => toCsv(table.rows);

export const tablesCsv = (result: DocumentsResult): string => result.tables.map(tableCsv).join('\r\n');
