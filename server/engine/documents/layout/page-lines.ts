/** The lines of pages as they were read, for whoever marks places on them. */

import type { DocumentText, PlacedSegment } from '../fields/reading.ts';
import type { PageLine } from '../types.ts';

const toLine = ({ page, text, box, words }: PlacedSegment): PageLine => ({
  page: page.number,
  text,
  bbox: page.toView(box),
  words: words.map(({ text: own, box: at, confidence }) => ({
    text: own,
    bbox: page.toView(at),
    ...(confidence !== undefined && { confidence }),
  })),
});

/** In reading order; text beside a wide gap is a line of its own, as templates read it. */
export const toPageLines = ({ pieces }: DocumentText): PageLine[] => pieces.map(toLine);
