/** Draws pages: as PNG for the person who looks at the result, as pixels for text recognition. */

import type { Canvas } from '@napi-rs/canvas';
import { EngineError } from '../../engine.ts';
import type { RgbImage } from '../../vision/images.ts';
import { maxImageWidthPx } from '../limits.ts';
import { loadCanvas } from '../pages/canvas.ts';
import type { PDFDocumentProxy, PDFPageProxy } from './open.ts';

type RenderTarget = Parameters<PDFPageProxy['render']>[0]['canvas'];

interface DrawOptions {
  /** The scale for a page's natural size in points. */
  scaleOf: (size: { width: number; height: number }) => number;
  /** Asked between two batches of operators: true gives the page up. */
  isCut?: () => boolean;
}

/** Pictures that grow are smoothed: pdf.js turns that off, and letters of a scan of 150 dots an inch are drawn with steps. */
function smoothPictures(canvas: Canvas): void {
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  Object.defineProperty(context, 'imageSmoothingEnabled', { get: () => true, set: () => undefined });
}

/** @throws document_unreadable */
async function drawPage(
  document: PDFDocumentProxy,
  page: number,
  { scaleOf, isCut }: DrawOptions,
): Promise<Canvas> {
  const { createCanvas } = await loadCanvas();
  try {
    const proxy = await document.getPage(page);
    const scale = scaleOf(proxy.getViewport({ scale: 1 }));
    const viewport = proxy.getViewport({ scale });
    const canvas = createCanvas(
      Math.max(1, Math.round(viewport.width)),
      Math.max(1, Math.round(viewport.height)),
    );
    // The native canvas has the methods of the browser's that pdf.js calls, not all of its type.
    const target = canvas as unknown as RenderTarget;
    smoothPictures(canvas);
    const task = proxy.render({ canvas: target, viewport, background: 'white' });
    task.onContinue = (next: () => void) => (isCut?.() ? task.cancel() : next());
    await task.promise;
    proxy.cleanup();
    return canvas;
  } catch {
    throw new EngineError('document_unreadable', `page ${page} cannot be drawn`, 'file');
  }
}

/** @throws document_unreadable. */
export async function pagePng(
  document: PDFDocumentProxy,
  page: number,
  widthPx: number,
): Promise<Uint8Array> {
  // A page a hundred times taller than wide must not become a picture of a gigabyte.
  const canvas = await drawPage(document, page, {
    scaleOf: ({ width, height }) => Math.min(widthPx / width, (2 * maxImageWidthPx) / height),
  });
  return canvas.encode('png');
}

/** The page at this scale, in pixels a point, or smaller where it would have more than `maxAreaPx`. */
export async function pagePixels(
  document: PDFDocumentProxy,
  page: number,
  limits: { scale: number; maxAreaPx: number; isCut?: () => boolean },
): Promise<RgbImage> {
  const { width, height, data } = await drawPage(document, page, {
    scaleOf: (size) => Math.min(limits.scale, Math.sqrt(limits.maxAreaPx / (size.width * size.height))),
    ...(limits.isCut && { isCut: limits.isCut }),
  }).then((canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height));
  const rgb = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = data[from]!;
    rgb[to + 1] = data[from + 1]!;
    rgb[to + 2] = data[from + 2]!;
  }
  return { width, height, data: rgb };
}
