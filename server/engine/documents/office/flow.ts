/** A file of running text as its reader tells it: sections of headings, paragraphs, list items and tables, before they are set on pages. */

import type { Box } from '../../vision/geometry.ts';

/** Reasons why somebody who looks at the document does not see a text. */
export type Concealment = 'hidden' | 'white' | 'tiny' | 'off_page' | 'covered';

export interface ConcealedText {
  text: string;
  how: Concealment;
}

/** The same at its place on a page. */
export interface ConcealedWord extends ConcealedText {
  box: Box;
  /** Of a PDF: nothing else is drawn there, so that no picture of the page is needed to tell. */
  isSure?: boolean;
}

export interface FlowText {
  kind: 'heading' | 'paragraph' | 'item';
  text: string;
  /** Of a heading from 1 to 6; of an item its depth from 0. */
  level: number;
  /** Of an ordered item, such as `3.`. */
  marker?: string;
  /** Text of this place that a viewer does not show. */
  concealed?: ConcealedText[];
  isAside?: boolean;
  /** Of a paragraph: its lines and their blanks are as written. */
  isCode?: boolean;
}

export interface FlowCell {
  text: string;
  colSpan: number;
  rowSpan: number;
}

export interface FlowTable {
  kind: 'table';
  /** Cells in their order; places that a span covers have none. */
  rows: FlowCell[][];
  /** True where the file says that the first row names the columns. */
  isHeaded?: boolean;
  concealed?: ConcealedText[];
  isAside?: boolean;
}

export type FlowPart = FlowText | FlowTable;

/** `slide`: one page of its own; `sheet`: pages of its own, as wide as it asks for. */
export interface FlowSection {
  kind: 'text' | 'slide' | 'sheet';
  parts: FlowPart[];
}

/** A file that lies inside another. */
export interface AttachedFile {
  name: string;
  bytes: Uint8Array;
}

/** Something in a file that asks to run, lies inside unseen or is fetched from elsewhere. */
export interface ActivePart {
  kind: 'script' | 'launch_action' | 'embedded_file' | 'external_reference';
  detail: string;
}

export interface Flow {
  sections: FlowSection[];
  /** Read behind it, in their order. */
  attachments: AttachedFile[];
  active: ActivePart[];
  warnings: string[];
}

export const emptyFlow = (): Flow => ({ sections: [], attachments: [], active: [], warnings: [] });

export const paragraph = (text: string): FlowText => ({ kind: 'paragraph', text, level: 0 });
export const heading = (text: string, level: number): FlowText => ({
  kind: 'heading',
  text,
  level: Math.min(6, Math.max(1, level)),
});
export const codeBlock = (text: string): FlowText => ({ ...paragraph(text), isCode: true });
export const plainCell = (text: string): FlowCell => ({ text, colSpan: 1, rowSpan: 1 });
