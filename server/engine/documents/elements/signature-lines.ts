/** Lines to sign on that nobody has signed: a ruling above a label or behind it, and nothing over it. */

import { type Box, overlap } from '../../vision/geometry.ts';
import type { Page, Segment } from '../document.ts';
import { signatureLabels } from './signature-labels.ts';

/** In points: a line to sign on is no rule across the page, and no frame around its label. */
const [shortest, longest] = [50, 300];
/** Heights of its label that a line lies above its top, and the room for a signature over the line, in points. */
const maxAbove = 2.2;
const room = 22;

export interface UnsignedLine {
  box: Box;
  label: string;
  confidence: number;
}

/** The line that a label asks to sign: right above it, else behind it on its row. */
function lineOf({ box, size }: Segment, { horizontal }: Page): Box | null {
  const [left, top, right, bottom] = box;
  const long = horizontal.filter(({ from, to }) => to - from >= shortest && to - from <= longest);
  const above = long
    .filter(
      ({ at, from, to }) =>
        at < top + 0.5 * size &&
        at > top - maxAbove * size &&
        overlap(from, to, left, right) > 0.5 * (right - left),
    )
    .sort((a, b) => b.at - a.at)[0];
  const behind = long.find(
    ({ at, from }) => Math.abs(at - bottom) < 0.6 * size && from > right - size && from < right + 4 * size,
  );
  const line = above ?? behind;
  return line ? [line.from, line.at - room, line.to, line.at] : null;
}

/** A frame's lower edge is no line to sign on: uprights stand at its ends. */
const isFramed = ([left, top, right, bottom]: Box, { vertical }: Page): boolean =>
  [left, right].some((x) =>
    vertical.some(({ at, from, to }) => Math.abs(at - x) < 3 && overlap(from, to, top, bottom) > 0.3 * room),
  );

/** @param hasInk tells of marks of any kind in a place of the page */
export function unsignedLines(page: Page, hasInk: (place: Box) => boolean): UnsignedLine[] {
  return signatureLabels(page.words).flatMap((place): UnsignedLine[] => {
    const box = lineOf(place, page);
    if (!box || isFramed(box, page) || hasInk(box)) return [];
    const isWritten = page.words.some(
      ({ box: word }) =>
        overlap(word[0], word[2], box[0], box[2]) > 2 &&
        overlap(word[1], word[3], box[1] + room / 3, box[3]) > 2,
    );
    return isWritten ? [] : [{ box, label: place.text.replace(/\s*[:：]\s*$/, ''), confidence: 0.7 }];
  });
}
