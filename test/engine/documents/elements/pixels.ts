/** Pages drawn for tests, as pixels and as the words that a recognizer would give. */

import sharp from 'sharp';
import type { CheckboxInput } from '../../../../server/engine/documents/elements/checkboxes-raster.ts';
import { extractPage } from '../../../../server/engine/documents/pdf/extract-page.ts';
import { openPdf } from '../../../../server/engine/documents/pdf/open.ts';
import { binarize } from '../../../../server/engine/vision/binarize.ts';
import { findComponents } from '../../../../server/engine/vision/components.ts';
import type { GrayImage } from '../../../../server/engine/vision/images.ts';
import { detectStrokes } from '../../../../server/engine/vision/lines/line-detection.ts';
import { drawPages, scanned } from '../../../support/documents/forms/scanner.ts';
import { drawPdf, type Surface } from '../../../support/documents/forms/surface.ts';

const dotsPerInch = 150;

async function toGray(picture: Uint8Array): Promise<GrayImage> {
  const { data, info } = await sharp(picture).grayscale().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

/** What is drawn, seen through a scanner. `seed` gives its angle, blur and noise. */
export async function scanOf(draw: (surface: Surface) => void, seed: number): Promise<CheckboxInput> {
  const pdf = await drawPdf(draw);
  const [picture] = await drawPages(pdf, [1], dotsPerInch);
  const image = await toGray(await scanned(picture!, seed));
  const { document, close } = await openPdf(pdf, { maxImageAreaPx: 0 });
  const { page } = await extractPage(document, 1, { hasForm: false });
  await close();
  const ink = binarize(image);
  const scale = dotsPerInch / 72;
  return {
    image,
    ink,
    strokes: detectStrokes(image, scale),
    components: findComponents(ink),
    words: page.words,
    scale,
  };
}
