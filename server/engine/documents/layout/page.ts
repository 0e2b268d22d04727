/** A page ready for reading: words, rulings and boxes in one upright frame, and the way back to the page as shown. */
import type { Box, Ruling } from '../../vision/geometry.ts';

export interface Word {
  text: string;
  box: Box;
  baseline: number;
  size: number;
  bold: boolean;
  /** Text that runs at an angle to the page's main direction. */
  turned: boolean;
  /** How surely it was recognized, 0 to 1; absent where the document itself says the text. */
  confidence?: number;
}

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
  /** Maps a box of the reading frame to 0..1 of the page as a viewer shows it. */
  toView(box: Box): Box;
}

export function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
