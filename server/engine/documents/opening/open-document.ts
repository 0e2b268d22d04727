/** A document opened for reading, PDF or picture file: its pages as the stages ask for them. */

import { leftOut } from '../../../api/services/encoded-text.ts';
import { EngineError } from '../../engine.ts';
import type { DocumentPart } from '../document.ts';
import { maxAttachedFiles, maxAttachmentDepth, maxPageOperators } from '../limits.ts';
import { setPagePng } from '../office/draw-page.ts';
import { type ActivePart, type AttachedFile, emptyFlow, type Flow, heading } from '../office/flow.ts';
import { readFlow } from '../office/read-flow.ts';
import { setPages } from '../office/set-pages.ts';
import type { PageClock } from '../page-clock.ts';
import { PdfPictures } from '../pages/pdf-pictures.ts';
import { picturePageCount, picturePagePng, readPicturePage } from '../pages/picture-file.ts';
import { extractPage, readFormKinds } from '../pdf/extract-page.ts';
import { openPdf } from '../pdf/open.ts';
import { type DigitalSignature, readDigitalSignatures } from '../signing/digital-signatures.ts';
import type { PageSource } from '../stage.ts';
import { actionParts } from './action-scan.ts';
import { activeContentWarnings, activePartWarnings, pdfActiveParts } from './active-content.ts';
import { refuseBombs } from './bomb-guard.ts';
import { fromPdfHeader, knownMedia } from './document-media.ts';

export interface OpenDocument extends PageSource {
  pageCount: number;
  /** Of the file as a whole. */
  warnings: string[];
  active: readonly ActivePart[];
  /** Of a mail with attached files. */
  parts?: readonly DocumentPart[];
  digitalSignatures(): Promise<DigitalSignature[]>;
  /** A page as PNG. @throws document_unreadable when it cannot be drawn */
  png(page: number, widthPx: number): Promise<Uint8Array>;
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
    isCut: (page, operators) =>
      operators > maxPageOperators || (clocks.get(page)?.isSpent(extractShare) ?? false),
  });
  const pictures = new PdfPictures(bytes);
  const form = await readFormKinds(document);
  const actions = actionParts(bytes);
  return {
    pageCount: document.numPages,
    warnings: [
      ...(form.xfa ? [xfaWarning] : []),
      ...(await activeContentWarnings(document)),
      ...activePartWarnings(actions),
    ],
    active: [...(await pdfActiveParts(document)), ...actions],
    async extract(page, clock) {
      clocks.set(page, clock);
      return extractPage(document, page, { hasForm: form.fields, isCut: () => cutPages.has(page) });
    },
    draw: (page, clock, dotsPerInch) => pictures.draw(page, clock, dotsPerInch),
    png: (page, widthPx) => pictures.png(page, widthPx),
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
  active: [],
  extract: async () => null,
  draw: async (page) => ({ image: await readPicturePage(bytes, page), pointsPerPixel: null }),
  png: (page, widthPx) => picturePagePng(bytes, page, widthPx),
  digitalSignatures: async () => [],
  async close() {},
});

/** The flow with the file's name above it. */
function named(flow: Flow, name: string): Flow {
  const [first, ...rest] = flow.sections;
  const parts = [heading(name, 2), ...(first?.parts ?? [])];
  return { ...flow, sections: [{ kind: first?.kind ?? 'text', parts }, ...rest] };
}

/**
 * Pages set from a file of running text.
 * @param name of an attached one
 */
