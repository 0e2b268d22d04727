/** Invoice number, dates, purchase order. */

import { type FoundDate, findDates } from '../../../quantities/dates.ts';
import { overlap, unionBox } from '../../../vision/geometry.ts';
import { type FieldCandidate, findLabelled, piecesBelow, type ValueReader } from '../../fields/labelled.ts';
import type { DocumentText, PlacedSegment, TextRow } from '../../fields/reading.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { isItemsHead } from './invoice-items.ts';
import { isTitle } from './parties/party-lines.ts';

/** `F 1234K20/1234/12`: one or two capital letters may stand apart before the number. */
const identifier = /^([A-Z]{1,3}\s(?=[\w]*\d)[\w/.-]+|[\p{L}\d][\p{L}\d\-/_.]*)/u;
/** `7201 448 093`: a number in groups that is all of its text. */
const grouped = /^\d{2,5}(?: \d{2,5}){1,4}(?=\s*$)|^\d{2,3}(?: \d{3}){1,3}(?=\s+\p{L})/u;

/** @param mayBeDate numbers that count the papers of a day are printed like its date */
function identifierReader(reading: DocumentText, mayBeDate = false): ValueReader<string> {
  return (text) => {
    const match = grouped.exec(text) ?? identifier.exec(text);
    const raw = match?.[0].replace(/[.\-/]+$/, '') ?? '';
    if (!/\d/.test(raw) || raw.length < 2 || raw.length > 32) return null;
    if (/^\d+[.,]\d{2}$/.test(raw) || /^\d{1,2}:\d{2}/.test(text)) return null;
    const date = findDates(text, reading.dayOrder)[0];
    if (!mayBeDate && date && date.index === 0 && date.raw.length >= raw.length) return null;
    return { value: raw, raw, certainty: raw.length < 3 ? 0.7 : 1 };
  };
}

function dateReader(reading: DocumentText): ValueReader<string> {
  return (text) => {
    const date = findDates(text, reading.dayOrder)[0];
    if (!date || date.index > 24) return null;
    return { value: date.iso, raw: date.raw, certainty: date.certain ? 1 : 0.93 };
  };
}

/** Labels that sit inside other words' labels are told apart by the first row that has them. */
const best = <V extends string>(candidates: FieldCandidate<V>[]): FieldCandidate<V> | null =>
  candidates[0] ?? null;

/** True for a line with words of dates that are not the paper's. */
const tellsOtherDate = (text: string): boolean => documentWords().parties.other_date.test(text);

function looseCandidate(
  { iso, raw }: FoundDate,
  piece: PlacedSegment,
  reading: DocumentText,
): FieldCandidate<string> {
  const timed = /\d{1,2}:\d{2}/.test(reading.rows[piece.row]!.text);
  const confidence = timed ? 0.8 : 0.65;
  const { page, box } = piece;
  return { value: iso, raw, confidence, rule: 'pattern', page, box, piece, score: confidence };
}

/** A receipt often prints its date without a label, mostly with the time behind it. */
function looseDate(
  reading: DocumentText,
  isNumber: (date: FieldCandidate<string>) => boolean,
): FieldCandidate<string> | null {
  for (const piece of reading.pieces) {
    const dates = findDates(piece.text, reading.dayOrder).map((date) => looseCandidate(date, piece, reading));
    const date = dates.find((one) => !isNumber(one));
    if (date && !tellsOtherDate(piece.text)) return date;
  }
  return brokenDate(reading, isNumber);
}

/** A date that a gap in its print broke into pieces. */
function brokenDate(
  reading: DocumentText,
  isNumber: (date: FieldCandidate<string>) => boolean,
): FieldCandidate<string> | null {
  for (const { pieces, text } of reading.rows) {
    if (pieces.length < 2 || tellsOtherDate(text)) continue;
    const whole = pieces.map((piece) => piece.text).join(' ');
    const [found] = findDates(whole, reading.dayOrder);
    const broken = found && pieces.filter((piece) => found.raw.includes(piece.text.split(' ')[0]!));
    const date = broken?.[0] && looseCandidate(found!, broken[0], reading);
    if (date && !isNumber(date)) return { ...date, box: unionBox(broken.map(({ box }) => box)) };
  }
  return null;
}

/** Rows below a head that are looked at for its column of dates, and the fewest that begin with one. */
const [columnRows, minDates] = [5, 2];

/** True for the head of a table whose rows begin with a date, as a statement's: its `Date` is none of the paper. */
function isHeadOfDates({ pieces: head, page }: TextRow, { rows, dayOrder }: DocumentText): boolean {
  const { row } = head[0]!;
  const below = rows.slice(row + 1, row + 1 + columnRows).filter((other) => other.page === page);
  return (
    head.length > 2 &&
    below.filter(({ pieces }) => findDates(pieces[0]!.text, dayOrder)[0]?.index === 0 && pieces.length > 1)
      .length >= minDates
  );
}

/** Word that a number cut at a hyphen goes on with. */
const numberRest = /^[\p{L}\d][\p{L}\d\-/_.]{0,19}$/u;
/** Confidence left to a number whose end is not found. */
const cutConfidence = 0.5;

