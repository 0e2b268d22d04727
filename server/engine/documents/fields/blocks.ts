/** Blocks of text: lines under each other that belong together, such as an address. */

import { overlap } from '../../vision/geometry.ts';
import type { DocumentText, PlacedSegment } from './reading.ts';

/** Lines further apart than this many font sizes start a new block. */
const maxPitch = 1.95;

const isBelow = (upper: PlacedSegment, lower: PlacedSegment, pitchLimit: number): boolean => {
  const pitch = lower.baseline - upper.baseline;
  const shared = overlap(upper.box[0], upper.box[2], lower.box[0], lower.box[2]);
  const narrower = Math.min(upper.box[2] - upper.box[0], lower.box[2] - lower.box[0]);
  return (
    upper.page === lower.page &&
    pitch > 0.4 * lower.size &&
    pitch < pitchLimit * Math.max(upper.size, lower.size) &&
    shared > 0.4 * narrower
  );
};

/** The block that a piece begins: the pieces below it, until a gap. At most `limit` lines. */
export function blockBelow(
  start: PlacedSegment,
  reading: DocumentText,
  limit = 8,
  pitchLimit = maxPitch,
): PlacedSegment[] {
  const block = [start];
  for (let row = start.row + 1; row < reading.rows.length && block.length < limit; row++) {
    const last = block.at(-1)!;
    const pieces = reading.rows[row]!.pieces;
    if (pieces[0]!.page !== last.page) break;
    const next = pieces.find((piece) => isBelow(last, piece, pitchLimit));
    if (next) block.push(next);
    else if (pieces[0]!.baseline - last.baseline > pitchLimit * last.size) break;
  }
  return block;
}
