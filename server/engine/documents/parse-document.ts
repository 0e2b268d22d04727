/** One document, from bytes to the answer. Runs inside the parsing thread (thread.ts). */

import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../engine.ts';
import { refusePage, selectPages } from '../page-range.ts';
import { localTextModels } from '../vision/ocr/models/local-models.ts';
import type { TextModels } from '../vision/ocr/models/text-models.ts';
import type { Document } from './document.ts';
import { toDocumentText } from './fields/reading.ts';
import { toPageLines } from './layout/page-lines.ts';
import { pagesAtOnce } from './limits.ts';
import { openDocument } from './opening/open-document.ts';
import { PageClock } from './page-clock.ts';
import { readAhead } from './pages/read-ahead.ts';
import { readDocument, readPage, readWords } from './pipeline.ts';
import type { PageLine, PageLinesParams, ParseItem, ParseParams } from './types.ts';

/** Needs of parsing from outside. */
export interface ParseContext {
  /** The networks of text recognition, asked for when a page must be read from its picture. */
  models: () => Promise<TextModels>;
  /** Without them a document may take any time. */
  budgets?: Budgets;
}

export interface Budgets {
  /** For all stages of one page, less the networks' time. */
  pageMs: number;
  /** For a document: pages not begun by then are left out, with a warning. */
  documentMs: number;
}

const unbounded: Budgets = { pageMs: Number.POSITIVE_INFINITY, documentMs: Number.POSITIVE_INFINITY };

const joined = (parts: readonly Document[]): Omit<Document, 'digitalSignatures' | 'active' | 'parts'> => ({
  pages: parts.flatMap(({ pages }) => pages),
  tables: parts.flatMap(({ tables }) => tables),
  widgets: parts.flatMap(({ widgets }) => widgets),
  checkboxes: parts.flatMap(({ checkboxes }) => checkboxes),
  barcodes: parts.flatMap(({ barcodes }) => barcodes),
  stamps: parts.flatMap(({ stamps }) => stamps),
  inkSignatures: parts.flatMap(({ inkSignatures }) => inkSignatures),
});

/**
 * Yields progress page by page and the result last. `context` is the host's networks in the parsing thread, those of this
 * process otherwise.
 * @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range
 */
export async function* parseDocument(
  params: ParseParams,
  { models, budgets = unbounded }: ParseContext = { models: localTextModels },
): AsyncGenerator<ParseItem> {
  const end = performance.now() + budgets.documentMs;
  const source = await openDocument(params.bytes);
  try {
    const numbers = selectPages(params.pages, source.pageCount);
    const digitalSignatures = await source.digitalSignatures();
    const parts: Document[] = [];
    const warnings = [...source.warnings];
    let damaged = 0;
    const read = async (number: number) => {
      // Lets the thread hear that its caller has gone.
      await setImmediate();
      if (number !== numbers[0] && performance.now() > end) return null;
      const clock = new PageClock(budgets.pageMs);
      return readPage(number, { source, models, clock, keepHidden: params.includeHidden ?? false });
    };
    for await (const page of readAhead(numbers, pagesAtOnce, read)) {
      if (!page) break;
      if (page.damaged) damaged++;
      parts.push(page.document);
      warnings.push(...page.warnings);
      yield { kind: 'progress', page: parts.length, pages: numbers.length };
    }
    if (parts.length < numbers.length)
      warnings.push(
        `The document takes too long to read: only ${parts.length} of ${numbers.length} pages were read.`,
      );
    if (damaged === parts.length)
      throw new EngineError('document_unreadable', 'no page of the document could be read', 'file');
    yield {
      kind: 'result',
      result: await readDocument(
        {
          ...joined(parts),
          ...(source.parts ? { parts: source.parts } : {}),
          active: source.active,
          digitalSignatures,
        },
        params,
        warnings,
      ),
    };
  } finally {
    await source.close();
  }
}

/** @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range */
export async function pageLines(
  { bytes, page }: PageLinesParams,
  { models, budgets = unbounded }: ParseContext,
): Promise<PageLine[]> {
  const source = await openDocument(bytes);
  try {
    refusePage(page, source.pageCount);
    return toPageLines(
      toDocumentText([await readWords(page, { source, models, clock: new PageClock(budgets.pageMs) })], true),
    );
  } finally {
    await source.close();
  }
}
