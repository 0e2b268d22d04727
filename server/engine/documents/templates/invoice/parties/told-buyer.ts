/** The block of lines that a label, or the sender's line above a window, says is the buyer's. */

import { overlap } from '../../../../vision/geometry.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { DocumentText, PlacedSegment } from '../../../fields/reading.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { isTitle } from './party-lines.ts';
import { isSenderLine } from './sender-lines.ts';

/** `Sold by: BD1187 Muhammad`: who stood at the till. */
const staffCode = /^#?[A-Z]{0,3}-?\d{2,}\b/;

/** `Invoice Date` beside `Bill to`: the label of something else. */
const isHeaderLabel = (line: string): boolean =>
  Object.values(documentWords().labels)
    .flat()
    .some(({ pattern }) => pattern.exec(line)?.index === 0);

/** A value whose colon stands with it, as its label ends without one. */
const leadingColon = /^\s*[:：]\s*/;

/** The piece to the right of a label, or behind a colon that stands alone there. */
function pieceBehind({ row, order }: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  const [right, next] = reading.rows[row]!.pieces.slice(order + 1);
  return right?.text.replace(leadingColon, '') === '' ? next : right;
}

/** The block behind or below a label such as `Bill to`. */
function labelledBlock(reading: DocumentText, label: RegExp, limit = 8): PlacedSegment[] | null {
  const { buyer_label, seller_label } = documentWords().parties;
  for (const piece of reading.pieces) {
    const match = label.exec(piece.text);
    if (!match) continue;
    const rest = piece.text.slice(match[0].length).trim();
    const right = pieceBehind(piece, reading);
    const starts: PlacedSegment[] = [];
    if (rest.length > 2) starts.push({ ...piece, text: rest });
    else {
      const below = blockBelow(piece, reading, 2)[1] ?? looseBelow(piece, reading);
      // `Buyer:  Name` goes on to the right, `Bill to` as a heading goes on below.
      const isBehind = right && (leadingColon.test(right.text) || /[:：]\s*$/.test(piece.text));
      if (isBehind && right.box[0] - piece.box[2] < 20 * piece.size) starts.push(right);
      if (below && Math.abs(below.box[0] - piece.box[0]) < 3 * piece.size) starts.push(below);
      if (right && right.box[0] - piece.box[2] < 12 * piece.size) starts.push(right);
      if (below) starts.push(below);
    }
    const start = starts.find(
      (candidate) =>
        !isTitle(candidate.text) &&
        !staffCode.test(candidate.text) &&
        !/[:：]\s*$/.test(candidate.text) &&
        candidate.text.replace(/[^\p{L}]/gu, '').length > 1 &&
        !buyer_label.test(candidate.text) &&
        !seller_label.test(candidate.text) &&
        !isHeaderLabel(candidate.text),
    );
    if (start)
      return blockBelow(
        start.row === piece.row && start.order === piece.order ? piece : start,
        reading,
        limit,
      );
  }
  return null;
}

function looseBelow(piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page) return undefined;
  const candidate = next.pieces.find((other) => other.box[0] < piece.box[2] && other.box[2] > piece.box[0]);
  return candidate && candidate.baseline - piece.baseline < 3.5 * piece.size ? candidate : undefined;
}

/** Larger print than the sender's line above it, and lines that an addressee takes. */
const minWindowSize = 1.1;
const windowLines = { min: 2, max: 6 };

/** The addressee below a line of the sender in small print, as windows of envelopes show them. */
function windowBelowSender(reading: DocumentText): PlacedSegment[] | null {
  for (const sender of reading.pieces) {
    if (sender.baseline > 0.42 * sender.page.height || !isSenderLine(sender.text)) continue;
    const next = reading.rows[sender.row + 1]?.pieces.find(
      ({ box }) => overlap(box[0], box[2], sender.box[0], sender.box[2]) > 0,
    );
    if (!next || next.page !== sender.page || next.size < minWindowSize * sender.size) continue;
    const block = blockBelow(next, reading);
    if (block.length < windowLines.min || block.length > windowLines.max) continue;
    if (!isTitle(next.text)) return block;
  }
  return null;
}

/** The lines of a buyer that a label or the sender's line above it tells; what is chosen knows of them. A patient is not always the client. */
export function toldBuyer(reading: DocumentText): readonly PlacedSegment[] {
  const { buyer_label, person_label } = documentWords().parties;
  return (
    labelledBlock(reading, buyer_label) ??
    windowBelowSender(reading) ??
    labelledBlock(reading, person_label, 1) ??
    []
  );
}
