/** A new PDF of a document's pages as pictures, with places painted over: nothing of the old file is in it. */

import { selectPages } from '../../page-range.ts';
import { openDocument } from '../opening/open-document.ts';
import { type PicturePage, picturePdf } from '../output/picture-pdf.ts';
import type { RedactedDocument, RedactParams } from '../types.ts';

/** Pixels of a page's width: 1,800 are 218 to the inch of A4. */
const widthPx = 1800;
const jpegQuality = 88;
/** Ink may reach a little beyond its box: as much is added on every side, as a share of the page. */
const margin = 0.003;

/** @throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range */
export async function redactPages({ bytes, pages, areas }: RedactParams): Promise<RedactedDocument> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const source = await openDocument(bytes);
  try {
    const painted: PicturePage[] = [];
    for (const number of selectPages(pages, source.pageCount)) {
      const picture = await loadImage(Buffer.from(await source.png(number, widthPx)));
      const canvas = createCanvas(picture.width, picture.height);
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = '#fff';
      drawing.fillRect(0, 0, canvas.width, canvas.height);
      drawing.drawImage(picture, 0, 0);
      drawing.fillStyle = '#000';
      for (const { page, bbox } of areas) {
        if (page !== number) continue;
        const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = bbox;
        const [left, top] = [(x0 - margin) * canvas.width, (y0 - margin) * canvas.height];
        drawing.fillRect(left, top, (x1 + margin) * canvas.width - left, (y1 + margin) * canvas.height - top);
      }
      const jpeg = await canvas.encode('jpeg', jpegQuality);
      painted.push({ jpeg, widthPx: canvas.width, heightPx: canvas.height });
    }
    return { pdf: picturePdf(painted), pages: painted.length };
  } finally {
    await source.close();
  }
}
