/** Page selections such as `3`, `1-3` and `1,4-6`; the fixtures of test keys refuse the same ones as the document engine. */

import { EngineError } from './engine.ts';

/** Pages of one answer (the specification's limit). */
export const maxPages = 20;

const refuse = (message: string): never => {
  throw new EngineError('invalid_page_range', message, 'pages');
};

const pagesOf = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`;

function parsePart(part: string, pageCount: number): [number, number] {
  const match = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part);
  if (!match) return refuse(`"${part.slice(0, 40)}" is not a page range: use forms such as 3, 1-3 or 1,4-6`);
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  if (first < 1) return refuse(`"${part.trim()}" is not a page range: pages count from 1 upwards`);
  if (last < first)
    return refuse(`"${part.trim()}" is not a page range: its last page comes before its first`);
  if (last > pageCount) return refuse(`page ${last} is out of range: the document has ${pagesOf(pageCount)}`);
  return [first, last];
}

/**
 * The selected page numbers, ascending and without doubles.
 * @throws invalid_page_range for a malformed selection, pages that are not there, or more than twenty pages.
 */
export function selectPages(selection: string | null, pageCount: number): number[] {
  if (selection !== null && selection.trim() === '')
    return refuse('no page is named: use forms such as 3, 1-3 or 1,4-6');
  if (selection === null) {
    if (pageCount > maxPages)
      refuse(
        `the document has ${pageCount} pages: name up to ${maxPages} of them in "pages", such as 1-${maxPages}`,
      );
    return Array.from({ length: pageCount }, (_, index) => index + 1);
  }
  const selected = new Set<number>();
  for (const part of selection.split(',')) {
    const [first, last] = parsePart(part, pageCount);
    if (last - first >= maxPages) refuse(`at most ${maxPages} pages can be selected`);
    for (let page = first; page <= last; page++) selected.add(page);
    if (selected.size > maxPages) refuse(`at most ${maxPages} pages can be selected`);
  }
  return [...selected].sort((a, b) => a - b);
}

/** @throws invalid_page_range for a page that the document does not have. */
export function refusePage(page: number, pageCount: number): void {
  if (!Number.isInteger(page) || page < 1 || page > pageCount)
    throw new EngineError('invalid_page_range', `the document has ${pagesOf(pageCount)}`, 'page');
}

/** Selections of as many pages as one request takes, which together are all of a document's. */
export const pageSelections = (pages: number): string[] =>
  Array.from({ length: Math.ceil(pages / maxPages) }, (_, piece) => {
    const first = piece * maxPages + 1;
    return `${first}-${Math.min(pages, first + maxPages - 1)}`;
  });
