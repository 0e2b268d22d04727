/** CSV as RFC 4180 has it, read and written. */
import { toCsvCell } from '../../../server/api/services/csv-cell.ts';

export function toCsv(rows: readonly (readonly (string | number | boolean | null)[])[]): string {
  return rows.map((row) => `${row.map(toCsvCell).join(',')}\r\n`).join('');
}

/** Rows of cells; the delimiter is the likeliest of comma, semicolon and tab. Blank lines are dropped. */
export function parseCsv(input: string): string[][] {
  const text = input.replace(/^\uFEFF/, '');
  const delimiter = guessDelimiter(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index] as string;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[index + 1] === '"') {
        cell += '"';
        index += 1;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === delimiter) {
      row.push(cell);
      cell = '';
    } else if (char === '\n') {
      row.push(cell);
      rows.push(row);
      row = [];
      cell = '';
    } else if (char !== '\r') cell += char;
  }
  row.push(cell);
  rows.push(row);
  return rows.filter((cells) => cells.some((value) => value.trim() !== ''));
}

function guessDelimiter(text: string): string {
  const head = text.slice(0, Math.max(text.indexOf('\n'), 0) || text.length).replace(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((char) => ({ char, count: head.split(char).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).char;
}
