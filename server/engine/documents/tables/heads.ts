/** The row over a table's columns that names them. Pure. */

import type { PageTable } from '../document.ts';
import { cellText } from './table.ts';

/** Texts with letters that begin with none of a number's signs, over most columns. */
export function isHead(texts: readonly string[]): boolean {
  const filled = texts.map((text) => text.trim()).filter((text) => text !== '');
  return (
    filled.length >= Math.max(2, 0.6 * texts.length) &&
    filled.every((text) => /\p{L}/u.test(text) && !/^[\d.,+-]/.test(text))
  );
}

function firstRow({ cells, colCount }: PageTable): string[] {
  const texts = new Array<string>(colCount).fill('');
  for (const cell of cells) if (cell.row === 0) texts[cell.col] = cellText(cell).replace(/\s+/g, ' ');
  return texts;
}

/**
 * Of a table that goes on one of the page before the head of that.
 * @param before tables that others continue
 */
export function headOf(
  table: PageTable,
  before: ReadonlyMap<PageTable, PageTable> = new Map(),
): readonly string[] | null {
  if (table.told) return table.told.head;
  const own = firstRow(table);
  if (isHead(own)) return own;
  const upper = before.get(table);
  return upper ? headOf(upper, before) : null;
}
