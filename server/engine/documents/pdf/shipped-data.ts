/**
 * The fonts and character maps that pdf.js ships, each read once by a thread: nearly every document names some of these
 * fonts, and reading a file anew for each takes longer than a short page does.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const folder = (name: string): string => join(packageFolder, name) + sep;

/** By pdf.js's own names for them. */
export const shippedFolders = {
  cMapUrl: folder('cmaps'),
  standardFontDataUrl: folder('standard_fonts'),
  wasmUrl: folder('wasm'),
  iccUrl: folder('iccs'),
} as const;

/** Fonts and maps, 2 MB in all. */
const kept = new Set(['cMapUrl', 'standardFontDataUrl']);
const files = new Map<string, Promise<Uint8Array>>();

function keptFile(path: string): Promise<Uint8Array> {
  const known = files.get(path);
  if (known) return known;
  const file = readFile(path);
  files.set(path, file);
  file.catch(() => files.delete(path));
  return file;
}

/** As pdf.js asks for it; bytes of the caller's own. */
export class ShippedData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const path = `${shippedFolders[kind as keyof typeof shippedFolders]}${filename}`;
    return new Uint8Array(await (kept.has(kind) ? keptFile(path) : readFile(path)));
  }
}
