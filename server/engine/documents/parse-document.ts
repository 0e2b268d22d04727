/** One document, from bytes to the answer. Runs inside the parsing thread (thread.ts). */

import { EngineError } from '../engine.ts';
import { refusePage, selectPages } from '../page-range.ts';
import { localTextModels } from '../vision/ocr/models/local-models.ts';
import type { TextModels } from '../vision/ocr/models/text-models.ts';
import type { Document } from './document.ts';
import { toDocumentText } from './fields/reading.ts';
import { pagesAtOnce } from './limits.ts';
import { openDocument } from './open-document.ts';
import { toPageLines } from './page-lines.ts';
import { readAhead } from './pages/read-ahead.ts';
import { readDocument, readPage, readWords } from './pipeline.ts';
import type { PageLine, PageLinesParams, ParseItem, ParseParams } from './types.ts';

/** Needs of parsing from outside. */
export interface ParseContext {
  /** The networks of text recognition, asked for when a page must be read from its picture. */
  models: () => Promise<TextModels>;
}

const joined = (parts: readonly Document[]): Omit<Document, 'digitalSignatures'> => ({
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
  { models }: ParseContext = { models: localTextModels },
): AsyncGenerator<ParseItem> {
  const source = await openDocument(params.bytes);
  try {
    const numbers = selectPages(params.pages, source.pageCount);
    const digitalSignatures = await source.digitalSignatures();
    const parts: Document[] = [];
    const warnings = [...source.warnings];
    let damaged = 0;
    for await (const read of readAhead(numbers, pagesAtOnce, (number) =>
      readPage(number, { source, models }),
    )) {
      if (read.damaged) damaged++;
      parts.push(read.document);
      warnings.push(...read.warnings);
      yield { kind: 'progress', page: parts.length, pages: numbers.length };
    }
    if (damaged === numbers.length)
      throw new EngineError('document_unreadable', 'no page of the document could be read', 'file');
    yield {
      kind: 'result',
      result: await readDocument({ ...joined(parts), digitalSignatures }, params, warnings),
    };
  } finally {
    await source.close();
  }
}

/** @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range */
export async function pageLines(
  { bytes, page }: PageLinesParams,
  { models }: ParseContext,
): Promise<PageLine[]> {
  const source = await openDocument(bytes);
  try {
    refusePage(page, source.pageCount);
    return toPageLines(toDocumentText([await readWords(page, { source, models })]));
  } finally {
    await source.close();
  }
}
