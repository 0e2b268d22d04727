/** A document as it was read: its pages, what was found on them, and how sure each is. What templates and fields look at. */

import type { Box, Ruling } from '../vision/geometry.ts';
import type { ActivePart, ConcealedWord, FlowTable } from './office/flow.ts';
import type { Widget } from './pdf/form-fields.ts';
import type { DigitalSignature } from './signing/digital-signatures.ts';
import type { Located, WordSource } from './types.ts';

export interface Word {
  text: string;
  box: Box;
  baseline: number;
  size: number;
  bold: boolean;
  /** Text that runs at an angle to the page's main direction. */
  turned: boolean;
  source: WordSource;
  /** Confidence of its recognition, 0 to 1; absent where the document itself says the text. */
  confidence?: number;
}

/** A piece of running text; `items` are those of lists. */
export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'item';
  text: string;
  /** Of a heading from 1 to 6; of an item its depth from 0. */
  level: number;
  /** Printed before an item of an ordered list, such as `3.`. */
  marker?: string;
  box: Box;
  /** Of a web page: navigation, a banner or the like, beside what the page is about. */
  isAside?: boolean;
  /** Lines and their blanks are as written. */
  isCode?: boolean;
}

export interface TableBlock {
  kind: 'table';
  table: PageTable;
  box: Box;
  isAside?: boolean;
}

/** A part of a page in reading order. */
export type FlowBlock = TextBlock | TableBlock;

/** Words of one baseline without a wide gap: a line of a paragraph, or of a table cell. */
export interface Segment {
  words: Word[];
  text: string;
  box: Box;
  baseline: number;
  size: number;
}

export interface Page {
  number: number;
  width: number;
  height: number;
  words: Word[];
  horizontal: Ruling[];
  vertical: Ruling[];
  /** Stroked rectangles and filled areas, as drawn. */
  frames: Box[];
  fills: Box[];
  /** Strokes that are neither horizontal nor vertical. */
  slants: Box[];
  /** Of a file that tells its own headings, lists and tables, such as an office document; found by layout otherwise. */
  blocks?: FlowBlock[];
  /** The place of an attached file's name, above its text. */
  fileName?: Box;
  /** True where the text layer says something else than the picture, which was read instead. */
  textDiffers?: boolean;
  /** Text that a viewer does not show, in the reading frame. */
  concealed?: readonly ConcealedWord[];
  /** Of a PDF: it may show more than text, rulings and filled rectangles. */
  isDrawing?: boolean;
  /** Maps a box of the reading frame to 0..1 of the page as a viewer shows it. */
  toView(box: Box): Box;
}

/** Something at a place of a page. */
export interface PageElement {
  page: Page;
  /** In the page's reading frame, in points. */
  box: Box;
  confidence: number;
}

export interface CheckboxElement extends PageElement {
  label: string;
  checked: boolean;
}

export interface CodeElement extends PageElement {
  /** Such as `QRCode`, `EAN13`, `Code128`. */
  format: string;
  text: string;
}

export interface SignatureElement extends PageElement {
  kind: 'ink' | 'stamp';
  label: string;
  /** False for a line that nobody has signed. */
  signed: boolean;
}

/** An element while its page is still being read. */
export type Unplaced<E extends PageElement> = Omit<E, 'page'>;

export interface Cell {
  row: number;
  col: number;
  rowSpan: number;
  colSpan: number;
  words: Word[];
  /** The ruled box of the cell, or the box of its text. */
  box: Box;
  /** As the file itself tells it; otherwise it is read from the words. */
  text?: string;
}

export interface PageTable {
  page: Page;
  box: Box;
  rowCount: number;
  colCount: number;
  cells: Cell[];
  confidence: number;
  /** Of a table that the file itself tells. */
  told?: ToldTable;
}

/** The whole table that a page holds a part of, or all. */
export interface ToldTable {
  of: FlowTable;
  /** Of the whole, the part's first. */
  row: number;
  /** Texts over the columns of the whole. */
  head: readonly string[] | null;
}

/** One of several files in one: a mail's message, or what is attached to it. */
export interface DocumentPart {
  /** Null for the message itself. */
  name: string | null;
  /** Numbers of its pages. */
  first: number;
  last: number;
}

export interface Document {
  pages: Page[];
  /** Of a mail with attached files; their names stand above them, those of PDFs and pictures on pages between them. */
  parts?: readonly DocumentPart[];
  tables: PageTable[];
  /** Fields of a PDF form. */
  widgets: Widget[];
  /** Drawn ones; those of a form are widgets. */
  checkboxes: CheckboxElement[];
  barcodes: CodeElement[];
  stamps: PageElement[];
  /** In ink or stamped; digital ones are fields of the form. */
  inkSignatures: SignatureElement[];
  /** Parts of the file that ask to run, lie inside it, or are fetched from elsewhere. */
  active?: readonly ActivePart[];
  /** Of the whole file. */
  digitalSignatures: DigitalSignature[];
}

/** An element as it leaves in the answer: its place 0..1 of the page as a viewer shows it. */
export const toLocated = ({ page, box, confidence }: PageElement): Located => ({
  confidence,
  page: page.number,
  bbox: page.toView(box),
});
