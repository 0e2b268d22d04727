import { describe, expect, test } from 'vitest';
import type { WriteInputBarcodeFormat } from 'zxing-wasm/writer';
import { findBarcodes } from '../../../server/engine/vision/barcodes.ts';
import type { GrayImage } from '../../../server/engine/vision/images.ts';
import { drawBarcode } from '../../support/media/draw-barcode.ts';

/** A white page with one code drawn at (x, y), each module `scale` pixels wide. */
async function pageWith(text: string, format: WriteInputBarcodeFormat, turned = false): Promise<GrayImage> {
  const symbol = await drawBarcode(text, format);
  const rows = symbol.height === 1 ? 24 : symbol.height;
  const [scale, x, y] = [3, 60, 50];
  const width = 150 + scale * Math.max(symbol.width, rows);
  const height = width;
  const data = new Uint8Array(width * height).fill(255);
  for (let row = 0; row < rows * scale; row++)
    for (let col = 0; col < symbol.width * scale; col++) {
      const module = Math.floor(row / scale) % symbol.height;
      const value = symbol.data[module * symbol.width + Math.floor(col / scale)]!;
      const at = turned ? (y + col) * width + x + rows * scale - 1 - row : (y + row) * width + x + col;
      data[at] = value;
    }
  return { width, height, data };
}

describe('barcodes', () => {
  test.each([
    ['QRCode', 'https://example.my/invois?no=10423&jumlah=RM12.50'],
    ['QRCode', '发票号码 10423 – jumlah é'],
    ['DataMatrix', 'LOT 77 EXP 2027-01'],
    ['PDF417', 'DOE<<JANE 1990-01-31'],
    ['Aztec', 'boarding pass 14C'],
    ['EAN13', '9556001036018'],
    ['Code128', 'INV-2026/00417'],
    ['Code39', 'PARCEL 8814'],
  ] as const)('%s reads back what was written', async (format, text) => {
    for (const turned of [false, true]) {
      const found = await findBarcodes(await pageWith(text, format, turned));
      expect(found.map((code) => code.text)).toEqual([text]);
      expect(found[0]!.format).toContain(format);
      const xs = found[0]!.corners.map(([x]) => x);
      expect(Math.min(...xs)).toBeGreaterThanOrEqual(55);
      expect(Math.min(...xs)).toBeLessThan(100);
    }
  });

  test('a page without a code has none', async () => {
    const data = new Uint8Array(300 * 200).fill(255);
    for (let x = 20; x < 280; x += 12) for (let y = 30; y < 170; y++) data[y * 300 + x] = 0;
    expect(await findBarcodes({ width: 300, height: 200, data })).toEqual([]);
  });
});
