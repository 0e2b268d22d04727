/** Tables of a document as files: comma-separated values, and a workbook (ECMA-376) with a sheet for each. Pure. */
import { zipSync } from 'fflate';
import { toCsvCell } from '../../api/services/csv-cell.ts';

export interface TableRows {
  page: number;
  rows: readonly (readonly string[])[];
}

export const toCsv = ({ rows }: Pick<TableRows, 'rows'>): string =>
  rows.map((row) => `${row.map(toCsvCell).join(',')}\r\n`).join('');

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const spreadsheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const spreadsheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers that lose nothing as numbers: digits of a registration or an account, and signs of places, stay text. */
const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;
/** A cell of a sheet holds no more; ECMA-376, 18.3.1.96. */
const maxCellLength = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no way to write them
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

const escaped = (text: string): string =>
  text
    .slice(0, maxCellLength)
    .replaceAll(unwritable, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Numbers whose decimals stand behind a comma, with dots between their thousands. */
const commaNumber = /^-?(?:0|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,14})(?:,\d{1,6})?$/;
/** No other writing of a number has these: `12,5`, `5.250,00`. */
const surelyComma = /^-?(?:\d+,\d{1,2}|\d{1,3}(?:\.\d{3})+,\d+)$/;

/** Columns in which a cell shows that decimals stand behind a comma, and none denies it. */
function commaColumns(rows: TableRows['rows']): ReadonlySet<number> {
  const [shown, denied] = [new Set<number>(), new Set<number>()];
  for (const row of rows)
    for (const [column, text] of row.entries()) {
      if (surelyComma.test(text)) shown.add(column);
      if (/\d/.test(text) && !commaNumber.test(text)) denied.add(column);
    }
  return shown.difference(denied);
}

/** A text is written as one, so that none begins a formula. */
function toCell(text: string, hasCommas: boolean): string {
  if (text === '') return '<c/>';
  if (hasCommas && commaNumber.test(text))
    return `<c><v>${text.replaceAll('.', '').replace(',', '.')}</v></c>`;
  if (plainNumber.test(text)) return `<c><v>${text}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

function toSheet(rows: TableRows['rows']): string {
  const commas = commaColumns(rows);
  const cells = rows.map(
    (row) => `<row>${row.map((text, column) => toCell(text, commas.has(column))).join('')}</row>`,
  );
  return `${declaration}<worksheet xmlns="${spreadsheets}"><sheetData>${cells.join('')}</sheetData></worksheet>`;
}

/** Bytes of an .xlsx: one sheet a table, an empty one where there is none. */
export function toWorkbook(tables: readonly TableRows[]): Uint8Array {
  const sheets =
    tables.length === 0
      ? [{ name: 'Tables', rows: [] }]
      : tables.map(({ page, rows }, index) => ({ name: `Table ${index + 1}, page ${page}`, rows }));
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheetType}.sheet.main+xml"/>${sheets.map((_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${spreadsheetType}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${declaration}<workbook xmlns="${spreadsheets}" xmlns:r="${relationships}"><sheets>${sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${packages}/relationships">${sheets.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
  };
  for (const [index, { rows }] of sheets.entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] = toSheet(rows);
  const encoder = new TextEncoder();
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, encoder.encode(xml)])));
}
