/** Office Open XML workbooks (.xlsx). The writer is loaded when the first one is asked for. */

export interface WorksheetData {
  name: string;
  rows: readonly (readonly (string | number | boolean | null)[])[];
}

/** Names of sheets: at most 31 characters, none of `\ / ? * [ ] :`. */
const sheetName = (name: string): string => name.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, 31) || 'Sheet';

const toCell = (value: string | number | boolean | null) =>
  value === null || value === '' ? null : { value, type: typeOf(value) };

const typeOf = (value: string | number | boolean) =>
  typeof value === 'number' ? Number : typeof value === 'boolean' ? Boolean : String;

export async function toWorkbook(sheets: WorksheetData[]): Promise<Blob> {
  const { default: write } = await import('write-excel-file/universal');
  const written = write(
    sheets.map(({ name, rows }) => ({ sheet: sheetName(name), data: rows.map((row) => row.map(toCell)) })),
  );
  return written.toBlob();
}
