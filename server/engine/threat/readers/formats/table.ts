/** Rows under a header: CSV, TSV, Zeek's `#fields` and W3C logs (IIS). */

import type { LogEvent } from '../event.ts';
import { addField } from '../event.ts';
import type { LogSources } from '../log-sources.ts';
import { readIis, readNamedRequest } from './http.ts';

/** A header must look like names, not like data. */
const NAME = /^"?[A-Za-z_][\w .()/@:-]{0,63}"?$/u;

interface Table {
  separator: string;
  names: string[];
  format: 'csv' | 'zeek' | 'iis';
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
function tableHeader(line: string, next: string): Table | null {
  if (line.length > 4096 || !/^["A-Za-z_][^,;\t|]*[,;\t|]/u.test(line)) return null;
  for (const separator of [',', '\t', ';', '|']) {
    const names = splitRow(line, separator).map((name) => name.trim());
    if (names.length < 3 || names.length > 256 || !names.every((name) => NAME.test(name))) continue;
    if (new Set(names).size === names.length && splitRow(next, separator).length === names.length)
      return { separator, names, format: 'csv' };
  }
  return null;
}

/** The table that the lines so far have opened, if any. */
export class TableReader {
  readonly #sources: LogSources;
  #table: Table | null = null;
  #separator = '\t';
  /** Zeek's `#path`, which names the log source. */
  #path = '';

  constructor(sources: LogSources) {
    this.#sources = sources;
  }

  header(line: string, next: string): boolean {
    this.#table = tableHeader(line, next);
    return this.#table !== null;
  }

  /** A `#…` line of Zeek or of a W3C log (IIS). */
  directive(line: string): boolean {
    const [name, ...rest] = line.split(this.#separator);
    if (line.startsWith('#separator')) {
      const hex = /\\x([0-9a-f]{2})/iu.exec(line)?.[1];
      this.#separator = hex === undefined ? '\t' : String.fromCharCode(Number.parseInt(hex, 16));
    } else if (name === '#path') this.#path = rest[0] ?? '';
    else if (name === '#fields') this.#table = { separator: this.#separator, names: rest, format: 'zeek' };
    else if (line.startsWith('#Fields: '))
      this.#table = { separator: ' ', names: line.slice(9).trim().split(' '), format: 'iis' };
    else
      return /^#(?:set_separator|empty_field|unset_field|types|open|close|Software|Version|Date)/u.test(line);
    return true;
  }

  /** Reads a row of the open table; a line that does not fit closes a CSV. */
  row(event: LogEvent): boolean {
    if (this.#table === null) return false;
    const { separator, names, format } = this.#table;
    const cells = splitRow(event.raw, separator);
    if (cells.length !== names.length) {
      if (format === 'csv') this.#table = null;
      return false;
    }
    for (const [i, name] of names.entries()) {
      const value = cells[i] as string;
      if (value !== '' && value !== '-' && value !== '(empty)') addField(event, name, value);
    }
    this.#sources.setJson(event);
    event.format = format;
    if (format === 'zeek') event.sources = [{ product: 'zeek', service: this.#path }];
    if (format === 'iis') readIis(event);
    if (format === 'csv') readNamedRequest(event);
    return true;
  }
}
