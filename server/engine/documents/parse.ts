/** One document, from bytes to the answer. Runs inside the parsing thread (thread.ts). */

import { EngineError } from '../engine.ts';
import { refuseBombs } from './bomb-guard.ts';
import { formCheckboxes, formSignatures } from './fields/form-answers.ts';
import type { Page } from './layout/page.ts';
import { pageText } from './layout/text.ts';
import { type DrawnBox, findDrawnBoxes } from './marks/drawn-boxes.ts';
import { detectMedia } from './media.ts';
import { selectPages } from './page-range.ts';
import { countSignatures, type Widget } from './pdf/form-fields.ts';
import { openPdf } from './pdf/open.ts';
import { hasForm, readPdfPage } from './pdf/read-pdf.ts';
import { findTables } from './tables/find-tables.ts';
import type { PageTable } from './tables/table.ts';
import { toParsedTable } from './tables/table.ts';
import { applyTemplate } from './templates/apply.ts';
import type { ParseItem, ParseParams, ParseResult } from './types.ts';

/** Everything that templates look at. */
export interface Document {
  pages: Page[];
  tables: PageTable[];
  widgets: Widget[];
  drawnBoxes: DrawnBox[];
  /** Digital signatures in the file. */
  signatureCount: number;
}

const noRecognition = 'reading text from pictures and scans is not part of this version';

function imageResult(template: ParseParams['template']): ParseResult {
  return {
    type: template ?? 'generic',
    fields: {},
    tables: [],
    checkboxes: [],
    signatures: [],
    confidence: 0,
    warnings: [`The file is a picture: ${noRecognition}. Send a PDF that contains its text.`],
    pages: 1,
  };
}

function pageWarnings(page: Page): string[] {
  if (page.words.length > 0) return [];
  return [`Page ${page.number} contains no text. If it is a scan: ${noRecognition}.`];
}

async function* parsePdf(params: ParseParams): AsyncGenerator<ParseItem> {
  await refuseBombs(params.bytes);
  const { document: pdf, close } = await openPdf(params.bytes, { maxImageAreaPx: 0 });
  try {
    const numbers = selectPages(params.pages, pdf.numPages);
    const form = await hasForm(pdf);
    const document: Document = {
      pages: [],
      tables: [],
      widgets: [],
      drawnBoxes: [],
      signatureCount: countSignatures(params.bytes),
    };
    const warnings: string[] = [];
    let damaged = 0;
    for (const number of numbers) {
      const read = await readPdfPage(pdf, number, form);
      document.pages.push(read.page);
      if (read.damaged) damaged++;
      document.widgets.push(...read.widgets);
      document.drawnBoxes.push(...findDrawnBoxes(read.page, read.widgets));
      document.tables.push(...findTables(read.page));
      warnings.push(...(read.warnings.length > 0 ? read.warnings : pageWarnings(read.page)));
      yield { kind: 'progress', page: document.pages.length, pages: numbers.length };
    }
    if (damaged === numbers.length)
      throw new EngineError('document_unreadable', 'no page of the document could be read', 'file');
    yield { kind: 'result', result: toResult(document, params, warnings) };
  } finally {
    await close();
  }
}

function toResult(document: Document, params: ParseParams, warnings: string[]): ParseResult {
  const answer = applyTemplate(document, params.template);
  const text = params.outputFormat === 'text' ? { text: document.pages.map(pageText).join('\n\f\n') } : {};
  return {
    type: answer.type,
    fields: answer.fields,
    tables: document.tables.map(toParsedTable),
    checkboxes: formCheckboxes(document),
    signatures: formSignatures(document),
    ...text,
    confidence: answer.confidence,
    warnings: [...warnings, ...answer.warnings],
    pages: document.pages.length,
  };
}

/** Yields progress page by page and the result last. Throws EngineError with a code of the contract's table. */
export async function* parseDocument(params: ParseParams): AsyncGenerator<ParseItem> {
  const media = detectMedia(params.bytes);
  if (params.bytes.byteLength === 0)
    throw new EngineError('document_unreadable', 'the document is empty', 'file');
  if (media === 'unknown')
    throw new EngineError('unsupported_media', 'the file is not a PDF, PNG, JPEG or TIFF', 'file');
  if (media === 'pdf') yield* parsePdf(params);
  else {
    selectPages(params.pages, 1);
    yield { kind: 'result', result: imageResult(params.template) };
  }
}
