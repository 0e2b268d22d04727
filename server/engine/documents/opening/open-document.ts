/** A document opened for reading, PDF or picture file: its pages as the stages ask for them. */

import type { PageClock } from '../page-clock.ts';
import { PdfPictures } from '../pages/pdf-pictures.ts';
import { picturePageCount, readPicturePage } from '../pages/picture-file.ts';
import { extractPage, readFormKinds } from '../pdf/extract-page.ts';
import { openPdf } from '../pdf/open.ts';
import { type DigitalSignature, readDigitalSignatures } from '../signing/digital-signatures.ts';
import type { PageSource } from '../stage.ts';
import { activeContentWarnings } from './active-content.ts';
import { refuseBombs } from './bomb-guard.ts';
import { fromPdfHeader, knownMedia } from './document-media.ts';

export interface OpenDocument extends PageSource {
  pageCount: number;
  /** Of the file as a whole. */
  warnings: string[];
  digitalSignatures(): Promise<DigitalSignature[]>;
  close(): Promise<void>;
}

/** Share of a page's time that its text and drawing may take; the rest is for what is looked for in them. */
const extractShare = 0.6;

const xfaWarning = 'The document is an XFA form: what such a form shows beyond its plain pages was not read.';

async function openPdfDocument(bytes: Uint8Array): Promise<OpenDocument> {
  await refuseBombs(bytes);
  const clocks = new Map<number, PageClock>();
  const { document, cutPages, close } = await openPdf(bytes, {
    maxImageAreaPx: 0,
    isCut: (page) => clocks.get(page)?.isSpent(extractShare) ?? false,
  });
  const pictures = new PdfPictures(bytes);
  const form = await readFormKinds(document);
  return {
    pageCount: document.numPages,
    warnings: [...(form.xfa ? [xfaWarning] : []), ...(await activeContentWarnings(document))],
    async extract(page, clock) {
      clocks.set(page, clock);
      return extractPage(document, page, { hasForm: form.fields, isCut: () => cutPages.has(page) });
    },
    draw: (page, clock, dotsPerInch) => pictures.draw(page, clock, dotsPerInch),
    digitalSignatures: () => readDigitalSignatures(bytes),
    async close() {
      await pictures.close();
      await close();
    },
  };
}

const openPictureFile = async (bytes: Uint8Array): Promise<OpenDocument> => ({
  pageCount: await picturePageCount(bytes),
  warnings: [],
  extract: async () => null,
  draw: async (page) => ({ image: await readPicturePage(bytes, page), pointsPerPixel: null }),
  digitalSignatures: async () => [],
  async close() {},
});

/** @throws unsupported_media, document_encrypted or document_unreadable */
export const openDocument = (bytes: Uint8Array): Promise<OpenDocument> =>
  knownMedia(bytes) === 'pdf' ? openPdfDocument(fromPdfHeader(bytes)) : openPictureFile(bytes);
