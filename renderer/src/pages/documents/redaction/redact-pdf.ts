/** A new PDF of page pictures with the chosen places painted over: no text, no metadata, nothing of the old file. */
import type { Target } from './redaction-plan.ts';
import { toBurn } from './redaction-plan.ts';

/** Pixels of a page's width: 2,200 are 266 to the inch of A4. */
export const redactionWidthPx = 2200;
/** Width of the pages made, in points; heights follow. */
const pageWidth = 595;

/** A page as it will be handed out. */
export interface PaintedPage {
  jpeg: Uint8Array;
  /** Height by width. */
  aspect: number;
}

/** @param png base64 */
export async function paintPage(png: string, targets: readonly Target[]): Promise<PaintedPage> {
  const bytes = Uint8Array.from(atob(png), (char) => char.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('This browser cannot paint pages.');
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, picture.width, picture.height);
  drawing.drawImage(picture, 0, 0);
  drawing.fillStyle = '#000';
  for (const { bbox } of targets) {
    const [x0, y0, x1, y1] = toBurn(bbox);
    const [width, height] = [(x1 - x0) * picture.width, (y1 - y0) * picture.height];
    drawing.fillRect(x0 * picture.width, y0 * picture.height, width, height);
  }
  const aspect = picture.height / picture.width;
  picture.close();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return { jpeg: new Uint8Array(await blob.arrayBuffer()), aspect };
}

export async function toPdf(pages: readonly PaintedPage[]): Promise<Blob> {
  const { PDFDocument } = await import('pdf-lib');
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (const { jpeg, aspect } of pages) {
    const page = pdf.addPage([pageWidth, pageWidth * aspect]);
    const image = await pdf.embedJpg(jpeg);
    page.drawImage(image, { x: 0, y: 0, width: pageWidth, height: pageWidth * aspect });
  }
  return new Blob([(await pdf.save()) as Uint8Array<ArrayBuffer>], { type: 'application/pdf' });
}
