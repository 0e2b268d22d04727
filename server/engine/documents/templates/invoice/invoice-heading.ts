/** The head of a receipt as it was meant: lines in wide letters are whole lines, and misread suffixes are suffixes. */

import { centreX, unionBox } from '../../../vision/geometry.ts';
import type { DocumentText, PlacedSegment, TextRow } from '../../fields/reading.ts';
import { median } from '../../layout/median.ts';
import { toSegment } from '../../layout/segments.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { withKnownCodes } from './parties/misread-places.ts';

/** Rows that a heading takes. */
const headRows = 12;
/** Wider gaps than this many font sizes part columns. */
const maxGap = 4;
/** Greatest distance of a centered line's middle from the page's, as a share of the width of the print. */
const maxAside = 0.07;
const notHeading = /[:：]|\d[.,]\d{2}(?!\d)|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}/;

/** `SON BHD`, `SDN. BHX.`: nothing else looks like it. */
const misreadSuffix = /\bS[DO0][NHM]\b\.?\s*\.?\s*B[HNM][DXO0N]\b/gi;

/** `S O L I C I T O R S`: a word in spaced letters. */
const spacedWord = /^\p{L}(?: \p{L}){3,}$|^\p{Script=Han}(?: \p{Script=Han})+$/u;

/** A seal of the first character before a Chinese name. */
const seal = /^(\p{Script=Han})\s(?=\1)/u;

/** `E S P R ES SO`: capitals in wide letters, some of which were read together. */
const [minWide, maxLetters] = [4, 1.7];
/** The gap between two words is so many times that between the letters of one. */
const wordGap = 1.6;

/** The words of a line in wide letters, each whole; null for another line. */
function withoutWideLetters({ text, words }: PlacedSegment): string | null {
  const isWide =
    words.length >= minWide && /^[\p{Lu}&' ]+$/u.test(text) && text.length < (maxLetters + 1) * words.length;
  if (!isWide) return null;
  const gaps = words.slice(1).map(({ box }, at) => box[0] - words[at]!.box[2]);
  const least = wordGap * median(gaps);
  return words.map((word, at) => (at > 0 && gaps[at - 1]! > least ? ' ' : '') + word.text).join('');
}

const isRecognized = ({ words }: PlacedSegment): boolean =>
  words.some(({ source }) => source === 'recognition');

const repaired = (piece: PlacedSegment): string =>
  repairedText(withoutWideLetters(piece) ?? (isRecognized(piece) ? withKnownCodes(piece.text) : piece.text));

const repairedText = (text: string): string =>
  (spacedWord.test(text) ? text.replaceAll(' ', '') : text.replace(seal, '')).replace(
    misreadSuffix,
    (found) => {
      const dot = found.includes('.') ? '.' : '';
      return found === found.toUpperCase() ? `SDN${dot} BHD` : `Sdn${dot} Bhd`;
    },
  );

interface Print {
  left: number;
  right: number;
  /** Middle of most lines of the head that are one piece: of a slip that lies askew it is not that of all print. */
  middle: number;
}

/** Pieces whose left edges differ by this share of their size begin one column. */
const flush = 0.3;

/** True if several pieces of a row begin where pieces of the next row do: columns, however well they are centred. */
function beginsColumns({ pieces, page }: TextRow, next: TextRow | undefined): boolean {
  if (next?.page !== page) return false;
  const shared = pieces.filter(({ box, size }) =>
    next.pieces.some((other) => Math.abs(other.box[0] - box[0]) < flush * size),
  );
  return shared.length > 1;
}

function isCentredLine({ pieces, text, page }: TextRow, { left, right, middle }: Print): boolean {
  // The title of a paper beside a name is none of its words.
  if (pieces.some((piece) => documentWords().parties.title.test(piece.text))) return false;
  if (pieces.length < 2 || notHeading.test(text) || !/\p{L}{2}/u.test(text)) return false;
  if (page !== pieces[0]!.page || page.number !== 1) return false;
  const gapsAreSmall = pieces.every((piece, index) => {
    const before = pieces[index - 1];
    return !before || piece.box[0] - before.box[2] < maxGap * Math.max(piece.size, before.size);
  });
  const [x0, , x1] = unionBox(pieces.map((piece) => piece.box));
  const width = right - left;
  const centre = (x0 + x1) / 2;
  const aside = Math.min(Math.abs(centre - (left + right) / 2), Math.abs(centre - middle));
  return gapsAreSmall && aside < maxAside * width;
}

function joined(pieces: PlacedSegment[]): PlacedSegment {
  return {
    ...pieces[0]!,
    words: pieces.flatMap((piece) => piece.words),
    text: pieces.map((piece) => piece.text).join(' '),
    box: unionBox(pieces.map((piece) => piece.box)),
    size: Math.max(...pieces.map((piece) => piece.size)),
  };
}

/** `SDN` and `BHD` far apart are still one suffix. */
const partsSuffix = (left: PlacedSegment, right: PlacedSegment): boolean =>
  /\bS[DO0][NHM]\.?$/i.test(left.text) && /^B[HNM][DXO0N]\b/i.test(right.text);

function withSuffix(pieces: PlacedSegment[]): PlacedSegment[] {
  const at = pieces.findIndex((piece, index) => index > 0 && partsSuffix(pieces[index - 1]!, piece));
  if (at < 0) return pieces;
  return [...pieces.slice(0, at - 1), joined(pieces.slice(at - 1, at + 1)), ...pieces.slice(at + 1)];
}

/** Print so many times as large is not of one line, though it stands on it: a logo beside an address. */
const logoRatio = 1.6;
const maxLogoWords = 3;

/** A piece whose first words are a logo in much larger print, as two. */
function withoutLogo(piece: PlacedSegment): PlacedSegment[] {
  const sizes = piece.words.map(({ size }) => size);
  for (let at = 1; at <= maxLogoWords && at < sizes.length; at++)
    if (Math.min(...sizes.slice(0, at)) > logoRatio * Math.max(...sizes.slice(at)))
      return [piece.words.slice(0, at), piece.words.slice(at)].map((words) => ({
        ...piece,
        ...toSegment(words),
      }));
  return [piece];
}

/** The reading in which centred lines of the head are one piece each, and logos are none of their lines. */
export function withHeading(reading: DocumentText): DocumentText {
  const head = reading.rows.slice(0, headRows);
  const left = Math.min(...reading.pieces.map((piece) => piece.box[0]));
  const right = Math.max(...reading.pieces.map((piece) => piece.box[2]));
  const single = head
    .filter(({ pieces }) => pieces.length === 1)
    .map(({ pieces }) => centreX(pieces[0]!.box));
  const middle = single.length > 0 ? median(single) : (left + right) / 2;
  const print = { left, right, middle };
  const rows = reading.rows.map((row, index): TextRow => {
    const isColumns = [index - 1, index + 1].some((other) => beginsColumns(row, reading.rows[other]));
    const isOneLine = index < head.length && !isColumns && isCentredLine(row, print);
    const pieces = isOneLine ? [joined(row.pieces)] : withSuffix(row.pieces);
    const texts = pieces
      .flatMap(withoutLogo)
      .map((piece, order) => ({ ...piece, order, text: repaired(piece) }));
    return { ...row, pieces: texts };
  });
  return { ...reading, rows, pieces: rows.flatMap((row) => row.pieces) };
}
