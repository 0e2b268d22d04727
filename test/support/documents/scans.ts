/** Scans made on the spot: pages drawn as pictures, turned, bent, made noisy, put back into PDFs. */

import { PDFDocument, StandardFonts, setTextRenderingMode } from 'pdf-lib';
import sharp from 'sharp';
import { pageImage } from '../../../server/engine/documents/pages/page-image.ts';
import type { Quad } from '../../../server/engine/vision/geometry.ts';
import { fromUnitSquare, invert, project } from '../../../server/engine/vision/homography.ts';
import type { RgbImage } from '../../../server/engine/vision/images.ts';

export const lines = [
  'Quarterly report of the harbour office',
  'Ships arriving between January and March',
  'Grain and timber came from the north',
  'Repairs of the eastern quay took nine weeks',
  'The total cost was 48,250.75 in all',
];

/** An A4 page with one line of text each 30 points. */
export async function textPdf(texts: string[] = lines, size = 14): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage([595, 842]);
  for (const [index, text] of texts.entries())
    page.drawText(text, { x: 70, y: 742 - 30 * index, size, font });
  return pdf.save();
}

/** A page of a PDF as a picture. */
export const toPng = (pdf: Uint8Array, page = 1, widthPx = 1240): Promise<Uint8Array> =>
  pageImage({ bytes: pdf, page, widthPx });

export const turned = async (png: Uint8Array, degrees: number): Promise<Uint8Array> =>
  sharp(png).rotate(degrees, { background: 'white' }).png().toBuffer();

/** Pages of one TIFF; `jpeg` as scanners write it. */
export async function toTiff(pages: Uint8Array[], compression: 'lzw' | 'jpeg' = 'lzw'): Promise<Uint8Array> {
  return sharp(
    pages.map((page) => Buffer.from(page)),
    { join: { animated: true } },
  )
    .tiff({ compression })
    .toBuffer();
}

export async function pixelsOf(png: Uint8Array): Promise<RgbImage> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

export const pngOf = ({ width, height, data }: RgbImage): Promise<Uint8Array> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

/** A page lying on a dark table, seen at an angle: its corners at `quad` of a picture of this size. */
export function photographed(page: RgbImage, quad: Quad, size: { width: number; height: number }): RgbImage {
  const { width, height } = size;
  const back = invert(fromUnitSquare(quad));
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = project(back, [x + 0.5, y + 0.5]);
      const inside = u >= 0 && u < 1 && v >= 0 && v < 1;
      const from = 3 * (Math.floor(v * page.height) * page.width + Math.floor(u * page.width));
      for (let channel = 0; channel < 3; channel++)
        data[3 * (y * width + x) + channel] = inside
          ? page.data[from + channel]!
          : 60 + ((x * 7 + y * 13) % 9);
    }
  return { width, height, data };
}

const hidden = 3;

/** A PDF of one page that shows the picture and has, unseen over it, the given text. */
export async function scannedPdf(png: Uint8Array, hiddenText: string[] = []): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([595, 842]);
  page.drawImage(await pdf.embedPng(png), { x: 0, y: 0, width: 595, height: 842 });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const [index, text] of hiddenText.entries()) {
    page.pushOperators(setTextRenderingMode(hidden));
    page.drawText(text, { x: 70, y: 742 - 30 * index, size: 14, font });
  }
  return pdf.save();
}

/** An A4 page of 24 lines as a scanner gives it: 200 dots an inch, a little blurred, with grain. */
export async function grainyPage(number: number): Promise<Uint8Array> {
  const texts = Array.from(
    { length: 24 },
    (_, index) => `${index + 1}. ${lines[(index + number) % lines.length]}`,
  );
  const page = await toPng(await textPdf(texts, 11), 1, 1654);
  const noise = { type: 'gaussian', mean: 8, sigma: 6 } as const;
  const { width, height } = await sharp(page).metadata();
  const grain = await sharp({ create: { width, height, channels: 3, background: 'black', noise } })
    .png()
    .toBuffer();
  return sharp(page)
    .blur(0.6)
    .composite([{ input: grain, blend: 'difference' }])
    .png()
    .toBuffer();
}
