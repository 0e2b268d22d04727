/** An answer as tables: one for the fields, one for each table of the document. */
import type { DocumentsResult } from '../../../../server/api/services/documents.ts';
import { toCsv } from '../../export/csv.ts';
import type { WorksheetData } from '../../export/workbook.ts';
import { t } from '../../strings/t.ts';
import { type Field, isItems, type LineItem, toText } from './field-groups.ts';

const header = ['field', 'value', 'currency', 'confidence', 'page', 'x0', 'y0', 'x1', 'y1', 'raw'];

type Cells = (string | number | null)[];

export const fieldsCsv = (result: DocumentsResult): string => toCsv(fieldRows(result));

function fieldRows(result: DocumentsResult): Cells[] {
  const rows: Cells[] = [header];
  for (const [name, field] of Object.entries(result.fields)) {
    if (!isItems(field)) rows.push(toRow(name, field));
    else {
      field.value.forEach((item, index) => {
        for (const [key, cell] of Object.entries(item)) rows.push(toRow(`${name}[${index}].${key}`, cell));
      });
    }
  }
  return rows;
}

const toRow = (name: string, field: Field | LineItem[string]): Cells => [
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

/** Texts that are numbers become numbers, so that a spreadsheet can add them up. */
const toNumber = (text: string): string | number =>
  /^-?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d+)?$/.test(text) && !/^-?0\d/.test(text)
    ? Number(text.replaceAll(',', ''))
    : text;

export const tableSheet = (table: DocumentsResult['tables'][number], index: number): WorksheetData => ({
  name: t('documents.table_name', { number: index + 1 }),
  rows: table.rows.map((row) => row.map(toNumber)),
});

/** The value of a field is its second cell. */
const withNumber = ([name = '', value = '', ...rest]: Cells): Cells => [
  name,
  typeof value === 'string' ? toNumber(value) : value,
  ...rest,
];

/** One sheet of fields and one for each table. */
export const answerSheets = (result: DocumentsResult): WorksheetData[] => [
  { name: t('documents.fields'), rows: fieldRows(result).map(withNumber) },
  ...result.tables.map(tableSheet),
];
