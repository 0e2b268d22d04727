/** One page, from its file to all that is on it: words, form fields, boxes and marks, by text layer or by picture. */

import type { TextModels } from '../vision/ocr/text-models.ts';
import type { DrawnBox } from './elements/checkboxes-vector.ts';
import { findDrawnMarks, findPageMarks, mayBearMarks, type PageMarks } from './elements/page-elements.ts';
import { contains, type Page } from './layout/page.ts';
import { glanceDotsPerInch, inkBeside } from './pages/needs-ocr.ts';
import type { PdfPictures } from './pages/pdf-pictures.ts';
import { type PdfScanContext, readScanOrText } from './pages/pdf-scan.ts';
import { readPicturePage } from './pages/picture-file.ts';
import { type ScannedPage, scanPage } from './pages/scan.ts';
import type { Widget } from './pdf/form-fields.ts';
import type { PdfPage } from './pdf/read-pdf.ts';
import type { Box } from './types.ts';

type Marks = Omit<PageMarks, 'boxes'>;

export interface ReadPage {
  page: Page;
  widgets: Widget[];
  /** Boxes to tick that were found in the picture. */
  boxes: DrawnBox[];
  marks: Marks;
  warnings: string[];
  damaged: boolean;
}

/** Enough for signatures and codes. */
const marksDotsPerInch = 150;
/** Share of a page's pixels beside its text that the thinnest signature has. */
const minInkOfMarks = 0.000_03;
/** Recognition that reads this badly is worth a word. */
const poorConfidence = 0.8;

const noMarks: Marks = { barcodes: [], signatures: [], stamps: [] };

const noText = (page: Page): string[] =>
  page.words.length > 0 ? [] : [`Page ${page.number} contains no text that could be read.`];

function scanWarnings({ page, confidence }: ScannedPage): string[] {
  if (page.words.length === 0 || confidence >= poorConfidence) return noText(page);
  return [
    `Page ${page.number} is hard to read: its text was recognized with a confidence of ${confidence.toFixed(2)}.`,
  ];
}

/** A page that was read from its picture: its lines, boxes and codes are found there too. */
async function withMarks(scan: ScannedPage, widgets: Widget[]): Promise<Omit<ReadPage, 'damaged'>> {
  const { boxes, ...marks } = await findPageMarks(scan);
  // Fields of a form are known exactly.
  const isWidget = (view: Box): boolean => widgets.some(({ bbox }) => contains(bbox, view, 0.004));
  return {
    page: scan.page,
    widgets,
    boxes: boxes.filter(({ page, box }) => !isWidget(page.toView(box))),
    marks,
    warnings: scanWarnings(scan),
  };
}

/** A page that cannot be drawn keeps what its text says. */
async function drawnMarks(page: Page, pictures: PdfPictures): Promise<Marks> {
  if (!mayBearMarks(page)) return noMarks;
  const glance = await pictures.draw(page.number, glanceDotsPerInch).catch(() => null);
  if (!glance || inkBeside(page, glance.image) < minInkOfMarks) return noMarks;
  return findDrawnMarks(page, await pictures.draw(page.number, marksDotsPerInch));
}

export async function readPdf(read: PdfPage, context: PdfScanContext): Promise<ReadPage> {
  const { damaged, widgets } = read;
  const { page, scan, warnings } = await readScanOrText(read, context);
  const before = [...read.warnings, ...warnings];
  if (scan) {
    const scanned = await withMarks(scan, widgets);
    return { ...scanned, damaged, warnings: [...before, ...scanned.warnings] };
  }
  return {
    page,
    widgets,
    boxes: [],
    marks: await drawnMarks(page, context.pictures),
    warnings: read.warnings.length === 0 ? [...before, ...noText(page)] : before,
    damaged,
  };
}

/** `bytes`: a picture file; `number`: its page. */
export async function readPicture(
  bytes: Uint8Array,
  number: number,
  models: () => Promise<TextModels>,
): Promise<ReadPage> {
  const image = await readPicturePage(bytes, number);
  const scan = await scanPage({ image, pointsPerPixel: null }, number, await models());
  return { ...(await withMarks(scan, [])), damaged: false };
}
