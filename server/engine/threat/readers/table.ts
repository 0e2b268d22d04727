/** Rows under a header: CSV, TSV and Zeek's `#fields`. */

import type { LogEvent } from './event.ts';
import { addField } from './event.ts';

/** A header must look like names, not like data. */
const NAME = /^"?[A-Za-z_][\w .()/@:-]{0,63}"?$/u;

export interface Table {
  separator: string;
  names: string[];
  kind: 'csv' | 'zeek';
  /** Zeek's `#path`, which names the log source. */
  path: string;
}

export function splitRow(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator);
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i += 1) {
    const c = line[i] as string;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (line[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else quoted = false;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === separator) {
      cells.push(cell);
      cell = '';
    } else cell += c;
  }
  cells.push(cell);
  return cells;
}

/** A table when the line is a header of at least three names and the next line has as many cells. */
export function tableHeader(line: string, next: string): Table | null {
  if (line.length > 4096) return null;
  for (const separator of [',', '\t', ';', '|']) {
    const names = splitRow(line, separator).map((name) => name.trim());
    if (names.length < 3 || names.length > 256 || !names.every((name) => NAME.test(name))) continue;
    if (new Set(names).size === names.length && splitRow(next, separator).length === names.length) {
      return { separator, names, kind: 'csv', path: '' };
    }
  }
  return null;
}

export function readRow(event: LogEvent, table: Table): boolean {
  const cells = splitRow(event.raw, table.separator);
  if (cells.length !== table.names.length) return false;
  event.format = table.kind;
  table.names.forEach((name, i) => {
    const value = cells[i] as string;
    if (value !== '' && value !== '-' && value !== '(empty)') addField(event, name, value);
  });
  if (table.kind === 'zeek') event.sources = [{ product: 'zeek', service: table.path }];
  return true;
}