/** A number that ends its line with a hyphen, with the line below it in the same column. */
function wholeNumber(
  found: FieldCandidate<string> | null,
  reading: DocumentText,
): FieldCandidate<string> | null {
  if (!found?.piece.text.trimEnd().endsWith(`${found.raw}-`)) return found;
  const { piece, box, page } = found;
  const below = reading.rows
    .slice(piece.row + 1, piece.row + 3)
    .flatMap((row) => row.pieces)
    .find(
      (other) =>
        other.page === page &&
        other.baseline > piece.baseline &&
        other.baseline - piece.baseline < 2 * piece.size &&
        overlap(other.box[0], other.box[2], piece.box[0], piece.box[2]) > 0,
    );
  if (!below || !/\d/.test(below.text) || !numberRest.test(below.text))
    return { ...found, confidence: Math.min(found.confidence, cutConfidence) };
  return {
    ...found,
    value: `${found.value}-${below.text}`,
    raw: `${found.raw}-\n${below.text}`,
    box: unionBox([box, below.box]),
    confidence: 0.95 * found.confidence,
  };
}

/** Labels that say plainly that a number follows. */
const plainLabel = 0.9;
const dateLikeConfidence = 0.75;

/** A number that looks like a date, behind a label that says that it is none: `Facture n° 2025-11-03`. */
function dateLikeNumber(reading: DocumentText): FieldCandidate<string> | null {
  const rules = documentWords().labels.invoice_number.filter(({ strength }) => strength >= plainLabel);
  const found = best(findLabelled(reading, rules, identifierReader(reading, true)));
  return found && { ...found, confidence: dateLikeConfidence * found.confidence };
}

/** `FR A25/2291`, alone on its line: long enough to be no count, and more than a year or postcode. */
const bareNumber = /^(?=.{5,24}$)(?=(?:\D*\d){3})\p{Lu}{1,5}[ -]?[\p{Lu}\d]*[-/ ]?\d[\p{Lu}\d/-]*$/u;
const bareConfidence = 0.55;

/** A number without a label, below the title of its paper or beside it. */
function numberAtTitle(reading: DocumentText): FieldCandidate<string> | null {
  const titles = reading.pieces.filter(({ text }) => isTitle(text));
  for (const title of titles) {
    const row = reading.rows[title.row]!.pieces;
    const found = [row[title.order + 1], ...piecesBelow(title, reading)].find(
      (piece) => piece && bareNumber.test(piece.text.trim()),
    );
    const read = found && identifierReader(reading)(found.text.trim());
    if (!read) continue;
    const { page, box } = found;
    const rest = { confidence: bareConfidence, rule: 'pattern', score: bareConfidence } as const;
    return { ...rest, value: read.value, raw: read.raw, page, box, piece: found };
  }
  return null;
}

/** A number behind its title has no blank, and more than a year. */
const numberInTitle = /^(?!(?:19|20)\d{2}$)(?=(?:\D*\d){3})[\p{Lu}\d][\p{Lu}\d/.-]{3,23}$/u;
/** Words that a title may have, and letters behind its number: those of a date. */
const [maxTitle, maxBehind] = [4, 28];

/** A number right behind its title: `Honorarnote 05/2025`, `FACTURA SIMPLIFICADA: T25-08841`. */
function numberInRowOfTitle(reading: DocumentText): FieldCandidate<string> | null {
  for (const piece of reading.pieces) {
    const words = piece.text.trim().split(/\s+/);
    const right = reading.rows[piece.row]!.pieces[piece.order + 1];
    for (let count = 1; count <= Math.min(maxTitle, words.length); count++) {
      const title = words
        .slice(0, count)
        .join(' ')
        .replace(/[:.#]+$/, '');
      if (!isTitle(title)) continue;
      const isWhole = count === words.length;
      const [number = '', ...behind] = isWhole ? (right?.text.trim().split(/\s+/) ?? []) : words.slice(count);
      const read = numberInTitle.test(number) ? identifierReader(reading)(number) : null;
      if (!read || behind.join(' ').length > maxBehind) continue;
      const at = isWhole ? right! : piece;
      const rest = { confidence: bareConfidence, rule: 'pattern', score: bareConfidence } as const;
      return { ...rest, value: read.value, raw: read.raw, page: at.page, box: at.box, piece: at };
    }
  }
  return null;
}

const stacked = { mayStack: true };

export function readInvoiceHeader(reading: DocumentText): Record<string, FieldCandidate<string> | null> {
  const { labels } = documentWords();
  const labelled = best(findLabelled(reading, labels.invoice_number, identifierReader(reading), stacked));
  const number =
    wholeNumber(labelled, reading) ??
    dateLikeNumber(reading) ??
    numberAtTitle(reading) ??
    numberInRowOfTitle(reading);
  const isNumber = (date: FieldCandidate<string>): boolean =>
    date.piece === number?.piece && number.value.includes(date.raw);
  const due = best(findLabelled(reading, labels.due_date, dateReader(reading), stacked));
  const isHead = (row: TextRow): boolean => isItemsHead(row.pieces) || isHeadOfDates(row, reading);
  const options = { mayStack: true, isHead };
  const dates = findLabelled(reading, labels.invoice_date, dateReader(reading), options).filter(
    (date) => !isNumber(date) && (!due || date.piece !== due.piece || date.raw !== due.raw),
  );
  return {
    invoice_number: number,
    invoice_date: best(dates) ?? looseDate(reading, isNumber),
    due_date: due,
    purchase_order: wholeNumber(
      best(findLabelled(reading, documentWords().labels.purchase_order, identifierReader(reading), stacked)),
      reading,
    ),
  };
}
