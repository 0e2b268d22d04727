/** Receipts and invoices written by hand as plain text: columns are places, the first character of a line its print. */

import { readFileSync } from 'node:fs';
import { type Print, Sheet } from './generated/sheet.ts';

export interface WrittenPaper {
  country: string;
  sheet: Sheet;
  /** As printed; the total as a number, dates as ISO 8601. */
  truth: Record<string, string | number>;
}

const size = 9;
/** Width of a column in points, and of a character that takes two. */
const columnWidth = 0.52 * size;
const wide = /[\u2e80-\u9fff\uff00-\uffef]/;
const prints: Record<string, Print> = {
  '|': {},
  '*': { bold: true },
  '!': { size: 1.7 * size, bold: true },
  '.': { size: 0.8 * size },
};

const columnsOf = (text: string): number =>
  [...text].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0);

function toPaper(text: string): WrittenPaper {
  const [header = '', body = ''] = text.split(/^---\n/mu);
  const [country = '', ...fields] = header.trim().split('\n');
  const truth = Object.fromEntries(
    fields.map((field) => {
      const [name = '', value = ''] = field.split(/: (.*)/su);
      return [name, name === 'total' ? Number(value) : value];
    }),
  );
  const lines = body.trimEnd().split('\n');
  const columns = Math.max(...lines.map(columnsOf));
  const margin = 30;
  const sheet = new Sheet(columns * columnWidth + 2 * margin, { margin, size, leading: 1.4 });
  for (const line of lines) {
    const print = prints[line.charAt(0)] ?? {};
    for (const run of line.slice(1).matchAll(/\S+(?: \S+)*/gu))
      sheet.at(run[0], margin + columnWidth * columnsOf(line.slice(1, 1 + run.index)), print);
    sheet.down(1, Math.max(size, print.size ?? size));
  }
  return { country, sheet, truth };
}

export function writtenPapers(kind: 'invoices' | 'receipts'): WrittenPaper[] {
  const file = new URL(`../../fixtures/documents/written-${kind}.txt`, import.meta.url);
  return readFileSync(file, 'utf8').split(/^=== /mu).slice(1).map(toPaper);
}
