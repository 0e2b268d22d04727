/** A page ready for reading: words, rulings and boxes in one upright frame, and the way back to the page as shown. */

import type { Box } from '../types.ts';

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

export interface Ruling {
  /** Constant coordinate: y of a horizontal ruling, x of a vertical one. */
  at: number;
  from: number;
  to: number;
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

export const widthOf = (box: Box): number => box[2] - box[0];
export const heightOf = (box: Box): number => box[3] - box[1];
export const centreX = (box: Box): number => (box[0] + box[2]) / 2;
export const centreY = (box: Box): number => (box[1] + box[3]) / 2;

export const contains = (outer: Box, inner: Box, tolerance = 0): boolean =>
  centreX(inner) >= outer[0] - tolerance &&
  centreX(inner) <= outer[2] + tolerance &&
  centreY(inner) >= outer[1] - tolerance &&
  centreY(inner) <= outer[3] + tolerance;

/** Length that two intervals share; negative is the gap between them. */
export const overlap = (a0: number, a1: number, b0: number, b1: number): number =>
  Math.min(a1, b1) - Math.max(a0, b0);

export function unionBox(boxes: Iterable<Box>): Box {
  const union: Box = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const box of boxes) {
    if (box[0] < union[0]) union[0] = box[0];
    if (box[1] < union[1]) union[1] = box[1];
    if (box[2] > union[2]) union[2] = box[2];
    if (box[3] > union[3]) union[3] = box[3];
  }
  return union;
}

export function median(values: number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
