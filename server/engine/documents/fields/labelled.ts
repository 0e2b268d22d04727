/**
 * Values beside their labels.
 *
 * A label is looked up in the words of several languages. Its value stands behind it in the same piece of text, else to
 * its right on the same row, else below it; the reader given by the caller decides whether a text can be the value.
 */

import { overlap, unionBox } from '../../vision/geometry.ts';
import type { Scalar } from '../types.ts';
import type { DocumentText, FieldMatch, PlacedSegment, TextRow } from './reading.ts';
import { wordsOf } from './reading.ts';

export interface LabelRule {
  /** Matches the label anywhere in a piece; what follows it is the value's text. */
  pattern: RegExp;
  /** Confidence that the label means the field, 0..1. */
  strength: number;
}

/** A reader's outcome for a text: the value and the text it came from; null if it is none. */
export type ValueReader<V extends Scalar> = (
  text: string,
) => { value: V; raw: string; certainty: number } | null;

export interface FieldCandidate<V extends Scalar> extends FieldMatch<V> {
  piece: PlacedSegment;
  score: number;
}

/** A piece of its own may begin with the sign of its number. */
const pieceSeparators = /^(?:[\s.:：#№°º=–—)\]]|-(?!\d))+/u;
const separators = /^[\s.:：#№°º=\-–—)\]]+/u;
/** `Invoice No / No. Invois : 7`: a second language between the label and its colon. */
const otherLanguage = /^\s*(?:[/(][^:：]{0,40}[:：)]\s*:?|\/[^:：\d]{2,40}$)/u;

export interface LabelOptions {
  /** A value below its label goes before one in the next column; for readers that take no label. */
  mayStack?: boolean;
  /** True for the head of a table, whose labels tell of its columns and not of the paper. */
  isHead?: (row: TextRow) => boolean;
}

interface Place {
  piece: PlacedSegment;
  text: string;
  weight: number;
}

function pieceRight(piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  return reading.rows[piece.row]!.pieces[piece.order + 1];
}

/** Pieces under a label: in the next two rows of its page, sharing some of its width. */
export function piecesBelow(piece: PlacedSegment, reading: DocumentText): PlacedSegment[] {
  const below: PlacedSegment[] = [];
  for (let row = piece.row + 1; row <= Math.min(piece.row + 2, reading.rows.length - 1); row++) {
    const candidates = reading.rows[row]!.pieces.filter(
      (other) =>
        other.page === piece.page &&
        other.baseline > piece.baseline &&
        other.baseline - piece.baseline < 3.2 * piece.size &&
        overlap(other.box[0], other.box[2], piece.box[0], piece.box[2]) > 0,
    );
    below.push(...candidates);
    if (candidates.length > 0) break;
  }
  return below;
}

/** Values further right than this many font sizes are of another column where one stands below, flush with its label. */
const columnGap = 3;
const flush = 0.5;

function stackedBelow(
  piece: PlacedSegment,
  right: PlacedSegment,
  reading: DocumentText,
): PlacedSegment | undefined {
  if (/[:：]\s*$/.test(piece.text) || right.box[0] - piece.box[2] < columnGap * piece.size) return undefined;
  return piecesBelow(piece, reading).find(
    ({ box, row }) => row === piece.row + 1 && Math.abs(box[0] - piece.box[0]) < flush * piece.size,
  );
}

function* places(
  piece: PlacedSegment,
  rest: string,
  { reading, mayStack = false, isHead }: LabelOptions & { reading: DocumentText },
): Generator<Place> {
  const own = rest.replace(otherLanguage, '').replace(separators, '');
  if (own !== '') yield { piece, text: own, weight: 1 };
  if (isHead?.(reading.rows[piece.row]!)) return;
  const right = pieceRight(piece, reading);
  const stacked = mayStack && own === '' && right ? stackedBelow(piece, right, reading) : undefined;
  if (stacked) yield { piece: stacked, text: stacked.text, weight: 0.98 };
  if (right)
    yield { piece: right, text: right.text.replace(pieceSeparators, ''), weight: own === '' ? 0.98 : 0.8 };
  const next = right && pieceRight(right, reading);
  // A colon or a currency sign may stand as a piece of its own.
  if (next && right.text.length <= 4)
    yield { piece: next, text: next.text.replace(pieceSeparators, ''), weight: 0.9 };
  if (own === '' || own.length < 4)
    for (const below of piecesBelow(piece, reading))
      yield { piece: below, text: below.text, weight: right ? 0.85 : 0.92 };
}

/** Candidates of a field, best first. */
export function findLabelled<V extends Scalar>(
  reading: DocumentText,
  rules: LabelRule[],
  read: ValueReader<V>,
  options: LabelOptions = {},
): FieldCandidate<V>[] {
  const candidates: FieldCandidate<V>[] = [];
  for (const piece of reading.pieces) {
    // A colon may stand in a column of its own.
    const colon = /^\s*[:：]/.test(pieceRight(piece, reading)?.text ?? '') ? ':' : '';
    for (const { pattern, strength } of rules) {
      const match = pattern.exec(piece.text) ?? (colon && pattern.exec(piece.text + colon));
      if (!match) continue;
      // A label that does not begin its piece may be part of a sentence.
      const lead = piece.text.slice(0, match.index).trim();
      const position = lead === '' ? 1 : lead.length < 12 ? 0.92 : 0.75;
      for (const place of places(piece, piece.text.slice(match.index + match[0].length), {
        reading,
        ...options,
      })) {
        const value = read(place.text);
        if (!value) continue;
        const confidence = strength * position * place.weight * value.certainty;
        candidates.push({
          ...toFound(place.piece, value),
          confidence,
          rule: 'label',
          label: match[0].trim(),
          piece: place.piece,
          score: confidence,
        });
        break;
      }
      break;
    }
  }
  return candidates.sort((a, b) => b.score - a.score || a.piece.row - b.piece.row);
}

function toFound<V extends Scalar>(
  piece: PlacedSegment,
  value: { value: V; raw: string },
): Omit<FieldMatch<V>, 'confidence' | 'rule'> {
  const words = wordsOf(piece, value.raw);
  return {
    value: value.value,
    raw: value.raw,
    page: piece.page,
    box: unionBox(words.map((word) => word.box)),
  };
}
