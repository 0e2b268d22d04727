/**
 * Date, subject, addressee and sender of a letter in prose, which has no labels. A letter is told by its salutation; the
 * addressee's block stands above it, the sender's name below the closing.
 */

import { findDates } from '../../quantities/dates.ts';
import { unionBox } from '../../vision/geometry.ts';
import { type DocumentText, type FieldMatch, type PlacedSegment, toEntry } from '../fields/reading.ts';
import type { FieldEntry } from '../types.ts';
import { documentWords } from '../vocabulary/words.ts';

const maxSalutation = 80;
/** A greeting alone makes no letter. */
const minTold = 2;
/** Rows above a salutation in which its date and addressee stand, and below it in which its subject does. */
const [headRows, subjectRows] = [22, 3];
/** Rows below a closing in which a name stands, and the most words that it has. */
const [nameRows, nameWords] = [5, 7];
/** Lines of an address closer than this many font sizes are one block, and those that an addressee takes. */
const blockPitch = 1.95;
const maxLines = 8;
const flush = 2;
const confidence = { date: 0.8, subject: 0.8, addressee: 0.7, greeted: 0.6, sender: 0.65 };

const fieldOf = (value: string, pieces: readonly PlacedSegment[], sure: number): FieldMatch<string> => ({
  value,
  raw: pieces.map(({ text }) => text).join('\n'),
  confidence: sure,
  rule: 'block',
  page: pieces[0]!.page,
  box: unionBox(pieces.map(({ box }) => box)),
});

/** The block of lines right above a piece, from its left edge; lines with dates and labels are none. */
function blockAbove(piece: PlacedSegment, reading: DocumentText): PlacedSegment[] {
  const { salutation, subject_label } = documentWords().parties;
  const block: PlacedSegment[] = [];
  for (let row = piece.row - 1; row >= Math.max(0, piece.row - headRows) && block.length < maxLines; row--) {
    const line = reading.rows[row]!.pieces.find(
      (other) => other.page === piece.page && Math.abs(other.box[0] - piece.box[0]) < flush * piece.size,
    );
    const isPart =
      line &&
      !subject_label.test(line.text) &&
      !salutation.test(line.text) &&
      !/[:：]/.test(line.text) &&
      findDates(line.text, reading.dayOrder).length === 0;
    const isNear = line && (!block[0] || block[0].baseline - line.baseline < blockPitch * line.size);
    if (block.length > 0 && !(isPart && isNear)) break;
    if (isPart) block.unshift(line);
  }
  return block;
}

function subjectOf(at: PlacedSegment, reading: DocumentText): FieldMatch<string> | null {
  const { subject_label } = documentWords().parties;
  const near = reading.pieces.filter(({ row }) => row >= at.row - headRows && row <= at.row + subjectRows);
  for (const piece of near) {
    const match = subject_label.exec(piece.text);
    const text = match && piece.text.slice(match[0].length).trim();
    if (text) return fieldOf(text, [piece], confidence.subject);
  }
  return null;
}

/** The name below the closing, the last words before it. */
function senderOf(at: PlacedSegment, reading: DocumentText): FieldMatch<string> | null {
  const closing = reading.pieces.findLast(
    ({ row, text }) =>
      row > at.row && text.length < maxSalutation && documentWords().parties.closing.test(text),
  );
  if (!closing) return null;
  const name = reading.pieces.find(
    ({ row, text, page }) =>
      page === closing.page &&
      row > closing.row &&
      row <= closing.row + nameRows &&
      /\p{L}{2}/u.test(text) &&
      text.split(/\s+/).length <= nameWords &&
      !/[:：]/.test(text),
  );
  return name ? fieldOf(name.text, [name], confidence.sender) : null;
}

function dateOf(at: PlacedSegment, reading: DocumentText): FieldMatch<string> | null {
  for (const piece of reading.pieces.filter(({ row }) => row < at.row && row >= at.row - headRows)) {
    const [date] = findDates(piece.text, reading.dayOrder);
    if (date) return { ...fieldOf(date.iso, [piece], confidence.date), raw: date.raw, rule: 'pattern' };
  }
  return null;
}

/** The fields of a letter; none of other papers. */
export function readLetter(reading: DocumentText): Record<string, FieldEntry> {
  const { salutation } = documentWords().parties;
  const at = reading.pieces.find(
    ({ text, page }) => page.number === 1 && text.length <= maxSalutation && salutation.test(text),
  );
  if (!at) return {};
  const block = blockAbove(at, reading);
  const greeted = at.text
    .replace(salutation, '')
    .replace(/[\s,，:：!.]+$/u, '')
    .trim();
  const addressee =
    block.length > 1
      ? fieldOf(block.map(({ text }) => text.replace(/,$/, '')).join(', '), block, confidence.addressee)
      : greeted
        ? fieldOf(greeted, [at], confidence.greeted)
        : null;
  const found = {
    date: dateOf(at, reading),
    subject: subjectOf(at, reading),
    addressee,
    sender: senderOf(at, reading),
  };
  const told = Object.entries(found).flatMap(([name, field]) =>
    field ? [[name, toEntry(field)] as const] : [],
  );
  return told.length < minTold ? {} : Object.fromEntries(told);
}
