/** All tables of a page, in reading order. */

import type { Page } from '../layout/page.ts';
import type { PageTable } from './table.ts';

export function findTables(_page: Page): PageTable[] {
  return [];
}
