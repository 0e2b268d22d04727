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
