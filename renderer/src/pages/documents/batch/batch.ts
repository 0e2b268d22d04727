/** A queue of documents: pure steps from one state to the next. */
import type { DocumentsResult } from '../../../../../server/api/services/documents.ts';
import { pathOf, type SortedFiles, sortFiles } from '../../../components/sorted-files.ts';
import { acceptedDocuments } from '../../../components/source-file.ts';
import { type Corrections, toCorrected } from '../corrections/corrections.ts';
import type { TemplateChoice } from '../templates/template-select.tsx';

export interface BatchItem {
  id: number;
  name: string;
  file: File;
  state: 'waiting' | 'reading' | 'done' | 'failed';
  progress: { page: number; pages: number } | null;
  /** With the person's corrections. */
  result: DocumentsResult | null;
  /** As the server read it. */
  read: DocumentsResult | null;
  corrections: Corrections;
  /** A person has looked at what was read and found it right. */
  approved: boolean;
  /** Why it failed, in words. */
  problem: string | null;
}

export interface Batch {
  items: BatchItem[];
  paused: boolean;
  /** The template for the documents read from now on. */
  template: TemplateChoice;
}

export const emptyBatch: Batch = { items: [], paused: false, template: null };

const unread: Pick<BatchItem, 'result' | 'read' | 'corrections'> = {
  result: null,
  read: null,
  corrections: new Map(),
};

const accepted = acceptedDocuments.split(',');

const isDocument = ({ name }: File): boolean =>
  accepted.some((ending) => name.toLowerCase().endsWith(ending));

/** The documents among the files of a folder, by name. */
export const sortDocuments = (files: readonly File[]): SortedFiles => sortFiles(files, isDocument);

export function withFiles(batch: Batch, documents: readonly File[]): Batch {
  const first = batch.items.length;
  const added = documents
    .map((file) => ({ file, name: pathOf(file) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .map(({ file, name }, index): BatchItem => {
      return {
        id: first + index,
        name,
        file,
        state: 'waiting',
        progress: null,
        ...unread,
        approved: false,
        problem: null,
      };
    });
  return { ...batch, items: [...batch.items, ...added] };
}

/** The document to read next; null while one is read, while paused, and at the end. */
export function nextItem({ items, paused }: Batch): BatchItem | null {
  if (paused || items.some((item) => item.state === 'reading')) return null;
  return items.find((item) => item.state === 'waiting') ?? null;
}

export const withItem = (batch: Batch, id: number, change: Partial<BatchItem>): Batch => ({
  ...batch,
  items: batch.items.map((item) => (item.id === id ? { ...item, ...change } : item)),
});

/** An answer, and what the person has set right in it. */
export const withAnswer = (
  batch: Batch,
  id: number,
  read: DocumentsResult,
  corrections: Corrections = new Map(),
): Batch =>
  withItem(batch, id, {
    state: 'done',
    problem: null,
    read,
    corrections,
    result: toCorrected(read, corrections),
  });

/** Failed documents wait again. */
export const withRetry = (batch: Batch, ids: (item: BatchItem) => boolean): Batch => ({
  ...batch,
  items: batch.items.map((item) =>
    item.state === 'failed' && ids(item) ? { ...item, state: 'waiting', problem: null } : item,
  ),
});

/** Documents that were answered wait again, e.g. for another template. */
export const withAllAgain = (batch: Batch): Batch => ({
  ...batch,
  items: batch.items.map((item) =>
    item.state === 'reading'
      ? item
      : { ...item, state: 'waiting', ...unread, approved: false, problem: null },
  ),
});

export const countOf = ({ items }: Batch, state: BatchItem['state']): number =>
  items.filter((item) => item.state === state).length;
