/** The lines of one page as they were read, for whoever marks places on it. */

import { refusePage } from '../page-range.ts';
import { refuseBombs } from './bomb-guard.ts';
import { knownMedia } from './document-media.ts';
import { type PlacedSegment, toDocumentText } from './fields/reading.ts';
import type { Page } from './layout/page.ts';
import { PdfPictures } from './pages/pdf-pictures.ts';
import { readScanOrText } from './pages/pdf-scan.ts';
import { picturePageCount, readPicturePage } from './pages/picture-file.ts';
import { scanPage } from './pages/scan.ts';
import { openPdf } from './pdf/open.ts';
import { readFormKinds, readPdfPage } from './pdf/read-pdf.ts';
import type { PageLine, PageLinesParams, ParseContext } from './types.ts';

async function readPdf({ bytes, page: number }: PageLinesParams, { models }: ParseContext): Promise<Page> {
  await refuseBombs(bytes);
  const { document: pdf, close } = await openPdf(bytes, { maxImageAreaPx: 0 });
  const pictures = new PdfPictures(bytes);
  try {
    refusePage(number, pdf.numPages);
    const { fields } = await readFormKinds(pdf);
    const { page } = await readScanOrText(await readPdfPage(pdf, number, fields), { pictures, models });
    return page;
  } finally {
    await pictures.close();
    await close();
  }
}

async function readPicture({ bytes, page }: PageLinesParams, { models }: ParseContext): Promise<Page> {
  refusePage(page, await picturePageCount(bytes));
  const image = await readPicturePage(bytes, page);
  return (await scanPage({ image, pointsPerPixel: null }, page, await models())).page;
}

const toLine = ({ page, text, box, words }: PlacedSegment): PageLine => ({
  page: page.number,
  text,
  bbox: page.toView(box),
  words: words.map((word) => ({ text: word.text, bbox: page.toView(word.box) })),
});

/** In reading order; text beside a wide gap is a line of its own, as templates read it. */
export const linesOf = (pages: Page[]): PageLine[] => toDocumentText(pages).pieces.map(toLine);

/** Throws unsupported_media, document_encrypted, document_unreadable or invalid_page_range. */
export async function pageLines(params: PageLinesParams, context: ParseContext): Promise<PageLine[]> {
  const read = knownMedia(params.bytes) === 'pdf' ? readPdf : readPicture;
  return linesOf([await read(params, context)]);
}
