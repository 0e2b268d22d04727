/** What a scanner makes of a page: a little askew, soft, gray, with the marks of JPEG. */

import sharp from 'sharp';
import { openPdf } from '../../../../server/engine/documents/pdf/open.ts';
import { pagePng } from '../../../../server/engine/documents/pdf/render.ts';
import { type Chance, chanceFrom } from './form-maker.ts';

const maxImageAreaPx = 64_000_000;

/** Pages of a PDF (from 1) as PNG. */
export async function drawPages(
  pdf: Uint8Array,
  numbers: Iterable<number>,
  dotsPerInch: number,
): Promise<Buffer[]> {
  const { document, close } = await openPdf(pdf, { maxImageAreaPx });
  const pictures: Buffer[] = [];
  for (const number of numbers) {
    const { width } = (await document.getPage(number)).getViewport({ scale: 1 });
    pictures.push(Buffer.from(await pagePng(document, number, Math.round((width * dotsPerInch) / 72))));
  }
  await close();
  return pictures;
}

/** The same size and place as the page, up to half a pixel. */
export async function scanned(png: Uint8Array, seed: number): Promise<Buffer> {
  const chance: Chance = chanceFrom(seed);
  const { width, height } = await sharp(png).metadata();
  const turned = await sharp(png)
    .rotate((chance() - 0.5) * 0.8, { background: 'white' })
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  return sharp(turned.data)
    .extract({
      left: Math.floor((turned.info.width - width) / 2),
      top: Math.floor((turned.info.height - height) / 2),
      width,
      height,
    })
    .blur(0.4 + 0.4 * chance())
    .linear(0.8 + 0.1 * chance(), 20 + 15 * chance())
    .jpeg({ quality: Math.round(60 + 30 * chance()) })
    .toBuffer();
}
