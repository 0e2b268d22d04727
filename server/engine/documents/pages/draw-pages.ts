/** A new PDF of a document's pages as pictures: with places painted over, or with their text unseen over them. */

import type { SKRSContext2D } from '@napi-rs/canvas';
import { selectPages } from '../../page-range.ts';
import { openDocument } from '../opening/open-document.ts';
import { type PicturePage, picturePdf } from '../output/picture-pdf.ts';
import type { DrawnDocument, RedactParams, SearchablePdfParams } from '../types.ts';
import { loadCanvas } from './canvas.ts';

/** Pixels of a page's width: 1,800 are 218 to the inch of A4. */
const widthPx = 1800;
const jpegQuality = 88;
/** Ink may reach a little beyond its box: as much is added on every side, as a share of the page. */
const margin = 0.003;

type Painter = (
  page: number,
  canvas: { drawing: SKRSContext2D; width: number; height: number },
) => Pick<PicturePage, 'words'>;

/** Told of each page when it is drawn. */
type OnPage = () => void;

async function drawPages(
  { bytes, pages }: { bytes: Uint8Array; pages: string | null },
  { paint, onPage = () => undefined }: { paint: Painter; onPage?: OnPage },
): Promise<DrawnDocument> {
  const { createCanvas, loadImage } = await loadCanvas();
  const source = await openDocument(bytes);
  try {
    const drawn: PicturePage[] = [];
    for (const number of selectPages(pages, source.pageCount)) {
      const picture = await loadImage(Buffer.from(await source.png(number, widthPx)));
      const { width, height } = picture;
      const canvas = createCanvas(width, height);
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = '#fff';
      drawing.fillRect(0, 0, width, height);
      drawing.drawImage(picture, 0, 0);
      const words = paint(number, { drawing, width, height });
      const jpeg = await canvas.encode('jpeg', jpegQuality);
      drawn.push({ jpeg, widthPx: width, heightPx: height, ...words });
      onPage();
    }
    return { pdf: picturePdf(drawn), pages: drawn.length };
  } finally {
    await source.close();
  }
}

/** Nothing of the old file is in it. @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range */
export function redactPages({ areas, ...params }: RedactParams, onPage?: OnPage): Promise<DrawnDocument> {
  const paint: Painter = (number, { drawing, width, height }) => {
    drawing.fillStyle = '#000';
    for (const { page, bbox } of areas) {
      if (page !== number) continue;
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
      const [left, top] = [(x0 - margin) * width, (y0 - margin) * height];
      drawing.fillRect(left, top, (x1 + margin) * width - left, (y1 + margin) * height - top);
    }
    return {};
  };
  return drawPages(params, { paint, ...(onPage && { onPage }) });
}

/** @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range */
export function searchablePdf(
  { lines, ...params }: SearchablePdfParams,
  onPage?: OnPage,
): Promise<DrawnDocument> {
  const byPage = Map.groupBy(lines, ({ page }) => page);
  const paint: Painter = (number) => ({ words: byPage.get(number)?.flatMap(({ words }) => words) ?? [] });
  return drawPages(params, { paint, ...(onPage && { onPage }) });
}
