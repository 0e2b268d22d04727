/** CSV and its kin: the delimiter by its regularity, quotes as RFC 4180 has them. */

import { maxSheetCells } from '../../limits.ts';
import type { Flow } from '../flow.ts';
import { emptyFlow, plainCell } from '../flow.ts';

const delimiters = [',', ';', '\t', '|'] as const;
const sampleRecords = 60;
/** Of the sample's records, with as many fields as the commonest. */
const regularShare = 0.9;

function* records(text: string, delimiter: string): Generator<string[]> {
  let [fields, field, at] = [[] as string[], '', 0];
  while (at < text.length) {
    const sign = text[at]!;
    if (sign === '"' && field === '') {
      const parts: string[] = [];
      for (;;) {
        const end = text.indexOf('"', at + 1);
        parts.push(text.slice(at + 1, end < 0 ? text.length : end));
        at = end < 0 ? text.length : end + 1;
        if (text[at] !== '"') break;
        parts.push('"');
      }
      field = parts.join('');
    } else if (sign === delimiter) {
      fields.push(field);
      field = '';
      at++;
    } else if (sign === '\n' || sign === '\r') {
      fields.push(field);
      yield fields;
      [fields, field] = [[], ''];
      at += sign === '\r' && text[at + 1] === '\n' ? 2 : 1;
    } else {
      field += sign;
      at++;
    }
  }
  if (field !== '' || fields.length > 0) yield [...fields, field];
}

/** Characters of a field, in the mean: clauses between the commas of prose are longer. */
const longestMeanField = 40;

const isBlank = (fields: readonly string[]): boolean => fields.every((field) => field.trim() === '');

/** The sign between a file's fields; null where it is running text. */
export function delimiterOf(text: string): string | null {
  let best: { delimiter: string; width: number } | null = null;
  for (const delimiter of delimiters) {
    const widths: number[] = [];
    let letters = 0;
    for (const record of records(text.slice(0, 1 << 16), delimiter)) {
      if (isBlank(record)) continue;
      widths.push(record.length);
      letters += record.join('').length;
      if (widths.length >= sampleRecords) break;
    }
    const counts = Map.groupBy(widths, (width) => width);
    const [width = 0, alike = []] = [...counts].toSorted((a, b) => b[1].length - a[1].length)[0] ?? [];
    const fields = widths.reduce((sum, count) => sum + count, 0);
    if (delimiter !== '\t' && letters > longestMeanField * fields) continue;
    const regular = widths.length >= 2 && alike.length >= regularShare * widths.length;
    if (regular && width >= 2 && (!best || width > best.width)) best = { delimiter, width };
  }
  return best?.delimiter ?? null;
}

export function readDelimitedText(text: string, delimiter: string): Flow {
  const flow = emptyFlow();
  const rows: string[][] = [];
  let left = maxSheetCells;
  for (const record of records(text, delimiter)) {
    if (isBlank(record)) continue;
    left -= record.length;
    if (left < 0) {
      flow.warnings.push(`The file has more than ${maxSheetCells} fields: only so many were read.`);
      break;
    }
    rows.push(record.map((field) => field.trim()));
  }
  const width = Math.max(0, ...rows.slice(0, 10_000).map((row) => row.length));
  for (const row of rows) while (row.length < width) row.push('');
  if (rows.length > 0)
    flow.sections.push({
      kind: 'sheet',
      parts: [{ kind: 'table', rows: rows.map((row) => row.map(plainCell)) }],
    });
  return flow;
}
