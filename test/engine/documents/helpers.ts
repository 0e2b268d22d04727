/** Shared by the tests of documents: PDFs made on the spot, and one call of the parser. */

import { existsSync } from 'node:fs';
import { PDFDocument, type PDFPage, StandardFonts } from 'pdf-lib';
import { parseDocument } from '../../../server/engine/documents/parse-document.ts';
import type { ParseParams, ParseResult } from '../../../server/engine/documents/types.ts';

export const dataFolder = new URL('../../../../shared/data/', import.meta.url);
export const hasData = (folder: string): boolean => existsSync(new URL(folder, dataFolder));
export const sample = (name: string): URL =>
  new URL(`../../../renderer/public/samples/${name}.pdf`, import.meta.url);

export async function parse(bytes: Uint8Array, params: Partial<ParseParams> = {}): Promise<ParseResult> {
  const all: ParseParams = { bytes, template: null, pages: null, outputFormat: 'json', ...params };
  for await (const item of parseDocument(all)) if (item.kind === 'result') return item.result;
  throw new Error('no result');
}

export type Draw = (
  page: PDFPage,
  text: (value: string, x: number, y: number, size?: number) => void,
) => void;

/** A PDF with one A4 page for each drawing; `y` counts from the top. */
export async function makePdf(...drawings: Draw[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const draw of drawings) {
    const page = pdf.addPage([595, 842]);
    draw(page, (value, x, y, size = 10) => page.drawText(value, { x, y: 842 - y, size, font }));
  }
  return pdf.save();
}

/** The error of a call that must fail. */
export async function failure(
  call: Promise<unknown>,
): Promise<{ code: string; param: string | null; message: string }> {
  try {
    await call;
  } catch (error) {
    return error as { code: string; param: string | null; message: string };
  }
  throw new Error('expected a refusal');
}

/** Values of fields, without their places. */
export const valuesOf = (fields: Record<string, { value: unknown }>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.value]));
