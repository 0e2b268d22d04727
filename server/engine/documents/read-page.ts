/** One page, from its file to all that is on it: words, form fields, boxes and marks, by text layer or by picture. */

import { type Box, contains } from '../vision/geometry.ts';
import type { TextModels } from '../vision/ocr/text-models.ts';
import type { CheckboxElement } from './elements/checkboxes-vector.ts';
import {
  findDrawnElements,
  findPageElements,
  mayBearElements,
  type PageElements,
} from './elements/page-elements.ts';
import type { Page } from './layout/page.ts';
import { probeDotsPerInch, uncoveredInkRatio } from './pages/needs-ocr.ts';
import type { PdfPictures } from './pages/pdf-pictures.ts';
import { type PdfScanContext, readScanOrText } from './pages/pdf-scan.ts';
import { readPicturePage } from './pages/picture-file.ts';
import { type ScannedPage, scanPage } from './pages/scan.ts';
import type { Widget } from './pdf/form-fields.ts';
import type { PdfPage } from './pdf/read-pdf.ts';

type Marks = Omit<PageElements, 'boxes'>;

export interface ReadPage {
  page: Page;
  widgets: Widget[];
  /** Boxes to tick that were found in the picture. */
  boxes: CheckboxElement[];
  marks: Marks;
  warnings: string[];
  damaged: boolean;
}

/** Enough for signatures and codes. */
const elementsDotsPerInch = 150;
/** Share of a page's pixels beside its text that the thinnest signature has. */
const minElementInkRatio = 0.000_03;
/** Recognition that reads this badly is worth a word. */
const poorConfidence = 0.8;

const noElements: Marks = { barcodes: [], signatures: [], stamps: [] };

const noText = (page: Page): string[] =>
  page.words.length > 0 ? [] : [`Page ${page.number} contains no text that could be read.`];

function scanWarnings({ page, confidence }: ScannedPage): string[] {
  if (page.words.length === 0 || confidence >= poorConfidence) return noText(page);
  return [
    `Page ${page.number} is hard to read: its text was recognized with a confidence of ${confidence.toFixed(2)}.`,
  ];
}

/** A page that was read from its picture: its lines, boxes and codes are found there too. */
async function withElements(scan: ScannedPage, widgets: Widget[]): Promise<Omit<ReadPage, 'damaged'>> {
  const { boxes, ...marks } = await findPageElements(scan);
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
async function drawnElements(page: Page, pictures: PdfPictures): Promise<Marks> {
  if (!mayBearElements(page)) return noElements;
  const probe = await pictures.draw(page.number, probeDotsPerInch).catch(() => null);
  if (!probe || uncoveredInkRatio(page, probe.image) < minElementInkRatio) return noElements;
  return findDrawnElements(page, await pictures.draw(page.number, elementsDotsPerInch));
}

export async function readPdf(read: PdfPage, context: PdfScanContext): Promise<ReadPage> {
  const { damaged, widgets } = read;
  const { page, scan, warnings } = await readScanOrText(read, context);
  const before = [...read.warnings, ...warnings];
  if (scan) {
    const scanned = await withElements(scan, widgets);
    return { ...scanned, damaged, warnings: [...before, ...scanned.warnings] };
  }
  return {
    page,
    widgets,
    boxes: [],
    marks: await drawnElements(page, context.pictures),
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
  return { ...(await withElements(scan, [])), damaged: false };
}