function openFlow(flow: Flow, name = ''): OpenDocument {
  const { sections, active, warnings } = name === '' ? flow : named(flow, name);
  const pages = setPages(sections);
  const [title] = name === '' ? [] : (pages[0]?.page.blocks ?? []);
  if (title) pages[0]!.page.fileName = title.box;
  return {
    pageCount: pages.length,
    warnings: [...warnings, ...activePartWarnings(active)],
    active,
    async extract(number) {
      const { page, tables, concealed } = pages[number - 1]!;
      page.concealed = concealed;
      const textLayer = { visible: page.words.length, hidden: 0, unmapped: 0 };
      return { page, tables, widgets: [], warnings: [], damaged: false, textLayer };
    },
    draw: () => Promise.reject(new EngineError('document_unreadable', 'the page has no picture', 'file')),
    isTold: () => true,
    png: (page, widthPx) => setPagePng(pages[page - 1]!, widthPx),
    digitalSignatures: async () => [],
    async close() {},
  };
}

/** A file of running text, and behind its pages those of what is attached to it. */
async function openFlowFile(bytes: Uint8Array, depth: number, name = ''): Promise<OpenDocument> {
  const flow = readFlow(bytes);
  const opened = [openFlow(flow, name)];
  const parts: DocumentPart[] = [{ name: null, first: 1, last: opened[0]!.pageCount }];
  const left: string[] = [];
  for (const [index, file] of flow.attachments.entries()) {
    const attached =
      index < maxAttachedFiles && depth < maxAttachmentDepth ? await openAttached(file, depth) : null;
    if (!attached) {
      left.push(file.name);
      continue;
    }
    opened.push(...attached);
    const last = opened.reduce((sum, { pageCount }) => sum + pageCount, 0);
    parts.push({ name: file.name, first: last - attached.at(-1)!.pageCount + 1, last });
  }
  if (opened.length === 1 && left.length === 0) return opened[0]!;
  return { ...joinDocuments(opened, left.length > 0 ? [notRead(left)] : []), parts };
}

/** Its pages under its name, which those of PDFs and pictures have no room for: a page before them. Null for what cannot be read. */
async function openAttached({ name, bytes }: AttachedFile, depth: number): Promise<OpenDocument[] | null> {
  try {
    if (knownMedia(bytes) === 'flow') return [await openFlowFile(bytes, depth + 1, name.trim())];
    return [openFlow(named(emptyFlow(), name)), await openAny(bytes, depth + 1)];
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/** Names that one warning tells. */
const maxNames = 5;
const notRead = (names: readonly string[]): string =>
  `${leftOut.attached} ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}.`;

/** Documents behind each other as one; their pages count on. */
function joinDocuments(documents: readonly OpenDocument[], warnings: readonly string[]): OpenDocument {
  const places = documents.flatMap((document) =>
    Array.from({ length: document.pageCount }, (_, index) => ({ document, page: index + 1 })),
  );
  const at = (number: number) => places[number - 1]!;
  return {
    pageCount: places.length,
    warnings: [...documents.flatMap((document) => document.warnings), ...warnings],
    active: documents.flatMap((document) => document.active),
    async extract(number, clock) {
      const { document, page } = at(number);
      const extracted = await document.extract(page, clock);
      if (!extracted) return null;
      const renumbered: typeof extracted.page = Object.assign(extracted.page, { number });
      return {
        ...extracted,
        page: renumbered,
        widgets: extracted.widgets.map((widget) => ({ ...widget, page: number })),
      };
    },
    draw: (number, clock, dotsPerInch) => at(number).document.draw(at(number).page, clock, dotsPerInch),
    isTold: (number) => at(number).document.isTold?.(at(number).page) ?? false,
    png: (number, widthPx) => at(number).document.png(at(number).page, widthPx),
    digitalSignatures: async () => [],
    async close() {
      for (const document of documents) await document.close();
    },
  };
}

function openAny(bytes: Uint8Array, depth: number): Promise<OpenDocument> {
  const media = knownMedia(bytes);
  if (media === 'pdf') return openPdfDocument(fromPdfHeader(bytes));
  return media === 'flow' ? openFlowFile(bytes, depth) : openPictureFile(bytes);
}

/** @throws unsupported_media, document_encrypted or document_unreadable */
export const openDocument = (bytes: Uint8Array): Promise<OpenDocument> => openAny(bytes, 0);
