/** The results of a batch as one table: a row for each document, a column for each field that any of them has. */
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { isItems } from '../field-groups.ts';
import type { BatchItem } from './batch.ts';

export type Cell = string | number | boolean | null;

const head = ['file', 'type', 'confidence', 'problem', 'least_confidence', 'approved'];

/** Columns as they first appear: the answer gives fields in the order of the paper. */
function columnsOf(items: readonly BatchItem[]): string[] {
  const names = items.flatMap(({ result }) =>
    Object.entries(result?.fields ?? {}).flatMap(([name, field]) => (isItems(field) ? [] : [name])),
  );
  return [...new Set(names)];
}

/** These stand where they are seen without scrolling. */
const reviewedFirst = new Set(['total', 'currency', 'invoice_number', 'invoice_date']);

/** A field less sure than this is looked at by a person. */
const sureFrom = 0.85;

/** Confidence of the least sure field. 0: the document could not be read. Null: no field was found, so none to approve. */
function leastConfidence({ result }: BatchItem): number | null {
  if (!result) return 0;
  const fields = Object.values(result.fields).map(({ confidence }) => confidence);
  return fields.length > 0 ? Math.min(result.confidence, ...fields) : null;
}

export const needsReview = (item: BatchItem): boolean =>
  !item.approved && (leastConfidence(item) ?? 1) < sureFrom;

export const isApprovable = (item: BatchItem): boolean =>
  item.result !== null && leastConfidence(item) !== null;

/** The field for which a document is looked at. */
export const isUnsure = ({ result }: BatchItem, name: string): boolean =>
  (result?.fields[name]?.confidence ?? 1) < sureFrom;

/** As the person goes through them: kind by kind, the least sure first. */
export const inReviewOrder = (items: readonly BatchItem[]): BatchItem[] =>
  toKindGrids(items).flatMap((grid) => grid.items);

export interface KindGrid extends BatchGrid {
  /** Null: could not be read. */
  kind: string | null;
  /** In the order of the rows: the least sure first. */
  items: BatchItem[];
}

/** A table for each kind of document; the kinds with most documents first, what failed last. */
export function toKindGrids(items: readonly BatchItem[]): KindGrid[] {
  const kinds = [...Map.groupBy(items, ({ result }) => result?.type ?? null)];
  return kinds
    .toSorted(([a, ofA], [b, ofB]) => Number(a === null) - Number(b === null) || ofB.length - ofA.length)
    .map(([kind, of]) => {
      const sorted = of.toSorted((a, b) => (leastConfidence(a) ?? 1) - (leastConfidence(b) ?? 1));
      const columns = columnsOf(sorted).toSorted(
        (a, b) => Number(!reviewedFirst.has(a)) - Number(!reviewedFirst.has(b)),
      );
      const rows = sorted.map((item) => [
        item.name,
        ...(kind === null
          ? [item.problem]
          : [leastConfidence(item), ...columns.map((name) => cellOf(item.result, name))]),
      ]);
      const header = kind === null ? ['file', 'problem'] : ['file', 'least_confidence', ...columns];
      return { kind, header, rows, items: sorted };
    });
}

function cellOf(result: DocumentsResult | null, name: string): Cell {
  const field = result?.fields[name];
  return field && !isItems(field) ? (field.value as Cell) : null;
}

export interface BatchGrid {
  header: string[];
  rows: Cell[][];
}

/** All of them in one table. */
export function toBatchGrid(items: readonly BatchItem[]): BatchGrid {
  const columns = columnsOf(items);
  const rows = items.map((item) => [
    item.name,
    item.result?.type ?? null,
    item.result?.confidence ?? null,
    item.problem,
    item.result && leastConfidence(item),
    item.approved,
    ...columns.map((name) => cellOf(item.result, name)),
  ]);
  return { header: [...head, ...columns], rows };
}

export const batchJson = (items: BatchItem[]): string =>
  JSON.stringify(
    items.map(({ name, problem, approved, result }) => ({
      file: name,
      ...(problem ? { problem } : {}),
      ...(approved ? { approved } : {}),
      result,
    })),
    null,
    2,
  );
