/** One document, from bytes to the answer. Runs inside the parsing thread (thread.ts). */

import { EngineError } from '../engine.ts';
import { selectPages } from '../page-range.ts';
import { localTextModels } from '../vision/ocr/local-models.ts';
import { refuseBombs } from './bomb-guard.ts';
import { knownMedia } from './document-media.ts';
import { type CheckboxElement, findVectorCheckboxes } from './elements/checkboxes-vector.ts';
import {
  type CodeElement,
  type PageElement,
  type SignatureElement,
  toLocated,
} from './elements/page-elements.ts';
import { allSignatures, formCheckboxes } from './fields/form-answers.ts';
import type { Page } from './layout/page.ts';
import { pageText } from './layout/text.ts';
import { pagesAtOnce } from './limits.ts';
import { linesOf } from './page-lines.ts';
import { PdfPictures } from './pages/pdf-pictures.ts';
import { picturePageCount } from './pages/picture-file.ts';
import { readAhead } from './pages/read-ahead.ts';
import type { Widget } from './pdf/form-fields.ts';
import { openPdf } from './pdf/open.ts';
import { readFormKinds, readPdfPage } from './pdf/read-pdf.ts';
import { type ReadPage, readPdf, readPicture } from './read-page.ts';
import { type DigitalSignature, readDigitalSignatures } from './signing/digital-signatures.ts';
import { findTables } from './tables/find-tables.ts';
import { toParsedTables } from './tables/parsed-tables.ts';
import type { PageTable } from './tables/table.ts';
import { applyTemplate } from './templates/apply.ts';
import type { ParseContext, ParseItem, ParseParams, ParseResult } from './types.ts';

/** Everything that templates look at. */
export interface Document {
  pages: Page[];
  tables: PageTable[];
  widgets: Widget[];
  checkboxes: CheckboxElement[];
  barcodes: CodeElement[];
  stamps: PageElement[];
  /** In ink or stamped; digital ones are fields of the form. */
  inkSignatures: SignatureElement[];
  /** Of the whole file. */
  digitalSignatures: DigitalSignature[];
}

const emptyDocument = (digitalSignatures: DigitalSignature[]): Document => ({
  pages: [],
  tables: [],
  widgets: [],
  checkboxes: [],
  barcodes: [],
  stamps: [],
  inkSignatures: [],
  digitalSignatures,
});

function addPage(document: Document, { boxes, marks, page, widgets }: ReadPage): void {
  document.pages.push(page);
  document.widgets.push(...widgets);
  document.checkboxes.push(...boxes, ...findVectorCheckboxes(page, widgets));
  document.tables.push(...findTables(page));
  document.barcodes.push(...marks.barcodes);
  document.stamps.push(...marks.stamps);
  document.inkSignatures.push(...marks.signatures);
}

const xfaWarning = 'The document is an XFA form: what such a form shows beyond its plain pages was not read.';

async function* parsePdf(params: ParseParams, { models }: ParseContext): AsyncGenerator<ParseItem> {
  await refuseBombs(params.bytes);
  const { document: pdf, close } = await openPdf(params.bytes, { maxImageAreaPx: 0 });
  const pictures = new PdfPictures(params.bytes);
  try {
    const numbers = selectPages(params.pages, pdf.numPages);
    const form = await readFormKinds(pdf);
    const document = emptyDocument(await readDigitalSignatures(params.bytes));
    const warnings: string[] = form.xfa ? [xfaWarning] : [];
    let damaged = 0;
    const read = async (number: number) =>
      readPdf(await readPdfPage(pdf, number, form.fields), { pictures, models });
    for await (const page of readAhead(numbers, pagesAtOnce, read)) {
      if (page.damaged) damaged++;
      addPage(document, page);
      warnings.push(...page.warnings);
      yield { kind: 'progress', page: document.pages.length, pages: numbers.length };
    }
    if (damaged === numbers.length)
      throw new EngineError('document_unreadable', 'no page of the document could be read', 'file');
    yield { kind: 'result', result: toResult(document, params, warnings) };
  } finally {
    await pictures.close();
    await close();
  }
}

async function* parsePicture(params: ParseParams, { models }: ParseContext): AsyncGenerator<ParseItem> {
  const numbers = selectPages(params.pages, await picturePageCount(params.bytes));
  const document = emptyDocument([]);
  const warnings: string[] = [];
  const read = (number: number) => readPicture(params.bytes, number, models);
  for await (const page of readAhead(numbers, pagesAtOnce, read)) {
    addPage(document, page);
    warnings.push(...page.warnings);
    yield { kind: 'progress', page: document.pages.length, pages: numbers.length };
  }
  yield { kind: 'result', result: toResult(document, params, warnings) };
}

function toResult(document: Document, params: ParseParams, warnings: string[]): ParseResult {
  const answer = applyTemplate(document, params.template);
  const text = params.outputFormat === 'text' ? { text: document.pages.map(pageText).join('\n\f\n') } : {};
  return {
    type: answer.type,
    fields: answer.fields,
    tables: toParsedTables(document.tables),
    checkboxes: formCheckboxes(document),
    signatures: allSignatures(document),
    barcodes: document.barcodes.map(({ format, text, ...mark }) => ({ format, text, ...toLocated(mark) })),
    stamps: document.stamps.map(toLocated),
    ...text,
    ...(params.withLines ? { lines: linesOf(document.pages) } : {}),
    confidence: answer.confidence,
    warnings: [...warnings, ...answer.warnings],
    pages: document.pages.length,
  };
}

/**
 * Yields progress page by page and the result last. Throws EngineError with a code of the contract's table.
 * `context` is the host's networks in the parsing thread, those of this process otherwise.
 */
export async function* parseDocument(
  params: ParseParams,
  context: ParseContext = { models: localTextModels },
): AsyncGenerator<ParseItem> {
  const parse = knownMedia(params.bytes) === 'pdf' ? parsePdf : parsePicture;
  yield* parse(params, context);
}
