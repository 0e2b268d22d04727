/**
 * Which pages of a PDF are read from their picture: those without text, those whose fonts do not tell their text, and
 * scans whose hidden text layer says something else than the picture.
 */

import type { TextModels } from '../../vision/ocr/text-models.ts';
import type { Page, Word } from '../layout/page.ts';
import type { PdfPage, TextLayer } from '../pdf/read-pdf.ts';
import { probeDotsPerInch, uncoveredInkRatio } from './needs-ocr.ts';
import type { PdfPictures } from './pdf-pictures.ts';
import { type ScanFramePage, type ScannedPage, scanPage } from './scan.ts';
import { textLayerMatches } from './text-layer.ts';

/** Pages with fewer glyphs may be scans with a line of digital text, such as a stamp of a fax or a page number. */
const fewGlyphs = 60;

type Doubt = 'none' | 'little text' | 'unmapped text' | 'hidden text';

function doubtOf({ visible, hidden, unmapped }: TextLayer): Doubt {
  if (unmapped > 20 && unmapped > 0.3 * (visible + hidden)) return 'unmapped text';
  if (hidden > fewGlyphs && hidden > 3 * visible) return 'hidden text';
  return visible + hidden < fewGlyphs ? 'little text' : 'none';
}

export interface PageReading {
  page: Page;
  warnings: string[];
  /** Where the page was read from its picture. */
  scan: ScannedPage | null;
}

export interface PdfScanContext {
  pictures: PdfPictures;
  models: () => Promise<TextModels>;
}

/** Share of a page's pixels beside its text before they are worth reading: a line of text has more. */
const minInkToRead = 0.0015;

/** The page as its text layer gives it or, where that is missing or wrong, as its picture reads. */
export async function readScanOrText(read: PdfPage, context: PdfScanContext): Promise<PageReading> {
  const { page, textLayer } = read;
  const plain = { page, warnings: [], scan: null };
  const doubt = read.damaged ? 'none' : doubtOf(textLayer);
  if (doubt === 'none') return plain;
  const { pictures } = context;
  if (doubt === 'little text') {
    const probe = await pictures.draw(page.number, probeDotsPerInch);
    if (uncoveredInkRatio(page, probe.image) < minInkToRead) return plain;
  }
  const models = await context.models();
  const picture = await pictures.draw(page.number);
  if (doubt === 'hidden text' && (await textLayerMatches(page, picture.image, models))) return plain;
  const scan = await scanPage(picture, page.number, models);
  if (scan.page.words.length === 0) return plain;
  if (doubt === 'little text') addTyped(scan.page, page);
  const warnings =
    doubt === 'little text'
      ? []
      : [
          `The text layer of page ${page.number} does not say what the page shows: its picture was read instead.`,
        ];
  return { page: scan.page, warnings, scan };
}

/** Puts the digital words of a page over the recognized ones that they cover. */
function addTyped(scan: ScanFramePage, typed: Page): void {
  const own = typed.words.map((word) => ({ word, view: typed.toView(word.box) }));
  const covered = (word: Word): boolean => {
    const [x0, y0, x1, y1] = scan.toView(word.box);
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
    return own.some(({ view }) => x > view[0] && x < view[2] && y > view[1] && y < view[3]);
  };
  scan.words = scan.words.filter((word) => !covered(word));
  for (const { word, view } of own) {
    const box = scan.fromView(view);
    scan.words.push({ ...word, box, baseline: box[3] - 0.2 * word.size });
  }
}
