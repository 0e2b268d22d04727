/** Reads the annotations of the ICDAR 2013 table competition and scores found tables against them. */

import type { ParsedTable } from '../../../server/engine/documents/types.ts';
import { adjacencyRelations, countShared, f1, type GridCell } from './adjacency.ts';

export interface AnnotatedTable {
  page: number;
  cells: GridCell[];
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decode = (text: string): string =>
  text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
    return entities[name] ?? whole;
  });

function attributes(tag: string): Record<string, number> {
  return Object.fromEntries(
    [...tag.matchAll(/([\w-]+)\s*=\s*["'](-?\d+)["']/g)].map((m) => [m[1], Number(m[2])]),
  );
}

/** Tables of a `-str.xml` file; each region (a part of a table on one page) counts as a table of its page. */
export function readAnnotation(xml: string): AnnotatedTable[] {
  return [...xml.matchAll(/<region\b([^>]*)>([\s\S]*?)<\/region>/g)].map(([, head, body]) => ({
    page: attributes(head!).page ?? 1,
    cells: [...body!.matchAll(/<cell\b([^>]*)>([\s\S]*?)<\/cell>/g)].map(([, cellHead, cellBody]) => {
      const at = attributes(cellHead!);
      const row = at['start-row'] ?? 0;
      const col = at['start-col'] ?? 0;
      return {
        row,
        col,
        rowSpan: Math.max(1, (at['end-row'] ?? row) - row + 1),
        colSpan: Math.max(1, (at['end-col'] ?? col) - col + 1),
        text: decode(/<content>([\s\S]*?)<\/content>/.exec(cellBody!)?.[1] ?? ''),
      };
    }),
  }));
}

export const toGridCells = (table: ParsedTable): GridCell[] =>
  table.cells.map((cell) => ({
    row: cell.row,
    col: cell.col,
    rowSpan: cell.rowSpan,
    colSpan: cell.colSpan,
    text: cell.text,
  }));

export interface TableScore {
  precision: number;
  recall: number;
  f1: number;
  found: number;
  expected: number;
  shared: number;
}

/** Detection and structure together: relations of all tables of a document, page by page. */
export function scoreTables(found: ParsedTable[], expected: AnnotatedTable[]): TableScore {
  const pages = new Set([...found, ...expected].map((table) => table.page));
  const total = { found: 0, expected: 0, shared: 0 };
  for (const page of pages) {
    const ours = found.filter((t) => t.page === page).flatMap((t) => adjacencyRelations(toGridCells(t)));
    const theirs = expected.filter((t) => t.page === page).flatMap((t) => adjacencyRelations(t.cells));
    total.found += ours.length;
    total.expected += theirs.length;
    total.shared += countShared(ours, theirs);
  }
  const precision = total.found === 0 ? 0 : total.shared / total.found;
  const recall = total.expected === 0 ? 0 : total.shared / total.expected;
  return { ...total, precision, recall, f1: f1(precision, recall) };
}
