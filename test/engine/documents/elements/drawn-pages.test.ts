/** Signatures and codes on pages whose text is digital: found in what such a page draws beside it. */

import { createCanvas } from '@napi-rs/canvas';
import { PDFDocument, rgb } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import { pngOf } from '../../../support/documents/scans.ts';
import { drawBarcode } from '../../../support/media/draw-barcode.ts';
import { makePdf, parse } from '../helpers.ts';

const clean = 'This delivery was received in good order by the person who signs below on this page.';

async function formWith(add: (pdf: PDFDocument) => Promise<void>): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(
    await makePdf((_, text) => {
      text(clean, 60, 100);
      text('Signature:', 60, 600);
    }),
  );
  await add(pdf);
  return pdf.save();
}

describe('a page of digital text', () => {
  test('a code that is a picture is read at its place, and is no signature', async () => {
    const symbol = await drawBarcode('https://example.my/invois?no=10423', 'QRCode');
    const data = new Uint8Array(3 * symbol.width * symbol.height);
    for (const [index, value] of symbol.data.entries()) data.fill(value, 3 * index, 3 * index + 3);
    const bytes = await formWith(async (pdf) => {
      const picture = await pdf.embedPng(await pngOf({ width: symbol.width, height: symbol.height, data }));
      pdf.getPages()[0]!.drawImage(picture, { x: 420, y: 842 - 300, width: 90, height: 90 });
    });
    const { barcodes, signatures } = await parse(bytes);
    expect(barcodes.map(({ text }) => text)).toEqual(['https://example.my/invois?no=10423']);
    const [x0, y0, x1, y1] = barcodes[0]!.bbox;
    for (const [found, drawn] of [
      [x0, 420 / 595],
      [y0, 210 / 842],
      [x1, 510 / 595],
      [y1, 300 / 842],
    ] as const)
      expect(Math.abs(found - drawn)).toBeLessThan(0.02);
    expect(signatures.filter(({ signed }) => signed)).toEqual([]);
  });

  test('a signature that is a picture, and one of strokes, are found beside their label', async () => {
    const canvas = createCanvas(240, 80);
    const context = canvas.getContext('2d');
    context.lineWidth = 3;
    context.beginPath();
    context.moveTo(5, 50);
    for (let at = 0; at < 12; at++)
      context.quadraticCurveTo(15 + 18 * at, at % 2 ? 75 : 5, 24 + 18 * at, 40 + (at % 3) * 8);
    context.stroke();
    const picture = await formWith(async (pdf) => {
      const image = await pdf.embedPng(await canvas.encode('png'));
      pdf.getPages()[0]!.drawImage(image, { x: 130, y: 842 - 615, width: 120, height: 40 });
    });
    const strokes = await formWith(async (pdf) => {
      const path = `M 0 20 ${Array.from({ length: 8 }, (_, at) => `Q ${8 + 14 * at} ${at % 2 ? 36 : 0} ${14 + 14 * at} ${18 + (at % 3) * 4}`).join(' ')}`;
      pdf
        .getPages()[0]!
        .drawSvgPath(path, { x: 130, y: 842 - 575, borderColor: rgb(0, 0, 0.3), borderWidth: 1.2 });
    });
    for (const bytes of [picture, strokes]) {
      const { signatures, barcodes } = await parse(bytes);
      expect(signatures).toHaveLength(1);
      expect(signatures[0]!.bbox[1]).toBeGreaterThan(560 / 842);
      expect(signatures[0]!.bbox[3]).toBeLessThan(630 / 842);
      expect(barcodes).toEqual([]);
    }
  });
});
