/** Malaysian identity cards: MyKad, MyPR (residents), MyKid (children), front and back, from their text. */

import {
  birthOf,
  findCardNumber,
  type MyKadNumber,
  parseMyKadNumber,
  type SeenNumber,
} from '../../identifiers/mykad.ts';
import { unionBox } from '../../vision/geometry.ts';
import { blockBelow } from '../fields/blocks.ts';
import {
  type DocumentText,
  type FieldMatch,
  type PlacedSegment,
  toEntry,
  wordsOf,
} from '../fields/reading.ts';

import type { FieldEntry, FieldRule, Scalar } from '../types.ts';
import { tidyName } from './mykad-names.ts';

/** Recognition may lose blanks between words. */
const cardWords =
  /kad\s*pengenalan|\bmy\s?(?:kad|pr|kid|kas|tentera)\b|warga\s?negara|identity\s*card|pendaftaran\s*negara|pemastautin/i;
const printedWords =
  /kad\s*pengenalan|malaysia\b|\bmy\s?(?:kad|pr|kid|kas|tentera)\b|identity|\bcard\b|warga\s?negara|lelaki|perempuan|\bislam\b|pendaftaran|pemastautin|ketua\s*pengarah|touch.?n\s*go/i;
const postcodeLine = /(?<!\d)(\d{5})\s*([\p{L}][\p{L} .'()-]+)/u;
const states =
  /^(?:johor|kedah|kelantan|melaka|negeri\s*sembilan|n\.?\s*sembilan|pahang|pulau\s*pinang|p\.?\s*pinang|perak|perlis|selangor|terengganu|sabah|sarawak|w\.?\s*p\.?\s?\(?.*|w\.?\s*persekutuan.*|wilayah\s*persekutuan.*|kuala\s*lumpur|labuan|putrajaya)\b/i;

export interface FoundCard {
  seen: SeenNumber;
  /** Null for a number that nobody can have: an impossible date, or a place code that is never given. */
  number: MyKadNumber | null;
  piece: PlacedSegment;
}

/** Cards are printed in capitals; a letter or a form that names somebody's card is written in small ones. */
const mostSmallWords = 15;
/** A row that names what its number is, or goes on with other words: cards print the number alone. */
const namesNumber = /\p{L}[^\d]*[:：]|\b(?:no|nombor|number)\.?\s*$|(?:\p{L}\p{Ll}{2,}\P{L}+){2}/u;

/** True for a paper that says whose card has which number, and is none itself. */
export function tellsOfCard(reading: DocumentText): boolean {
  if ((reading.text.match(/(?<![\p{L}\p{N}])\p{Ll}{3,}/gu) ?? []).length > mostSmallWords) return true;
  const card = findCard(reading);
  const row = card && reading.rows[card.piece.row]!.text;
  return row !== null && namesNumber.test(row);
}

/** The card's number; only in a document that also says that it is an identity card. A possible one is preferred. */
export function findCard(reading: DocumentText): FoundCard | null {
  if (!cardWords.test(reading.text)) return null;
  const found = reading.pieces.flatMap((piece): FoundCard[] => {
    const seen = findCardNumber(piece.text);
    return seen ? [{ seen, number: parseMyKadNumber(seen.number), piece }] : [];
  });
  return found.find((card) => card.number !== null) ?? found[0] ?? null;
}

const fromPiece = <V extends Scalar>(
  piece: PlacedSegment,
  value: V,
  details: { raw: string; confidence: number; rule: FieldRule },
): FieldMatch<V> => ({
  value,
  ...details,
  page: piece.page,
  box: unionBox(wordsOf(piece, details.raw).map((word) => word.box)),
});

function nameLines(reading: DocumentText, { piece }: FoundCard): PlacedSegment[] {
  const isName = (other: PlacedSegment): boolean =>
    /^[\p{Lu}@'’./ -]{4,}$/u.test(other.text) &&
    (other.text.match(/\p{Lu}/gu) ?? []).length >= 4 &&
    !printedWords.test(other.text) &&
    !states.test(other.text);
  // The name begins where the number does; what stands under the photograph is something else.
  const first = reading.pieces.find(
    (other) =>
      other.page === piece.page &&
      other.baseline > piece.baseline &&
      other.box[0] < piece.box[2] &&
      isName(other),
  );
  if (!first) return [];
  const lines = blockBelow(first, reading, 3);
  const end = lines.findIndex((line) => !isName(line));
  return end < 0 ? lines : lines.slice(0, end);
}

function addAddress(
  fields: Record<string, FieldEntry>,
  reading: DocumentText,
  after: PlacedSegment | undefined,
): void {
  if (!after) return;
  const lines = reading.pieces.filter(
    (piece) =>
      piece.page === after.page && piece.row > after.row && piece.box[0] < after.box[0] + 6 * after.size,
  );
  const at = lines.findIndex((piece) => postcodeLine.test(piece.text));
  if (at < 0) return;
  const state = lines.slice(at + 1, at + 3).find((piece) => states.test(piece.text));
  const street = lines.slice(Math.max(0, at - 4), at + 1).filter((piece) => !printedWords.test(piece.text));
  const block = state ? [...street, state] : street;
  const raw = block.map((piece) => piece.text).join('\n');
  const box = unionBox(block.map((piece) => piece.box));
  const value = block.map((piece) => piece.text.replace(/\s+/g, ' ').replace(/,$/, '')).join(', ');
  fields.address = toEntry({ value, raw, confidence: 0.88, rule: 'block', page: block[0]!.page, box });
  const [whole, postcode, city] = postcodeLine.exec(lines[at]!.text)!;
  fields.postcode = toEntry(
    fromPiece(lines[at]!, postcode!, { raw: postcode!, confidence: 0.97, rule: 'pattern' }),
  );
  fields.city = toEntry(
    fromPiece(lines[at]!, city!.replace(/\s+/g, ' ').trim(), {
      raw: whole,
      confidence: 0.93,
      rule: 'pattern',
    }),
  );
  if (state)
    fields.state = toEntry(
      fromPiece(state, state.text.replace(/\s+/g, ' '), {
        raw: state.text,
        confidence: 0.95,
        rule: 'pattern',
      }),
    );
}

const printed: [name: string, pattern: RegExp, toValue: (text: string) => string][] = [
  [
    'citizenship',
    /(?:bukan\s*)?warga\s?negara|pemastautin\s*(?:tetap|sementara)/i,
    (text) =>
      text
        .toUpperCase()
        .replace(/\s/g, '')
        .replace(/^(BUKAN|PEMASTAUTIN)/, '$1 '),
  ],
  ['religion', /\b(?:islam|kristian|buddha|hindu|sikh)\b/i, (text) => text.toUpperCase()],
  ['sex', /lelaki|perempuan/i, (text) => (/lelaki/i.test(text) ? 'male' : 'female')],
];

function addPrinted(fields: Record<string, FieldEntry>, reading: DocumentText, card: FoundCard): void {
  for (const [name, pattern, toValue] of printed)
    for (const piece of reading.pieces) {
      const match = pattern.exec(piece.text);
      if (!match) continue;
      fields[name] = toEntry(
        fromPiece(piece, toValue(match[0]), { raw: match[0], confidence: 0.95, rule: 'pattern' }),
      );
      break;
    }
  if (!card.number) return;
  // The last digit of the number says the sex as well: where they disagree neither is sure.
  const { sex } = card.number;
  const seen = fields.sex;
  if (!seen)
    fields.sex = toEntry(
      fromPiece(card.piece, sex, { raw: card.seen.raw, confidence: 0.9, rule: 'card_number' }),
    );
  else if (seen.value !== sex) seen.confidence = Math.min(seen.confidence, 0.5);
}

/** Cards print no tables: what stands close in a row is one text, though its blanks may be wide. */
const maxBlank = 3;

function joinRows(reading: DocumentText): DocumentText {
  const rows = reading.rows.map((row, index) => {
    const pieces: PlacedSegment[] = [];
    for (const piece of row.pieces) {
      const last = pieces.at(-1);
      if (last && piece.box[0] - last.box[2] < maxBlank * piece.size)
        pieces[pieces.length - 1] = {
          ...last,
          text: `${last.text} ${piece.text}`,
          words: [...last.words, ...piece.words],
          box: unionBox([last.box, piece.box]),
        };
      else pieces.push({ ...piece, row: index, order: pieces.length });
    }
    return { ...row, pieces };
  });
  return { ...reading, rows, pieces: rows.flatMap((row) => row.pieces) };
}

export interface CardAnswer {
  fields: Record<string, FieldEntry>;
  warnings: string[];
}

export function readMyKad(read: DocumentText, card: FoundCard): CardAnswer {
  const reading = joinRows(read);
  const { number, seen, piece } = card;
  const entry = (value: string, confidence: number): FieldEntry =>
    toEntry(fromPiece(piece, value, { raw: seen.raw, confidence, rule: 'card_number' }));
  const sure = (number ? 0.98 : 0.9) - (seen.repaired ? 0.15 : 0);
  const fields: Record<string, FieldEntry> = { number: entry(seen.number, sure) };
  const warnings: string[] = [];
  const born = birthOf(seen.number);
  if (born) fields.birth_date = entry(born.date, born.certainty * (number ? 1 : 0.9));
  if (number) fields.birth_place = entry(number.birthPlace, 0.95);
  else {
    const what = born ? 'the code of its place of birth is never given' : 'its date of birth does not exist';
    warnings.push(`Nobody can have the number on the card: ${what}. It may be misread, or a specimen's.`);
  }
  const names = nameLines(reading, card);
  if (names.length > 0) {
    const raw = names.map((line) => line.text).join('\n');
    const box = unionBox(names.map((line) => line.box));
    const value = tidyName(names.map((line) => line.text).join(' '));
    fields.name = toEntry({ value, raw, confidence: 0.92, rule: 'block', page: names[0]!.page, box });
  }
  addAddress(fields, reading, names.at(-1));
  addPrinted(fields, reading, card);
  return { fields, warnings };
}
