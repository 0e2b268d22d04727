/** Pages of an open PDF as Page objects, with their form fields. */

import { AnnotationType } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Page, PageTable } from '../document.ts';
import { layoutPage, type PageSize } from '../layout/layout-page.ts';

import { maxPageGlyphs } from '../limits.ts';
import { concealedGlyphs, glyphsUnderPictures } from './concealed-glyphs.ts';
import { readWidgets, type Widget } from './form-fields.ts';
import type { Matrix } from './matrix.ts';
import type { PDFDocumentProxy, PDFPageProxy } from './open.ts';
import { type Glyph, type PageContent, readPageContent } from './page-content.ts';

/** The text of a page as its operators give it, in glyphs. */
export interface TextLayer {
  visible: number;
  hidden: number;
  unmapped: number;
}

/** Text under a picture counts as hidden: as with the layer of a scan, the picture is what is seen. */
function toTextLayer({ glyphs, unmapped }: PageContent, under: ReadonlySet<Glyph>): TextLayer {
  let [visible, hidden] = [0, 0];
  for (const glyph of glyphs)
    if (!glyph.blank) {
      if (glyph.hidden || under.has(glyph)) hidden++;
      else visible++;
    }
  return { visible, hidden, unmapped };
}

export interface ExtractedPage {
  page: Page;
  widgets: Widget[];
  warnings: string[];
  damaged: boolean;
  /** Reason to read the page's picture instead. */
  textLayer: TextLayer;
  /** Of a page that tells them itself. */
  tables?: PageTable[];
}

/** Share of a page's text beyond its edges from which its reader is told. */
const muchOutside = 0.2;
const minOutside = 50;

function contentWarnings({ glyphs, truncated }: PageContent, size: PageSize): string[] {
  const { number, width, height } = size;
  let outside = 0;
  for (const { x, y } of glyphs) if (x < 0 || y < 0 || x > width || y > height) outside++;
  const beyond = outside >= minOutside && outside > muchOutside * glyphs.length;
  return [
    ...(truncated ? [`Page ${number} is too long: only its first part was read.`] : []),
    ...(beyond ? [`Page ${number} has text beyond its edges, which was left out.`] : []),
  ];
}

/** Fonts reach the page's object store before the operators that use them; a missing one leaves its text out. */
function fontOf(page: PDFPageProxy, name: string): unknown {
  for (const store of [page.commonObjs, page.objs]) {
    if (!store.has(name)) continue;
    const font = store.get(name) as { clearData?(): void } | null;
    // The outlines, which pdf.js keeps where it tells a font's name.
    font?.clearData?.();
    return font;
  }
  return null;
}

function emptyPage(number: number, size: { width: number; height: number }): ExtractedPage {
  const content = {
    glyphs: [],
    covers: [],
    backdrops: [],
    shapes: [],
    isDrawing: false,
    unmapped: 0,
    truncated: false,
  };
  return {
    page: layoutPage(content, { number, ...size }),
    widgets: [],
    warnings: [`Page ${number} is damaged and could not be read.`],
    damaged: true,
    textLayer: toTextLayer(content, new Set()),
  };
}

export interface FormKinds {
  /** True if the document has form fields; without them its annotations need not be listed. */
  fields: boolean;
  /** A form of Adobe's XML architecture: what a viewer of that kind shows lies in no page. */
  xfa: boolean;
}

export async function readFormKinds(document: PDFDocumentProxy): Promise<FormKinds> {
  const info = (await document.getMetadata().catch(() => null))?.info as Record<string, unknown> | undefined;
  return { fields: info?.IsAcroFormPresent !== false, xfa: info?.IsXFAPresent === true };
}

export interface ExtractOptions {
  /** Without form fields its annotations need not be listed. */
  hasForm: boolean;
  /** Asked when its operators are listed: whether they were cut for the time they take. */
  isCut?: () => boolean;
}

/** Asked for all kinds of annotations of a page, pdf.js reads its text again, for that under its links. */
async function widgetsOf(document: PDFDocumentProxy, number: number): Promise<unknown[]> {
  const others = new Set(Array.from({ length: document.numPages }, (_, index) => index));
  others.delete(number - 1);
  return (await document.getAnnotationsByType(new Set([AnnotationType.WIDGET]), others)) ?? [];
}

/** A page that pdf.js cannot read is empty, with a warning: one bad page must not lose the others. */
export async function extractPage(
  document: PDFDocumentProxy,
  number: number,
  { hasForm, isCut }: ExtractOptions,
): Promise<ExtractedPage> {
  const proxy = await document.getPage(number).catch(() => null);
  if (!proxy) return emptyPage(number, { width: 595, height: 842 });
  const viewport = proxy.getViewport({ scale: 1 });
  const size = { number, width: Math.max(1, viewport.width), height: Math.max(1, viewport.height) };
  const base = viewport.transform as unknown as Matrix;
  try {
    const operators = await proxy.getOperatorList({ intent: 'display' });
    const content = readPageContent(operators, {
      base,
      font: (name) => fontOf(proxy, name),
      maxGlyphs: maxPageGlyphs,
    });
    if (isCut?.()) content.truncated = true;
    const under = glyphsUnderPictures(content);
    const { isDrawing } = content;
    const page = {
      ...layoutPage(content, size),
      isDrawing,
      concealed: concealedGlyphs(content, size, under),
    };
    const widgets = hasForm ? readWidgets(await widgetsOf(document, number), { number, base, size }) : [];
    const warnings = contentWarnings(content, size);
    return { page, widgets, warnings, damaged: false, textLayer: toTextLayer(content, under) };
  } catch {
    return emptyPage(number, size);
  } finally {
    proxy.cleanup();
  }
}
