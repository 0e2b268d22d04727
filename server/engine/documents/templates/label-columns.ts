/** Labels without a colon, told by how they are set: in a column beside their values, or small above each. */

import type { DocumentText, PlacedSegment, TextRow } from '../fields/reading.ts';

export interface LabelledPair {
  label: PlacedSegment;
  value: PlacedSegment;
  confidence: number;
}

/** Points that the left edges of one column may lie apart. */
const edgeTolerance = 4;
/** Fewer rows set alike may be chance. */
const minRows = 3;
const maxRowPitch = 3.2;
const maxPitch = 1.9;
const maxLabelLength = 32;
/** Greatest size of a label set above its value, as a share of the value's. */
const smallLabel = 0.92;

const startsLike = (a: PlacedSegment, b: PlacedSegment): boolean =>
  Math.abs(a.box[0] - b.box[0]) < edgeTolerance;

const mayBeLabel = ({ text }: PlacedSegment): boolean =>
  /^\p{L}/u.test(text) &&
  text.length <= maxLabelLength &&
  text.split(/\s+/).length <= 5 &&
  !/[:：.,;!?]\s*$/.test(text) &&
  !/\d[.,]\d{2}/.test(text);

/** Two columns and nothing else: rows of prose in columns have lines of one length, and begin in lower case. */
const mayBePair = ({ pieces }: TextRow): boolean =>
  pieces.length === 2 && mayBeLabel(pieces[0]!) && !/^[\p{Ll}]/u.test(pieces[1]!.text);

/** Runs of rows whose labels stand under each other, and so do their values. */
export function besidePairs({ rows }: DocumentText): LabelledPair[] {
  const found: LabelledPair[] = [];
  let run: TextRow[] = [];
  const close = (): void => {
    const labels = new Set(run.map(({ pieces }) => pieces[0]!.text));
    if (run.length >= minRows && labels.size === run.length)
      found.push(...run.map(({ pieces }) => ({ label: pieces[0]!, value: pieces[1]!, confidence: 0.75 })));
    run = [];
  };
  for (const row of rows) {
    const last = run.at(-1);
    const goesOn =
      last !== undefined &&
      mayBePair(row) &&
      row.page === last.page &&
      startsLike(row.pieces[0]!, last.pieces[0]!) &&
      startsLike(row.pieces[1]!, last.pieces[1]!) &&
      row.pieces[0]!.baseline - last.pieces[0]!.baseline < maxRowPitch * row.pieces[0]!.size;
    if (!goesOn) close();
    if (mayBePair(row)) run.push(row);
  }
  close();
  return found;
}

const isUpper = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text);
const isBold = ({ words }: PlacedSegment): boolean => words.every(({ bold }) => bold);

/** Set otherwise than what stands below it: smaller, in capitals, bold or not. */
const isSetApart = (label: PlacedSegment, value: PlacedSegment): boolean =>
  label.size <= smallLabel * value.size ||
  (isUpper(label.text) && !isUpper(value.text)) ||
  isBold(label) !== isBold(value);

/** The next row is further by this factor than the value from its label. */
const pairGap = 1.25;

/** A row of labels above a row of their values: a gap around both, or print, tells them from the head and the first row of a table. */
function pairsOfRows(above: TextRow, below: TextRow, around: (TextRow | undefined)[]): LabelledPair[] {
  const { pieces: labels } = above;
  const pitch = below.pieces[0]!.baseline - labels[0]!.baseline;
  if (above.page !== below.page || pitch > maxPitch * Math.max(labels[0]!.size, below.pieces[0]!.size))
    return [];
  if (
    !labels.every((label) => mayBeLabel(label) && !/\d/.test(label.text)) ||
    below.pieces.length > labels.length
  )
    return [];
  const pairs = below.pieces.flatMap((value) => {
    const label = labels.find((other) => startsLike(other, value));
    return label ? [{ label, value, confidence: 0.7 }] : [];
  });
  const texts = new Set(labels.map(({ text }) => text));
  if (pairs.length < below.pieces.length || texts.size < labels.length) return [];
  const isApart = pairs.every(({ label, value }) => isSetApart(label, value));
  const [before, after] = around;
  const distance = (row: TextRow | undefined, from: TextRow): number =>
    row && row.page === from.page ? Math.abs(row.pieces[0]!.baseline - from.pieces[0]!.baseline) : Infinity;
  const isAlone = distance(after, below) > pairGap * pitch && distance(before, above) > pairGap * pitch;
  return (isAlone && labels.length > 1) || (isApart && distance(after, below) > pairGap * pitch) ? pairs : [];
}

/** Rows of labels, each above the row of their values. */
export function rowPairs({ rows }: DocumentText): LabelledPair[] {
  const found: LabelledPair[] = [];
  for (let at = 0; at + 1 < rows.length; at++) {
    const pairs = pairsOfRows(rows[at]!, rows[at + 1]!, [rows[at - 1], rows[at + 2]]);
    found.push(...pairs);
    if (pairs.length > 0) at++;
  }
  // One label above one value may be a heading above a line.
  return found.length >= minRows ? found : [];
}

const isUnder = (label: PlacedSegment, value: PlacedSegment): boolean =>
  value.page === label.page &&
  startsLike(label, value) &&
  label.size <= smallLabel * value.size &&
  value.baseline - label.baseline < maxPitch * value.size;

/** Small labels each right above a larger value, where the page has several set so. */
export function stackedPairs({ rows, pieces }: DocumentText): LabelledPair[] {
  const found = pieces.flatMap((label): LabelledPair[] => {
    const value = rows[label.row + 1]?.pieces.find((other) => isUnder(label, other));
    return value && mayBeLabel(label) ? [{ label, value, confidence: 0.7 }] : [];
  });
  const texts = new Set(found.map(({ label }) => label.text));
  return found.length >= minRows && texts.size === found.length ? found : [];
}
