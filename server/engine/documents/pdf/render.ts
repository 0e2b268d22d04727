/** Draws a page as PNG, for the person who looks at the result. */

import { EngineError } from '../../engine.ts';
import { refuseBombs } from '../bomb-guard.ts';
import { maxImageAreaPx, maxImageWidthPx } from '../limits.ts';
import { detectMedia } from '../media.ts';
import type { PageImageParams } from '../types.ts';
import { openPdf, type PDFPageProxy } from './open.ts';

type RenderTarget = Parameters<PDFPageProxy['render']>[0]['canvas'];

function refuseOthers(bytes: Uint8Array): void {
  if (detectMedia(bytes) !== 'pdf')
    throw new EngineError('unsupported_media', 'the file is not a PDF', 'file');
}

/** Throws unsupported_media, document_encrypted, document_unreadable, invalid_value or invalid_page_range. */
export async function renderPage({ bytes, page, widthPx }: PageImageParams): Promise<Uint8Array> {
  refuseOthers(bytes);
  if (!Number.isInteger(widthPx) || widthPx < 16 || widthPx > maxImageWidthPx)
    throw new EngineError(
      'invalid_value',
      `the width must be a whole number from 16 to ${maxImageWidthPx}`,
      'width',
    );
  await refuseBombs(bytes);
  // Loaded on first use: drawing needs the native canvas, parsing does not.
  const { createCanvas } = await import('@napi-rs/canvas');
  const { document, close } = await openPdf(bytes, { maxImageAreaPx });
  try {
    if (!Number.isInteger(page) || page < 1 || page > document.numPages)
      throw new EngineError('invalid_page_range', `the document has ${document.numPages} pages`, 'page');
    const proxy = await document.getPage(page);
    const natural = proxy.getViewport({ scale: 1 });
    // A page a hundred times taller than wide must not become a picture of a gigabyte.
    const scale = Math.min(widthPx / natural.width, (2 * maxImageWidthPx) / natural.height);
    const viewport = proxy.getViewport({ scale });
    const canvas = createCanvas(
      Math.max(1, Math.round(viewport.width)),
      Math.max(1, Math.round(viewport.height)),
    );
    // The native canvas has the methods of the browser's that pdf.js calls, not all of its type.
    const target = canvas as unknown as RenderTarget;
    await proxy.render({ canvas: target, viewport, background: 'white' }).promise;
    return await canvas.encode('png');
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('document_unreadable', `page ${page} cannot be drawn`, 'file');
  } finally {
    await close();
  }
}

export async function pageCount(bytes: Uint8Array): Promise<number> {
  refuseOthers(bytes);
  const { document, close } = await openPdf(bytes, { maxImageAreaPx: 0 });
  const count = document.numPages;
  await close();
  return count;
}
