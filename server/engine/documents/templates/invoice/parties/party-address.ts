/** Tells the lines of a block that are the address. */

import { findAmounts } from '../../../../quantities/numbers.ts';
import type { DocumentText, PlacedSegment } from '../../../fields/reading.ts';
import { derivedPattern } from '../../../vocabulary/derived-pattern.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { beginsWithHouse, endsAddress, isAddressLike } from './party-lines.ts';

const registrationLine =
  /^\W*(?:\d{12}\s*\(.*|[A-Z]{0,3}\d{5,12}(?:\s?-?\s?[A-Z])?|(?:b\.?r\.?|co\.?|reg\.?|company|roc)\s*(?:reg\.?)?\s*no\b.*|\(.*\d{4,}.*\))\W*$/i;
const aside =
  /^(?:\(?formerly|licensee|dimiliki|own(?:ed)?\s+by|member\s+of|a\s+division|\([\p{L} .&-]*\)[\d\s-]*[A-Z]?$)/iu;
/** A telephone number with what names it, to the end of the line. */
const phone =
  /(?<![\s,;(])(?:[\s,;(]*(?:\b(?:t|f|ph|hp|h\/p)\b\.?\s*:?)?\s*(?<![\w-])[+(]?6?\s?[+(]?0\d{1,2}\)?\s?[-–]\s?\d{3,4}\s?[-\s]?\d{3,5}.*$|[\s,;(]*\b(?:tel|telephone|fax|phone|mobile|hotline)\b.*$)/i;
const postcodeFirst = /^\d{4,6}\s\p{L}/u;
const countryTail = /^[\p{L} .,()]{3,30}$/u;
/** A line that may be the last of an address. */
const isInside = (line: string): boolean =>
  isAddressLike(line) || (/,|\d/.test(line) && /\p{L}{2}/u.test(line));

/** The name of a branch or building above the house number, without a comma that would join it to it. */
function withoutBranch(lines: PlacedSegment[]): PlacedSegment[] {
  const house = lines.findIndex(({ text }) => beginsWithHouse(text));
  const above = lines.slice(0, Math.max(0, house));
  return above.length === 1 && !/[,\d]/.test(above[0]!.text) ? lines.slice(house) : lines;
}

/** An amount in print so many times as large is the paper's, shown beside an address: no price of the line. */
const largeAmount = 1.6;

/** Lines of goods have their amount at the right. */
export const isPriced = ({ row, order, size }: PlacedSegment, { rows, decimal }: DocumentText): boolean =>
  rows[row]!.pieces.slice(order + 1).some(
    (piece) =>
      piece.size < largeAmount * size &&
      findAmounts(piece.text, decimal).some(({ decimals }) => decimals === 2),
  );

/** A telephone number that brackets, a plus or a nought begin. */
const barePhone =
  /(?:^|(?<![\s,;|·•])[\s,;|·•]+)(?:\(0?\d{2,4}\)|\+\d{1,3}|0\d{1,4}(?=[\s/.–-]+\d))[\d\s/.–-]{6,}$/;

/** A telephone number between the parts of a line, with all behind it, and a sign that parts nothing from nothing. */
const phonePart =
  /\s*[|·•]\s*(?:\(0?\d{2,4}\)|\+\d{1,3}|0\d{1,5}(?=[\s/.–-]+\d))[\d\s/.–-]{5,}(?:[|·•].*)?$|\s*[|·•]\s*$/;

/** A telephone number behind any word for one. */
const phoneBehind = derivedPattern(
  ({ source }) =>
    new RegExp(`(?<![\\s,;(])[\\s,;(]*(?:${source})[\\s.]*[:：]?\\s*[+(]?\\d[\\d\\s()./-]{6,}.*$`, 'iu'),
);

/** A line of an address without its label and the telephone behind it. */
export const withoutAsides = (line: string): string =>
  line
    .replace(phoneBehind(documentWords().parties.phone_word), '')
    .replace(phone, '')
    .replace(barePhone, '')
    .replace(phonePart, '')
    .replace(documentWords().parties.address_label, '')
    .trim();

/** The lines of a block that are an address, with what else stands on them taken off. */
export function addressLines(block: PlacedSegment[], reading: DocumentText): PlacedSegment[] {
  const lines: PlacedSegment[] = [];
  for (const piece of block) {
    const line = piece.text.trim();
    if (isPriced(piece, reading)) break;
    if (registrationLine.test(line) || aside.test(line)) {
      if (lines.some((other) => documentWords().parties.address_sign.test(other.text))) break;
      continue;
    }
    const address = withoutAsides(line);
    if (endsAddress(line) && (endsAddress(address) || !isAddressLike(address))) {
      if (lines.some((other) => isAddressLike(other.text))) break;
      // The name of a branch stands between the company and its numbers.
      lines.length = 0;
      continue;
    }
    if (address !== '') lines.push(address === line ? piece : { ...piece, text: address });
    if (phone.test(line)) break;
  }
  const sign = lines.findIndex((piece) => isAddressLike(piece.text));
  // A street that nothing tells as one stands above the town with its postcode.
  const first = sign > 0 && postcodeFirst.test(lines[sign]!.text) ? sign - 1 : sign;
  const last = lines.findLastIndex((piece) => isInside(piece.text));
  if (first < 0) return [];
  const kept = lines.slice(first, last + 1);
  // The line after the last sure one may be a city, a state or a country alone.
  const tail = lines[last + 1];
  if (tail && countryTail.test(tail.text)) kept.push(tail);
  return withoutBranch(kept);
}
