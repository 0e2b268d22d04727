/** Parts of a parsed document. Boxes are [x0, y0, x1, y1], 0 to 1 of the page as a viewer shows it. */

import type { DocumentOutputFormat, DocumentRiskKind } from '../../api/services/documents.ts';
import type { Box } from '../vision/geometry.ts';

export type Template = 'mykad' | 'invoice' | 'passport' | 'generic';

/** The source of a word: the file's own text, a reading of its picture, a closer second one, the shape of its ink, or a machine-readable zone. */
export type WordSource = 'text_layer' | 'recognition' | 'second_reading' | 'ink' | 'mrz';

/**
 * The way a value was chosen: by its label, the place of a template, its form alone, the block of lines it is in, the column over it,
 * amounts that lead to it, boxes ticked, a field of the PDF's form, a row of a table, a zone, the number of a card, or a chat pack.
 */
export type FieldRule =
  | 'label'
  | 'place'
  | 'pattern'
  | 'block'
  | 'column'
  | 'sum'
  | 'choice'
  | 'form_field'
  | 'table'
  | 'mrz'
  | 'card_number'
  | 'chat';

/** Reasons for a value. */
export interface FieldEvidence {
  rule: FieldRule;
  /** Of its words, each once; empty where no words of the page lie under it. */
  sources: WordSource[];
}

export type Scalar = string | number | boolean;
/** A scalar, or the rows of a repeated group such as line items. */
export type FieldValue = Scalar | Record<string, FieldEntry<Scalar>>[];

export interface FieldEntry<V extends FieldValue = FieldValue> {
  value: V;
  confidence: number;
  page: number;
  bbox: Box;
  /** The text of the page that the value was read from. */
  raw: string;
  currency?: string;
  evidence: FieldEvidence;
  /** The text printed beside it: the key of a key-value pair. */
  label?: string;
  /** Machine-readable zone only: whether the field's check digit holds. */
  mrzValid?: boolean;
  /** The chat pack that gave the value; absent: the rules did. */
  filledBy?: string;
}

export interface TableCell {
  row: number;
  col: number;
  rowSpan: number;
  colSpan: number;
  text: string;
  bbox: Box;
  /** Of a sheet that fills several, where it is not the table's. */
  page?: number;
}

export interface ParsedTable {
  page: number;
  rows: string[][];
  bbox: Box;
  confidence: number;
  cells: TableCell[];
  /** Index of the table on the page before that this one goes on. */
  continues?: number;
}

export interface Checkbox {
  label: string;
  /** The question that it answers, where the page prints one. */
  group?: string;
  checked: boolean;
  confidence: number;
  page: number;
  bbox: Box;
}

/**
 * `intact`: the whole file is as it was signed. `extended`: what was signed is unchanged, and something was added
 * behind it later, such as another signature. `altered`: signed bytes have changed. `unknown`: not to be told.
 */
export type Integrity = 'intact' | 'extended' | 'altered' | 'unknown';

export interface Signature {
  confidence: number;
  page: number;
  bbox: Box;
  /** A form field that is signed digitally, a hand's ink, or a stamp in its place. */
  kind: 'digital' | 'ink' | 'stamp';
  /** Name of the form field, or what is printed beside the ink. */
  label?: string;
  /** False for a signature field that nobody has signed yet. */
  signed: boolean;
  /** Digital only: name in the certificate, which is not checked against any list of trusted ones. */
  signer?: string;
  /** ISO 8601, by the signer's own clock. */
  signedAt?: string;
  /** True if the document is as it was when it was signed. */
  integrity?: Integrity;
}

/** A place of a page, with its confidence. */
export interface Located {
  confidence: number;
  page: number;
  bbox: Box;
}

/** A barcode or QR code, decoded. */
export interface FoundCode extends Located {
  /** Such as `QRCode`, `EAN13`, `Code128`, `PDF417`, `DataMatrix`. */
  format: string;
  text: string;
}

