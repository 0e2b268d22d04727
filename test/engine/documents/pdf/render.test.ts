import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { maxImageAreaPx } from '../../../../server/engine/documents/limits.ts';
import { openPdf } from '../../../../server/engine/documents/pdf/open.ts';
import { pagePixels } from '../../../../server/engine/documents/pdf/render.ts';

test('a picture that is drawn larger is smoothed', async () => {
  const halves = Buffer.from([0, 255, 0, 255]);
  const png = await sharp(halves, { raw: { width: 2, height: 2, channels: 1 } })
    .png()
    .toBuffer();
  const file = await PDFDocument.create();
  file.addPage([40, 40]).drawImage(await file.embedPng(png), { x: 0, y: 0, width: 40, height: 40 });
  const { document, close } = await openPdf(await file.save(), { maxImageAreaPx });
  const { data } = await pagePixels(document, 1, { scale: 1, maxAreaPx: 10_000 });
  const shades = new Set(data);
  expect(shades.size).toBeGreaterThan(4);
  await close();
});
