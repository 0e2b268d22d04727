/** Malaysian identity cards, from their text. */

import { blockBelow } from '../fields/blocks.ts';
import { type Found, type Piece, type Reading, toEntry, wordsOf } from '../fields/reading.ts';
import { type MyKadNumber, myKadPattern, parseMyKadNumber } from '../identity/mykad-number.ts';
import { unionBox } from '../layout/page.ts';
import type { FieldEntry, Scalar } from '../types.ts';

const cardWords = /\b(?:kad\s+pengenalan|mykad|mypr|mykid|warganegara|identity\s+card)\b/i;
const printedWords =
  /\b(?:kad|pengenalan|malaysia|mykad|identity|card|warganegara|lelaki|perempuan|islam)\b/i;
const postcodeLine = /\b(\d{5})\s+([\p{L}][\p{L} .'-]+)/u;
const states =
  /^(?:johor|kedah|kelantan|melaka|negeri sembilan|pahang|pulau pinang|perak|perlis|selangor|terengganu|sabah|sarawak|w\.?\s*p\.?.*|wilayah persekutuan.*|kuala lumpur|labuan|putrajaya)\b/i;

export interface FoundCard {
  number: MyKadNumber;
  piece: Piece;
  raw: string;
}

/** The card's number; only in a document that also says that it is an identity card. */
export function findCard(reading: Reading): FoundCard | null {
  if (!cardWords.test(reading.text)) return null;
  for (const piece of reading.pieces) {
    const number = parseMyKadNumber(piece.text);
    if (number) return { number, piece, raw: myKadPattern.exec(piece.text)![0] };
  }
  return null;
}

const fromPiece = <V extends Scalar>(
  piece: Piece,
  value: V,
  details: { raw: string; confidence: number },
): Found<V> => ({
  value,
  ...details,
  page: piece.page,
  box: unionBox(wordsOf(piece, details.raw).map((word) => word.box)),
});

function nameLines(reading: Reading, card: FoundCard): Piece[] {
  const isName = (piece: Piece): boolean =>
    /^[\p{Lu}@'./ -]{4,}$/u.test(piece.text) && !printedWords.test(piece.text) && !states.test(piece.text);
  const first = reading.pieces.find(
    (piece) => piece.page === card.piece.page && piece.baseline > card.piece.baseline && isName(piece),
  );
  if (!first) return [];
  const lines = blockBelow(first, reading, 3);
  const end = lines.findIndex((piece) => !isName(piece));
  return end < 0 ? lines : lines.slice(0, end);
}

function addAddress(fields: Record<string, FieldEntry>, reading: Reading, after: Piece | undefined): void {
  const lines = reading.pieces.filter((piece) => after && piece.page === after.page && piece.row > after.row);
  const at = lines.findIndex((piece) => postcodeLine.test(piece.text));
  if (at < 0) return;
  const under = (piece: Piece): boolean =>
    piece.box[0] < lines[at]!.box[2] && piece.box[2] > lines[at]!.box[0];
  const state = lines.slice(at + 1, at + 5).find((piece) => under(piece) && states.test(piece.text));
  const street = lines.slice(Math.max(0, at - 3), at + 1).filter((piece) => !printedWords.test(piece.text));
  const block = state ? [...street, state] : street;
  const raw = block.map((piece) => piece.text).join('\n');
  const box = unionBox(block.map((piece) => piece.box));
  fields.address = toEntry({
    value: raw.replaceAll('\n', ', '),
    raw,
    confidence: 0.85,
    page: block[0]!.page,
    box,
  });
  const [whole, postcode, city] = postcodeLine.exec(lines[at]!.text)!;
  fields.postcode = toEntry(fromPiece(lines[at]!, postcode!, { raw: postcode!, confidence: 0.95 }));
  fields.city = toEntry(fromPiece(lines[at]!, city!.trim(), { raw: whole, confidence: 0.9 }));
  if (state) fields.state = toEntry(fromPiece(state, state.text, { raw: state.text, confidence: 0.95 }));
}

function addPrinted(fields: Record<string, FieldEntry>, reading: Reading, card: FoundCard): void {
  const words: [string, RegExp, (text: string) => string][] = [
    ['citizenship', /\b(?:bukan\s+)?warganegara\b|\bpemastautin\s+tetap\b/i, (text) => text.toUpperCase()],
    ['religion', /\b(?:islam|kristian|buddha|hindu|sikh)\b/i, (text) => text.toUpperCase()],
    ['sex', /\b(?:lelaki|perempuan)\b/i, (text) => (/lelaki/i.test(text) ? 'male' : 'female')],
  ];
  for (const [name, pattern, toValue] of words)
    for (const piece of reading.pieces) {
      const match = pattern.exec(piece.text);
      if (!match) continue;
      fields[name] = toEntry(fromPiece(piece, toValue(match[0]), { raw: match[0], confidence: 0.95 }));
      break;
    }
  // The last digit of the number says the sex as well: where they disagree neither is sure.
  const printed = fields.sex;
  if (!printed)
    fields.sex = toEntry(fromPiece(card.piece, card.number.sex, { raw: card.raw, confidence: 0.9 }));
  else printed.confidence = printed.value === card.number.sex ? 0.99 : 0.5;
}

export function readMyKad(reading: Reading, card: FoundCard): Record<string, FieldEntry> {
  const { number, piece, raw } = card;
  const entry = (value: string, confidence: number): FieldEntry =>
    toEntry(fromPiece(piece, value, { raw, confidence }));
  const fields: Record<string, FieldEntry> = {
    number: entry(number.number, 0.98),
    birth_date: entry(number.birthDate, number.centuryCertainty),
    birth_place: entry(number.birthPlace, 0.95),
  };
  const names = nameLines(reading, card);
  if (names.length > 0) {
    const text = names.map((line) => line.text).join('\n');
    const box = unionBox(names.map((line) => line.box));
    fields.name = toEntry({
      value: text.replaceAll('\n', ' '),
      raw: text,
      confidence: 0.85,
      page: names[0]!.page,
      box,
    });
  }
  addAddress(fields, reading, names.at(-1));
  addPrinted(fields, reading, card);
  return fields;
}
