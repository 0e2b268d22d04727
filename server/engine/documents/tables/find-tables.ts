/** All tables of a page, in reading order. */

import type { Page } from '../layout/page.ts';
import { findRuledTables } from './ruled-tables.ts';
import type { PageTable } from './table.ts';
import { findTextTables } from './text-tables.ts';

export function findTables(page: Page): PageTable[] {
  const { tables, rest } = findRuledTables(page);
  return [...tables, ...findTextTables(page, rest)].sort(
    (a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0],
  );
}
