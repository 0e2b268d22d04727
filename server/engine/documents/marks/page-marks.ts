/** Everything found in the pixels of a scanned page that is not text, given to the page and told to the document. */

import { type Barcode, findBarcodes } from '../../media/barcodes.ts';
import { mergeRulings } from '../layout/rulings.ts';
import type { ScannedPage as Scan } from '../pages/scan.ts';
import type { Box, Barcode as FoundBarcode } from '../types.ts';
import { findComponents } from './components.ts';
import { findDrawings } from './drawings.ts';
import type { DrawnBox } from './drawn-boxes.ts';
import { findInk } from './ink.ts';
import { findLines, withoutLetters } from './line-detection.ts';
import { findPixelBoxes } from './pixel-boxes.ts';

/** A decoded code in the page's reading frame. */
export interface PageBarcode extends Omit<Barcode, 'corners'> {
  page: Scan['page'];
  box: Box;
}

export interface PageMarks {
  boxes: DrawnBox[];
  barcodes: PageBarcode[];
}

function boxAround(corners: Barcode['corners'], scale: number): Box {
  const xs = corners.map(([x]) => x / scale);
  const ys = corners.map(([, y]) => y / scale);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Gives the page its rulings and drawings, takes boxes to tick out of its words, and returns its marks. */
export async function findPageMarks(scan: Scan): Promise<PageMarks> {
  const { page } = scan;
  const { image, scale } = scan.upright();
  const strokes = withoutLetters(findLines(image, scale), page.words);
  const ink = findInk(image);
  const components = findComponents(ink);
  const { boxes, words } = findPixelBoxes({ image, ink, strokes, components, words: page.words, scale });
  page.words = words;
  page.horizontal = mergeRulings(strokes.horizontal);
  page.vertical = mergeRulings(strokes.vertical);
  page.slants = findDrawings(strokes, words, { width: image.width, height: image.height, scale });
  const codes = await findBarcodes(image);
  return {
    boxes: boxes.map((box) => ({ ...box, page })),
    barcodes: codes.map(({ corners, ...code }) => ({ ...code, page, box: boxAround(corners, scale) })),
  };
}

export const toBarcode = ({ page, box, ...code }: PageBarcode): FoundBarcode => ({
  ...code,
  page: page.number,
  bbox: page.toView(box),
});
