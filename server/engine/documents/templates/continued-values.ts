/** Lines below a value that belong to it: they hang under its first line, or go on where a full line of prose breaks. */

import { type DocumentText, type PlacedSegment, wordsOf } from '../fields/reading.ts';

/** Points that the left edges of one column may lie apart. */
const edgeTolerance = 3;
const maxPitchEm = 1.7;
const maxLines = 12;
/** Shorter lines break where their writer wished. */
const minProseEm = 25;
/** Rows around a line that tell how wide its column is. */
const columnRows = 12;

const startsLabel = /^[\p{L}\d][^:：]{0,42}[:：](?:\s|$|\p{Script=Han})/u;
const startsItem = /^(?:[-–—•*▪◦·]|\(?(?:\d{1,3}|[a-z])[.)])\s/iu;

const isLong = ({ box, size }: PlacedSegment): boolean => box[2] - box[0] > minProseEm * size;

/** A row's only piece, on the page of another. */
function lineAt(row: number, { page }: PlacedSegment, { rows }: DocumentText): PlacedSegment | null {
  const { pieces = [], page: rowPage } = rows[row] ?? {};
  return rowPage === page && pieces.length === 1 ? pieces[0]! : null;
}

const hasPitchOf = (above: PlacedSegment, below: PlacedSegment, size: number): boolean =>
  Math.abs(below.size / size - 1) < 0.1 && below.baseline - above.baseline < maxPitchEm * size;

/** True where a line of prose is broken because the first word of the next would not have fitted behind it. */
function breaksInto(line: PlacedSegment, next: PlacedSegment, reading: DocumentText): boolean {
  if (!isLong(line) || !hasPitchOf(line, next, line.size)) return false;
  const ends = reading.rows
    .slice(Math.max(0, line.row - columnRows), line.row + columnRows + 1)
    .filter(({ page, pieces: [other, beside] }) => page === line.page && !beside && other !== line)
    .map(({ pieces }) => pieces[0]!)
    .filter((other) => isLong(other) && other.box[2] > line.box[0])
    .map(({ box }) => box[2]);
  const edge = Math.max(line.box[2], ...ends);
  const [left, , right] = next.words[0]!.box;
  // One line alone does not tell where its column ends.
  return (
    ends.some((end) => edge - end < 5 * line.size) && line.box[2] + right - left + 0.2 * line.size > edge
  );
}

/** True inside a paragraph, where a colon ends no label. */
export function goesOnProse(piece: PlacedSegment, reading: DocumentText): boolean {
  const above = lineAt(piece.row - 1, piece, reading);
  if (above === null || /[;:]\s*$/.test(above.text)) return false;
  return lineAt(piece.row, piece, reading) === piece && breaksInto(above, piece, reading);
}

/** Lines below the value `raw` of a piece that are part of it; its label stands before it in the piece, or in the piece before. */
export function linesBelow(value: PlacedSegment, raw: string, reading: DocumentText): PlacedSegment[] {
  const left = wordsOf(value, raw)[0]!.box[0];
  const label = reading.rows[value.row]!.pieces[Math.max(0, value.order - 1)]!.box[0];
  const lines: PlacedSegment[] = [];
  for (let last = value; lines.length < maxLines; last = lines.at(-1)!) {
    const row = reading.rows[last.row + 1];
    if (!row || row.page !== value.page) break;
    const [next, beside] = row.pieces.filter(({ box }) => box[2] > label && box[0] < value.box[2]);
    if (!next || beside || !/[\p{L}\p{N}]/u.test(next.text)) break;
    if (startsItem.test(next.text)) break;
    const isLabel = startsLabel.test(next.text);
    const hangs =
      !isLabel &&
      left - label > 2 * edgeTolerance &&
      Math.abs(next.box[0] - left) < edgeTolerance &&
      hasPitchOf(last, next, value.size);
    const goesOn =
      (!isLabel || /^\p{Ll}/u.test(next.text)) &&
      next.box[0] < left + edgeTolerance &&
      breaksInto(last, next, reading);
    if (!hangs && !goesOn) break;
    lines.push(next);
  }
  return lines;
}
