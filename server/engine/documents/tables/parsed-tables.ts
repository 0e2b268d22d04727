/** The tables of a document as they leave in the answer. */

import type { PageTable } from '../document.ts';
import type { ParsedTable } from '../types.ts';
import { continuedTables } from './continued.ts';
import { toParsedTable } from './table.ts';

/** The rows of a later part, under those of the first. */
function extend(whole: ParsedTable, part: ParsedTable): void {
  const below = whole.rows.length;
  for (const row of part.rows) whole.rows.push(row);
  for (const cell of part.cells) whole.cells.push({ ...cell, row: cell.row + below, page: part.page });
}

/** Parts of a table that the file itself tells leave as one: its pages are set by this reader alone. */
export function toParsedTables(tables: PageTable[]): ParsedTable[] {
  const continued = continuedTables(tables);
  const parsed: ParsedTable[] = [];
  const places: number[] = [];
  for (const [index, table] of tables.entries()) {
    const before = continued[index] ?? null;
    const place = before === null ? undefined : places[before];
    if (table.told && place !== undefined) extend(parsed[place]!, toParsedTable(table));
    else parsed.push({ ...toParsedTable(table), ...(place === undefined ? {} : { continues: place }) });
    places.push(table.told && place !== undefined ? place : parsed.length - 1);
  }
  return parsed;
}
