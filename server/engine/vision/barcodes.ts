/**
 * Barcodes and QR codes of a picture, for the documents and the images engine alike.
 *
 * ZXing-C++ compiled to WebAssembly. Its loader would fetch the module from a public host, so it is handed the bytes of
 * the file that stands in the package: nothing leaves the machine.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { prepareZXingModule, type ReaderOptions, type ReadResult, readBarcodes } from 'zxing-wasm/reader';
import type { Point, Quad } from './geometry.ts';
import type { GrayImage } from './images.ts';

export interface Barcode {
  /** Such as `QRCode`, `EAN13`, `Code128`, `PDF417`, `DataMatrix`. */
  format: string;
  text: string;
  /** Corners in pixels: upper left of the code itself first, then clockwise around it. */
  corners: Quad;
  confidence: number;
}

type Format = NonNullable<ReaderOptions['formats']>[number];

/** Codes that check themselves: a false reading is next to impossible in matrix codes and rare in linear ones. */
const matrixFormats: Format[] = ['QRCode', 'MicroQRCode', 'DataMatrix', 'Aztec', 'PDF417', 'MaxiCode'];
const checkedFormats: Format[] = ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'Code128', 'Code93', 'DataBarOmni'];
/** Codes without a check digit: rows of a table or of hatching can look like a short one. */
const uncheckedFormats: Format[] = ['Code39', 'ITF', 'Codabar'];
const minUncheckedLength = 6;

const options: ReaderOptions = {
  formats: [...matrixFormats, ...checkedFormats, ...uncheckedFormats],
  tryDenoise: false,
  minLineCount: 3,
  maxNumberOfSymbols: 32,
};

let ready: Promise<unknown> | null = null;

/** Loads the module once; a failed load is tried again by the next call. */
function prepare(): Promise<unknown> {
  ready ??= load().catch((error: unknown) => {
    ready = null;
    throw error;
  });
  return ready;
}

async function load(): Promise<unknown> {
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  const wasm = await readFile(file);
  const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
  return prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
}

type ReaderInput = Parameters<typeof readBarcodes>[0];

/** The reader takes RGBA only, in the shape of a browser's ImageData. */
function toImageData({ width, height, data }: GrayImage): ReaderInput {
  const rgba = new Uint32Array(width * height);
  for (let index = 0; index < rgba.length; index++) rgba[index] = 0xff000000 | (data[index]! * 0x010101);
  const pixels = new Uint8ClampedArray(rgba.buffer);
  return { data: pixels, width, height, colorSpace: 'srgb' } as ReaderInput;
}

function confidenceOf(format: Format): number {
  if (matrixFormats.includes(format)) return 0.99;
  return checkedFormats.includes(format) ? 0.95 : 0.8;
}

function toBarcode({ format, symbology, text, position }: ReadResult): Barcode[] {
  const family = [format, symbology].find((name) => (options.formats as string[]).includes(name)) ?? format;
  const unchecked = (uncheckedFormats as string[]).includes(family);
  if (text === '' || (unchecked && text.length < minUncheckedLength)) return [];
  const { topLeft, topRight, bottomRight, bottomLeft } = position;
  const corner = ({ x, y }: { x: number; y: number }): Point => [x, y];
  return [
    {
      format,
      text,
      corners: [corner(topLeft), corner(topRight), corner(bottomRight), corner(bottomLeft)],
      confidence: confidenceOf(family as Format),
    },
  ];
}

/** All codes of the picture, at any turn, dark on light or light on dark. */
export async function findBarcodes(image: GrayImage): Promise<Barcode[]> {
  await prepare();
  const results = await readBarcodes(toImageData(image), options);
  return results.filter((result) => result.isValid).flatMap(toBarcode);
}
