/** CSV and its kin: the delimiter by its regularity, quotes as RFC 4180 has them. */

import { maxSheetCells } from '../../limits.ts';
import { isHead } from '../../tables/heads.ts';
import type { Flow } from '../flow.ts';
import { emptyFlow, plainCell } from '../flow.ts';

const delimiters = [',', ';', '\t', '|'] as const;
/** The first line by which a file tells spreadsheets its delimiter. */
const toldDelimiter = /^\uFEFF?sep=([,;\t|])\r?\n/i;
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

interface Sampled {
  delimiter: string;
  /** Fields of its records. */
  widths: number[];
  meanField: number;
}

function sampled(text: string, delimiter: string): Sampled {
  const widths: number[] = [];
  let letters = 0;
  for (const record of records(text, delimiter)) {
    if (isBlank(record)) continue;
    widths.push(record.length);
    letters += record.join('').length;
    if (widths.length >= sampleRecords) break;
  }
  const fields = widths.reduce((sum, count) => sum + count, 0);
  return { delimiter, widths, meanField: letters / fields };
}

const leastRaggedWidth = 3;
/** Of a ragged file's delimiters, followed by a blank: prose sets one behind each. */
const blankShare = 0.2;

/** Records that end early or late below a head: many are as wide as it, none is as narrow as a line of running text. */
function isRagged({ delimiter, widths }: Sampled, width: number, alike: number, text: string): boolean {
  const enough = widths.filter((count) => count >= Math.max(2, width / 2)).length;
  const signs = text.split(delimiter).slice(1);
  return (
    widths.length >= 3 &&
    width >= leastRaggedWidth &&
    widths[0] === width &&
    alike >= widths.length / 2 &&
    enough >= regularShare * widths.length &&
    signs.filter((behind) => behind.startsWith(' ')).length <= blankShare * signs.length
  );
}

/** The sign between a file's fields; null where it is running text. */
export function delimiterOf(text: string): string | null {
  const told = toldDelimiter.exec(text)?.[1];
  if (told) return told;
  const sample = text.slice(0, 1 << 16);
  const fitting = delimiters.flatMap((delimiter) => {
    const found = sampled(sample, delimiter);
    const { widths, meanField } = found;
    const counts = Map.groupBy(widths, (width) => width);
    const [width = 0, alike = []] = [...counts].toSorted((a, b) => b[1].length - a[1].length)[0] ?? [];
    if (width < 2 || (delimiter !== '\t' && meanField > longestMeanField)) return [];
    const isRegular = widths.length >= 2 && alike.length >= regularShare * widths.length;
    if (!isRegular && !isRagged(found, width, alike.length, sample)) return [];
    return [{ delimiter, width, fitsHead: widths[0] === width, isRegular }];
  });
  // Commas part the decimals of numbers in files whose fields another sign parts: the head, which has none, tells.
  const [best] = fitting.toSorted(
    (a, b) =>
      Number(b.fitsHead) - Number(a.fitsHead) ||
      Number(b.isRegular) - Number(a.isRegular) ||
      Number(b.delimiter !== ',') - Number(a.delimiter !== ',') ||
      b.width - a.width,
  );
  return best?.delimiter ?? null;
}

/** Two columns may be labels and their values: then numbers below a text tell. */
function isHeaded([head = [], ...rows]: readonly (readonly string[])[]): boolean {
  const hasNumbers = rows.every(([, second = '']) => /^[\d.,+-]*$/.test(second));
  return isHead(head) && (head.length > 2 || hasNumbers);
}

export function readDelimitedText(text: string, delimiter: string): Flow {
  const flow = emptyFlow();
  const rows: string[][] = [];
  let left = maxSheetCells;
  for (const record of records(text.replace(toldDelimiter, ''), delimiter)) {
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
      parts: [{ kind: 'table', rows: rows.map((row) => row.map(plainCell)), isHeaded: isHeaded(rows) }],
    });
  return flow;
}
