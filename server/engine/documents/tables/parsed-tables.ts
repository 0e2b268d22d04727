/** The tables of a document as they leave in the answer. */

import type { PageTable } from '../document.ts';
import type { ParsedTable } from '../types.ts';
import { continuedTables } from './continued.ts';
import { toParsedTable } from './table.ts';

export function toParsedTables(tables: PageTable[]): ParsedTable[] {
  const continued = continuedTables(tables);
  return tables.map((table, index) => {
    const before = continued[index];
    return {
      ...toParsedTable(table),
      ...(before === null || before === undefined ? {} : { continues: before }),
    };
  });
}
