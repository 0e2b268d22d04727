/** One document, from bytes to the answer. Runs inside the parsing thread (thread.ts). */

import { EngineError } from '../engine.ts';
import { selectPages } from '../page-range.ts';
import { localTextModels } from '../recognition/local-models.ts';
import { refuseBombs } from './bomb-guard.ts';
import { allSignatures, formCheckboxes } from './fields/form-answers.ts';
import { contains, type Page } from './layout/page.ts';
import { pageText } from './layout/text.ts';
import { type DrawnBox, findDrawnBoxes } from './marks/drawn-boxes.ts';
import {
  type CodeMark,
  findDrawnMarks,
  findPageMarks,
  type Mark,
  mayBearMarks,
  type PageMarks,
  type SignatureMark,
  toPlace,
} from './marks/page-marks.ts';
import { knownMedia } from './media.ts';
import { linesOf } from './page-lines.ts';
import { PdfPictures } from './pages/pdf-pictures.ts';
import { readScanOrText } from './pages/pdf-scan.ts';
import { picturePageCount, readPicturePage } from './pages/picture-file.ts';
import { type ScannedPage, scanPage } from './pages/scan.ts';
import { glanceDotsPerInch, inkBeside } from './pages/uncovered-ink.ts';
import type { Widget } from './pdf/form-fields.ts';
import { openPdf } from './pdf/open.ts';
import { readFormKinds, readPdfPage } from './pdf/read-pdf.ts';
import { type DigitalSignature, readDigitalSignatures } from './signing/digital-signatures.ts';
import { findTables } from './tables/find-tables.ts';
import { toParsedTables } from './tables/parsed-tables.ts';
import type { PageTable } from './tables/table.ts';
import { applyTemplate } from './templates/apply.ts';
import type { Box, ParseContext, ParseItem, ParseParams, ParseResult } from './types.ts';

/** Everything that templates look at. */
export interface Document {
  pages: Page[];
  tables: PageTable[];
  widgets: Widget[];
  drawnBoxes: DrawnBox[];
  barcodes: CodeMark[];
  stamps: Mark[];
  /** In ink or stamped; digital ones are fields of the form. */
  inkSignatures: SignatureMark[];
  /** Of the whole file. */
  digitalSignatures: DigitalSignature[];
}

const emptyDocument = (digitalSignatures: DigitalSignature[]): Document => ({
  pages: [],
  tables: [],
  widgets: [],
  drawnBoxes: [],
  barcodes: [],
  stamps: [],
  inkSignatures: [],
  digitalSignatures,
});

function addPage(document: Document, page: Page, widgets: Widget[]): void {
  document.pages.push(page);
  document.widgets.push(...widgets);
  document.drawnBoxes.push(...findDrawnBoxes(page, widgets));
  document.tables.push(...findTables(page));
}

/** Enough for signatures and codes. */
const marksDotsPerInch = 150;

function addMarks(document: Document, marks: Omit<PageMarks, 'boxes'>): void {
  document.barcodes.push(...marks.barcodes);
  document.stamps.push(...marks.stamps);
  document.inkSignatures.push(...marks.signatures);
}

/** A page that was read from its picture: its lines, boxes and codes are found there too. */
async function addScan(document: Document, scan: ScannedPage, widgets: Widget[]): Promise<void> {
  const { boxes, ...marks } = await findPageMarks(scan);
  addMarks(document, marks);
  // Fields of a form are known exactly.
  const isWidget = (view: Box): boolean => widgets.some(({ bbox }) => contains(bbox, view, 0.004));
  document.drawnBoxes.push(...boxes.filter(({ page, box }) => !isWidget(page.toView(box))));
  addPage(document, scan.page, widgets);
}

/** Share of a page's pixels beside its text that the thinnest signature has. */
const minInkOfMarks = 0.000_03;

/** A page that cannot be drawn keeps what its text says. */
async function drawnMarks(page: Page, pictures: PdfPictures): Promise<Omit<PageMarks, 'boxes'>> {
  const none = { barcodes: [], signatures: [], stamps: [] };
  const glance = await pictures.draw(page.number, glanceDotsPerInch).catch(() => null);
  if (!glance || inkBeside(page, glance.image) < minInkOfMarks) return none;
  return findDrawnMarks(page, await pictures.draw(page.number, marksDotsPerInch));
}

const noText = (page: Page): string[] =>
  page.words.length > 0 ? [] : [`Page ${page.number} contains no text that could be read.`];

/** Recognition that reads this badly is worth a word. */
const poorConfidence = 0.8;

function scanWarnings({ page, confidence }: ScannedPage): string[] {
  if (page.words.length === 0 || confidence >= poorConfidence) return noText(page);
  return [
    `Page ${page.number} is hard to read: its text was recognised with a confidence of ${confidence.toFixed(2)}.`,
  ];
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
    for (const number of numbers) {
      const read = await readPdfPage(pdf, number, form.fields);
      if (read.damaged) damaged++;
      const { page, scan, warnings: scanned } = await readScanOrText(read, { pictures, models });
      if (scan) await addScan(document, scan, read.widgets);
      else {
        addPage(document, page, read.widgets);
        if (mayBearMarks(page)) addMarks(document, await drawnMarks(page, pictures));
      }
      warnings.push(...read.warnings, ...scanned);
      if (scan) warnings.push(...scanWarnings(scan));
      else if (read.warnings.length === 0) warnings.push(...noText(page));
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
  for (const number of numbers) {
    const image = await readPicturePage(params.bytes, number);
    const scan = await scanPage({ image, pointsPerPixel: null }, number, await models());
    await addScan(document, scan, []);
    warnings.push(...scanWarnings(scan));
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
    barcodes: document.barcodes.map(({ format, text, ...mark }) => ({ format, text, ...toPlace(mark) })),
    stamps: document.stamps.map(toPlace),
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
