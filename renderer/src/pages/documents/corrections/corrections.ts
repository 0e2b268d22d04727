/**
 * Corrections of an answer by a person. The answer itself stays as it came; corrections lie over it and are exported
 * with it.
 */
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { isItems, itemColumns, type LineItem } from '../field-groups.ts';

/** By place: `total`, `line_items[0].amount`, `table:0:2:1` (table, row, column). */
export type Corrections = ReadonlyMap<string, string>;

export const itemPlace = (name: string, row: number, key: string): string => `${name}[${row}].${key}`;
export const cellPlace = (table: number, row: number, col: number): string => `table:${table}:${row}:${col}`;

const number = /^-?[\d,]*\.?\d+$/;
const isoDate = /^\d{4}-\d{2}-\d{2}$/;

const isDate = (text: string): boolean =>
  isoDate.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

/** Day first, as here: `14/04/2026`, `14-4-2026`, `14.4.2026`; or `14 April 2026`. */
const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;
const worded = /^(\d{1,2}) +(\p{L}{3,}) +(\d{4})$/u;
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const malayMonths: Record<string, string> = {
  mac: 'mar',
  mei: 'may',
  jul: 'jul',
  ogo: 'aug',
  okt: 'oct',
  dis: 'dec',
};

/** A date as it is kept, of one as people write it; other texts stay as they are. */
export function toIsoDate(text: string): string {
  const trimmed = text.trim();
  const [, day, word, year] = dayFirst.exec(trimmed) ?? worded.exec(trimmed) ?? [];
  if (!day || !word || !year) return trimmed;
  const short = word.slice(0, 3).toLowerCase();
  const month = /^\d/.test(word) ? Number(word) : months.indexOf(malayMonths[short] ?? short) + 1;
  const iso = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(iso) ? iso : trimmed;
}

/** The kind of text that a value can be corrected to; null: `text` is of that kind. A value that is taken away is none. */
export function expectedKind(text: string, before: unknown): 'number' | 'date' | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (typeof before === 'number') return number.test(trimmed) ? null : 'number';
  if (typeof before === 'string' && isDate(before)) return isDate(toIsoDate(trimmed)) ? null : 'date';
  return null;
}

/** A corrected value keeps its kind: a number stays one, and nothing is null. */
function toValue(text: string, before: unknown): string | number | boolean | null {
  if (text.trim() === '') return null;
  if (typeof before === 'number' && number.test(text.trim())) return Number(text.replaceAll(',', ''));
  if (typeof before === 'string' && isDate(before)) return toIsoDate(text);
  if (typeof before === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** `corrected`: by the person at the page, who is sure; told in what is exported. */
type Field = DocumentsResult['fields'][string] & { corrected?: true };

/** A cell of a line item that was not read. */
const missing = { value: null, raw: null, confidence: 0, bbox: null };

/** A value of the column: what is filled in is of its kind. */
export const kindOfColumn = (items: readonly LineItem[], key: string): unknown =>
  items.map((item) => item[key]?.value).find((value) => value !== null && value !== undefined);

function correctedField(name: string, field: Field, corrections: Corrections): Field {
  if (isItems(field)) {
    const columns = itemColumns(field.value);
    const value = field.value.map((item, row) => {
      const corrected = columns.flatMap((key) => {
        const text = corrections.get(itemPlace(name, row, key));
        if (text === undefined) return [];
        const cell = item[key] ?? { ...missing, page: field.page };
        const before = cell.value ?? kindOfColumn(field.value, key);
        return [[key, { ...cell, value: toValue(text, before), confidence: 1, corrected: true }] as const];
      });
      return { ...item, ...Object.fromEntries(corrected) };
    });
    return { ...field, value };
  }
  const text = corrections.get(name);
  return text === undefined
    ? field
    : { ...field, value: toValue(text, field.value), confidence: 1, corrected: true };
}

/** The answer with what the person set right; what a person says is sure. */
export function toCorrected(result: DocumentsResult, corrections: Corrections): DocumentsResult {
  if (corrections.size === 0) return result;
  const fields = Object.fromEntries(
    Object.entries(result.fields).map(([name, field]) => [name, correctedField(name, field, corrections)]),
  );
  const tables = result.tables.map((table, index) => ({
    ...table,
    rows: table.rows.map((row, r) => row.map((text, c) => corrections.get(cellPlace(index, r, c)) ?? text)),
    cells: table.cells.map((cell) => ({
      ...cell,
      text: corrections.get(cellPlace(index, cell.row, cell.col)) ?? cell.text,
    })),
  }));
  return { ...result, fields, tables };
}

function textAt(result: DocumentsResult, place: string): string {
  const cell = /^table:(\d+):(\d+):(\d+)$/.exec(place);
  if (cell) {
    const [table, row, col] = cell.slice(1).map(Number) as [number, number, number];
    return result.tables[table]?.rows[row]?.[col] ?? '';
  }
  const item = /^(.+)\[(\d+)\]\.(.+)$/.exec(place);
  const field = result.fields[item ? item[1]! : place];
  if (!field) return '';
  if (item) return isItems(field) ? String(field.value[Number(item[2])]?.[item[3]!]?.value ?? '') : '';
  return String(field.value ?? '');
}

export interface CorrectionEntry {
  place: string;
  from: string;
  to: string;
}

/** Each correction with what stood there before; what agrees with the answer is none. */
export const toEntries = (result: DocumentsResult, corrections: Corrections): CorrectionEntry[] =>
  [...corrections]
    .map(([place, to]) => ({ place, from: textAt(result, place), to }))
    .filter(({ from, to }) => from !== to);

/** The answer as a file: corrected, with the list of corrections where there are any. */
export function answerJson(result: DocumentsResult, corrections: Corrections): string {
  const entries = toEntries(result, corrections);
  const answer = toCorrected(result, corrections);
  return JSON.stringify(entries.length > 0 ? { ...answer, corrections: entries } : answer, null, 2);
}
