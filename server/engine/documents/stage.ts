/** A stage, and the page that all stages work on. The stages are listed in pipeline.ts. */

import type { Component, InkImage } from '../vision/components.ts';
import type { Box, Quad } from '../vision/geometry.ts';
import type { GrayImage, RgbImage } from '../vision/images.ts';
import type { Lines, Strokes } from '../vision/lines/line-detection.ts';
import type { TextModels } from '../vision/ocr/models/text-models.ts';
import type { RecognizedLine } from '../vision/ocr/read-lines.ts';
import type { PageTransform } from '../vision/page-transform.ts';
import type {
  CheckboxElement,
  CodeElement,
  Page,
  PageElement,
  PageTable,
  SignatureElement,
  Unplaced,
} from './document.ts';
import type { PageClock } from './page-clock.ts';
import type { CleanPicture } from './pages/clean-picture.ts';
import type { SourcedLine } from './pages/scan-words.ts';
import type { ExtractedPage } from './pdf/extract-page.ts';
import type { Widget } from './pdf/form-fields.ts';

/** One step of reading. It returns a new value and changes nothing of the one given. */
export interface Stage<T, Tools = StageTools> {
  readonly name: string;
  run(value: T, tools: Tools): Promise<T>;
}

/** A page as a viewer shows it. */
export interface PagePicture {
  image: RgbImage;
  /** Points of the page for each pixel; null where the file does not tell. */
  pointsPerPixel: number | null;
}

/** The file that pages are read from; pages count from 1. */
export interface PageSource {
  /** The page as the file itself tells it; null for a picture file. */
  extract(page: number, clock: PageClock): Promise<ExtractedPage | null>;
  /** @throws document_unreadable when the page cannot be drawn, or not in the time that it has left */
  draw(page: number, clock: PageClock, dotsPerInch?: number): Promise<PagePicture>;
  /** True for a page that tells its words, headings and tables itself: nothing is looked for in its picture. */
  isTold?(page: number): boolean;
}

export interface StageTools {
  source: PageSource;
  clock: PageClock;
  /** The networks of text recognition, asked for when a page must be read from its picture. */
  models: () => Promise<TextModels>;
  /** True if words that nobody sees stay among the others. */
  keepHidden?: boolean;
}

/** The way from a page's picture to its reading frame. */
export interface Orientation {
  /** The text lines found, corners as their readers see them, in pixels of the clean picture. */
  quads: readonly Quad[];
  /** Those of them that were read already, to tell which way is up. */
  lines: readonly RecognizedLine[];
  transform: PageTransform;
  /** Radians clockwise, quarter turns and skew together. */
  angle: number;
}

/** Pixels of a page in its reading frame, and what is drawn in them. */
export interface RasterPage {
  gray: GrayImage;
  /** Dark where the page is colorful; null where it is nowhere. */
  tint(): GrayImage | null;
  /** In pixels: where codes may be; null: nowhere. */
  codeArea: Box | null;
  ink: InkImage;
  /** Straight lines, in points. */
  rulings: Lines;
  /** Of a page read from its picture. */
  strokes: Strokes | null;
  /** Pixels a point. */
  scale: number;
}

/** Doubts about the text layer of a page. */
export type TextLayerDoubt = 'none' | 'little text' | 'unmapped text' | 'hidden text';

/** One page on its way through the stages: what is null is not known yet, or is not of this page. */
export interface PageState {
  readonly number: number;
  /** As the text layer gives it; from the stage `words` on as its picture was read, where that is done. */
  readonly page: Page;
  readonly damaged: boolean;
  readonly widgets: readonly Widget[];
  readonly warnings: readonly string[];
  readonly doubt: TextLayerDoubt;
  /** Set while the page is read from its picture: the picture made fit for reading, and its size as it came, in pixels. */
  readonly picture: {
    clean: CleanPicture;
    pointsPerPixel: number | null;
    width: number;
    height: number;
  } | null;
  readonly orientation: Orientation | null;
  readonly lines: readonly SourcedLine[] | null;
  /** Of a page read from its picture: points a pixel, and the mean confidence of its words by length. */
  readonly read: { pointsPerPixel: number; confidence: number } | null;
  readonly raster: RasterPage | null;
  /** Pieces of ink of a page read from its picture, in pixels. */
  readonly components: readonly Component[];
  /** Places of the boxes to tick on a scan, those of form fields too, in points. */
  readonly contours: readonly Box[];
  readonly checkboxes: readonly Unplaced<CheckboxElement>[];
  readonly barcodes: readonly Unplaced<CodeElement>[];
  readonly signatures: readonly Unplaced<SignatureElement>[];
  readonly stamps: readonly Unplaced<PageElement>[];
  readonly tables: readonly PageTable[];
}
