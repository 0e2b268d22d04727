/** Draws barcodes for tests, with the writing half of the same library. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type WriteInputBarcodeFormat, writeBarcode } from 'zxing-wasm/writer';

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
prepareZXingModule({ overrides: { wasmBinary } });

export interface Symbol {
  /** In modules. Linear codes are one row high. */
  width: number;
  height: number;
  /** One byte a module: 0 black, 255 white; a quiet zone is part of it. */
  data: Uint8Array | Uint8ClampedArray;
}

export async function drawBarcode(text: string, format: WriteInputBarcodeFormat): Promise<Symbol> {
  const { symbol, error } = await writeBarcode(text, { format });
  if (error) throw new Error(error);
  return symbol;
}