/** A passage for search: whole blocks of one page under one heading. */
export interface DocumentChunk {
  text: string;
  page: number;
  bbox: Box;
  /** The nearest heading above; null where there is none. */
  heading: string | null;
}

/** Something in a document that hides, deceives, or asks to act. */
export interface DocumentRisk {
  kind: DocumentRiskKind;
  detail: string;
  /** Null for the file as a whole. */
  page: number | null;
  bbox: Box | null;
  /** The text itself, which is in no other part of the answer where it is hidden. */
  text?: string;
}

export interface ParseResult {
  type: string;
  fields: Record<string, FieldEntry>;
  tables: ParsedTable[];
  checkboxes: Checkbox[];
  signatures: Signature[];
  barcodes: FoundCode[];
  /** Rubber stamps. */
  stamps: Located[];
  /** Present with `output_format: text`. */
  text?: string;
  /** Things that a careful reader is told of; absent where none were found. */
  risks?: DocumentRisk[];
  /** Present with `output_format: markdown`. */
  markdown?: string;
  /** Present with `output_format: chunks`. */
  chunks?: DocumentChunk[];
  /** Present where they were asked for. */
  lines?: PageLine[];
  confidence: number;
  warnings: string[];
  pages: number;
}

export interface CustomFieldParams {
  name: string;
  type: 'text' | 'number' | 'amount' | 'date';
  /** The label printed before or above the value. */
  labels?: string[];
  /** The value's place, if no label is found. */
  place?: { page: number; bbox: number[] };
  /** RE2: what the value looks like. */
  pattern?: string;
}

/** A field that the rules did not find and a chat pack is asked for. */
export type WantedField = Pick<CustomFieldParams, 'name' | 'type' | 'labels' | 'pattern'>;

/** Answers of a chat pack, to be held against the pages. */
export interface GroundParams {
  answer: Record<string, unknown>;
  wanted: readonly WantedField[];
  lines: readonly PageLine[];
  /** Fields that the rules found; one place is one field's. */
  found: Record<string, FieldEntry>;
}

export interface GroundedFields {
  fields: Record<string, FieldEntry>;
  /** Names of fields whose values were dropped. */
  dropped: string[];
  /** Of all fields, those found included. */
  confidence: number;
}

/** A template that a person made. */
export interface CustomTemplateParams {
  name: string;
  /** Texts that documents of this kind hold. */
  words?: string[];
  fields: CustomFieldParams[];
}

export interface ParseParams {
  bytes: Uint8Array;
  template: Template | CustomTemplateParams | null;
  pages: string | null;
  outputFormat: DocumentOutputFormat;
  /** True if text of a PDF that nobody sees stands among the rest; it is told in `risks` either way. */
  includeHidden?: boolean;
  /** True if the result holds the lines of the pages as well. */
  withLines?: boolean;
}

export type ParseItem =
  | { kind: 'progress'; page: number; pages: number }
  | { kind: 'result'; result: ParseResult };

export interface PageCountParams {
  bytes: Uint8Array;
}

export interface PageImageParams {
  bytes: Uint8Array;
  page: number;
  widthPx: number;
}

export interface PageLinesParams {
  bytes: Uint8Array;
  page: number;
}

/** Pages as pictures with areas painted over. */
export interface RedactParams {
  bytes: Uint8Array;
  pages: string | null;
  /** 0 to 1 of their page as a viewer shows it. */
  areas: readonly { page: number; bbox: readonly number[] }[];
}

/** Pages as pictures with their text unseen over them. */
export interface SearchablePdfParams {
  bytes: Uint8Array;
  pages: string | null;
  /** As the pages were read. */
  lines: readonly PageLine[];
}

export interface DrawnDocument {
  pdf: Uint8Array;
  pages: number;
}

/** Text without a wide gap in it, and its words. */
export interface PageLine {
  page: number;
  text: string;
  bbox: Box;
  /** `confidence` where the word was recognized, not written in the file. */
  words: { text: string; bbox: Box; confidence?: number }[];
}
