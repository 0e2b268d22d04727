/** The results of a batch as one table: a row for each document, a column for each field that any of them has. */
import type { DocumentsResult } from '../../../../../server/api/documents.ts';
import { isItems } from '../field-groups.ts';
import type { BatchItem } from './batch.ts';

type Cell = string | number | boolean | null;

const head = ['file', 'type', 'confidence', 'problem'];

/** Columns in the order of how many documents have them, then as they first appear. */
function columnsOf(items: BatchItem[]): string[] {
  const counts = new Map<string, number>();
  for (const item of items)
    for (const [name, field] of Object.entries(item.result?.fields ?? {}))
      if (!isItems(field)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function cellOf(result: DocumentsResult | null, name: string): Cell {
  const field = result?.fields[name];
  return field && !isItems(field) ? (field.value as Cell) : null;
}

export interface BatchGrid {
  header: string[];
  rows: Cell[][];
}

export function toBatchGrid(items: BatchItem[]): BatchGrid {
  const columns = columnsOf(items);
  const rows = items.map((item) => [
    item.name,
    item.result?.type ?? null,
    item.result?.confidence ?? null,
    item.problem,
    ...columns.map((name) => cellOf(item.result, name)),
  ]);
  return { header: [...head, ...columns], rows };
}

export const batchJson = (items: BatchItem[]): string =>
  JSON.stringify(
    items.map(({ name, problem, result }) => ({ file: name, ...(problem ? { problem } : {}), result })),
    null,
    2,
  );
