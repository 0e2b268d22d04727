/** Pictures and counts of a document's pages, for whoever looks at it. */

import { EngineError } from '../../engine.ts';
import { refusePage } from '../../page-range.ts';
import { maxImageAreaPx, maxImageWidthPx } from '../limits.ts';
import { refuseBombs } from '../opening/bomb-guard.ts';
import { fromPdfHeader, knownMedia } from '../opening/document-media.ts';
import { openDocument } from '../opening/open-document.ts';
import { openPdf } from '../pdf/open.ts';
import { pagePng } from '../pdf/render.ts';
import type { PageImageParams } from '../types.ts';
import { picturePageCount, picturePagePng } from './picture-file.ts';

/** @throws unsupported_media, document_encrypted, document_unreadable, invalid_value or invalid_page_range. */
export async function pageImage({ bytes, page, widthPx }: PageImageParams): Promise<Uint8Array> {
  const media = knownMedia(bytes);
  if (!Number.isInteger(widthPx) || widthPx < 16 || widthPx > maxImageWidthPx)
    throw new EngineError(
      'invalid_value',
      `the width must be a whole number from 16 to ${maxImageWidthPx}`,
      'width',
    );
  if (media === 'flow') return flowPageImage({ bytes, page, widthPx });
  if (media !== 'pdf') {
    refusePage(page, await picturePageCount(bytes));
    return picturePagePng(bytes, page, widthPx);
  }
  const pdf = fromPdfHeader(bytes);
  await refuseBombs(pdf);
  const { document, close } = await openPdf(pdf, { maxImageAreaPx });
  try {
    refusePage(page, document.numPages);
    return await pagePng(document, page, widthPx);
  } finally {
    await close();
  }
}

async function flowPageImage({ bytes, page, widthPx }: PageImageParams): Promise<Uint8Array> {
  const source = await openDocument(bytes);
  try {
    refusePage(page, source.pageCount);
    return await source.png(page, widthPx);
  } finally {
    await source.close();
  }
}

/** @throws unsupported_media, document_encrypted or document_unreadable. */
export async function pageCount(bytes: Uint8Array): Promise<number> {
  const media = knownMedia(bytes);
  if (media === 'flow') {
    const source = await openDocument(bytes);
    await source.close();
    return source.pageCount;
  }
  if (media !== 'pdf') return picturePageCount(bytes);
  const { document, close } = await openPdf(fromPdfHeader(bytes), { maxImageAreaPx: 0 });
  const count = document.numPages;
  await close();
  return count;
}
