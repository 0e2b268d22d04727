/**
 * Opens a PDF with pdf.js: no network and no script (its sandbox is not loaded, and version 6 evaluates no code at
 * all); fonts and character maps come from the package.
 */

import { getDocument, type PDFDocumentProxy, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { EngineError } from '../../engine.ts';
import { createSameThreadWorker, type IsCut } from './same-thread-worker.ts';
import { ShippedData, shippedFolders } from './shipped-data.ts';

export type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface OpenOptions {
  /** Embedded images with more pixels than this are left out; 0 leaves out all. */
  maxImageAreaPx: number;
  isCut?: IsCut;
}

/** pdf.js's own error classes, by name: its classes are not exported in one piece. */
function toEngineError(error: unknown): EngineError {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException')
    return new EngineError(
      'document_encrypted',
      'the document is protected with a password: remove the protection and send it again',
      'file',
    );
  return new EngineError('document_unreadable', 'the document is damaged or not a complete PDF', 'file');
}

export interface OpenPdf {
  document: PDFDocumentProxy;
  /** Pages whose operators were cut. */
  cutPages: ReadonlySet<number>;
  close(): Promise<void>;
}

/** @throws document_encrypted or document_unreadable */
export async function openPdf(bytes: Uint8Array, options: OpenOptions): Promise<OpenPdf> {
  const cutPages = new Set<number>();
  // Drawing hands pixels over that the worker side goes on using, so it keeps pdf.js's own copying.
  const worker = options.maxImageAreaPx > 0 ? undefined : createSameThreadWorker(options.isCut, cutPages);
  const task = getDocument({
    ...(worker ? { worker } : {}),
    // pdf.js takes the buffer over, so it gets its own copy.
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    useSystemFonts: false,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: options.maxImageAreaPx,
    canvasMaxAreaInBytes: options.maxImageAreaPx * 4,
    // Glyph outlines are needed to draw pages, and cost half the time when only text is wanted.
    disableFontFace: options.maxImageAreaPx > 0,
    // Names of fonts, which tell bold print and signs, are told among these alone; the port leaves the others out.
    fontExtraProperties: worker !== undefined,
    ...shippedFolders,
    cMapPacked: true,
    BinaryDataFactory: ShippedData,
  });
  const close = async (): Promise<void> => {
    await task.destroy().catch(() => undefined);
    worker?.destroy();
  };
  try {
    const document = await task.promise;
    if (document.numPages < 1) throw new Error('no pages');
    return { document, cutPages, close };
  } catch (error) {
    await close();
    throw toEngineError(error);
  }
}
