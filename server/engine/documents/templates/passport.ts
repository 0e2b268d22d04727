/** Passports, visas and identity cards with a machine-readable zone. */

import { unionBox } from '../../vision/geometry.ts';
import { type DocumentText, type PlacedSegment, type TextRow, toEntry } from '../fields/reading.ts';

import { heldDigits, type Mrz, type MrzField, type MrzName, parseMrz } from '../mrz/mrz.ts';
import { toMrzText } from '../mrz/mrz-lines.ts';
import type { FieldEntry } from '../types.ts';
import { builtInTemplates } from '../vocabulary/words.ts';
import { readCustom } from './custom.ts';

const mrzText = (row: TextRow): string => toMrzText(row.pieces.map((piece) => piece.text).join(''));
const isMrzLine = (text: string): boolean =>
  /^[A-Z0-9<]{26,48}$/.test(text) && (/</.test(text) || /\d{6}/.test(text));

export interface FoundMrz {
  mrz: Mrz;
  rows: TextRow[];
}

/** Check digits that must hold: one in ten agrees by chance. */
const leastDigits = 2;
/** Blanks of a zone are its fillers: cells of a table stand further apart, in font sizes. */
const widestBlank = 2;

/** True for a day that a calendar has; what is unknown is fillers. */
function isPossible({ value }: MrzField): boolean {
  const [, month, day] = value.split('-').map(Number);
  if (month === undefined || day === undefined) return true;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

const isRead = ({ pieces }: TextRow): boolean =>
  pieces.some(({ words }) => words.some(({ source }) => source !== 'text_layer'));

/** False for a row of cells that the file itself tells, whose texts would make a line only when run together. */
const isOneLine = (row: TextRow): boolean =>
  isRead(row) ||
  row.pieces.every(({ box, size, page }, at) => {
    const before = row.pieces[at - 1];
    return !before || (!page.blocks && box[0] - before.box[2] < widestBlank * size);
  });

/** Recognition may misread a date: then its digit does not agree, and the others tell that this is a zone. */
function isBelieved({ mrz, rows }: FoundMrz): boolean {
  if (heldDigits(mrz) < leastDigits) return false;
  const misread = rows.some(isRead);
  const { birth_date: birth, expiry_date: expiry } = mrz.fields;
  return [birth, expiry].every((date) => isPossible(date) || (misread && !date.valid));
}

/** The first run of two or three consecutive rows that parse as an MRZ. */
export function findMrz(reading: DocumentText): FoundMrz | null {
  for (const [index, row] of reading.rows.entries()) {
    if (!isMrzLine(mrzText(row))) continue;
    for (const count of [3, 2]) {
      const rows = reading.rows.slice(index, index + count);
      const mrz =
        rows.length === count && rows.every((line) => isMrzLine(mrzText(line)) && isOneLine(line))
          ? parseMrz(rows.map(mrzText))
          : null;
      if (mrz && isBelieved({ mrz, rows })) return { mrz, rows };
    }
  }
  return null;
}

/** Row of the MRZ, counted from 0, that carries a field in two-line and three-line MRZs. */
const rowOf: Partial<Record<MrzName, [number, number]>> = {
  document_type: [0, 0],
  issuing_country: [0, 0],
  surname: [0, 2],
  given_names: [0, 2],
  document_number: [1, 0],
  personal_number: [1, 0],
};

/** Characters that a recognizer confuses in names: a filler for K, O for Q. */
const lookAlikes: Record<string, string> = {
  ' ': '[ K-]?',
  K: '[K ]?',
  O: '[OQ0]',
  Q: '[QO]',
  I: '[I1]',
  V: '[VY]',
  Y: '[YV]',
};

/** The text printed above the MRZ that a name of the MRZ was made from, if it is there. */
function printedName(reading: DocumentText, name: string, mrzRow: number): PlacedSegment | null {
  const pattern = [...name].map((char) => lookAlikes[char] ?? char).join('');
  const whole = new RegExp(`^${pattern}$`);
  const plain = (piece: PlacedSegment): string =>
    piece.text
      .toUpperCase()
      .replace(/[^A-Z ]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return reading.pieces.find((piece) => piece.row < mrzRow && whole.test(plain(piece))) ?? null;
}

/** Names have no check digit: where the page prints them as well, the print decides. */
function matchNames({ mrz, rows }: FoundMrz, reading: DocumentText): Set<MrzName> {
  const matched = new Set<MrzName>();
  const mrzRow = reading.rows.indexOf(rows[0]!);
  for (const name of ['surname', 'given_names'] as const) {
    const field = mrz.fields[name];
    const printed = field.value.length < 3 ? null : printedName(reading, field.value, mrzRow);
    if (!printed) continue;
    const value = printed.text
      .toUpperCase()
      .replace(/[^A-Z]+/g, ' ')
      .trim();
    // Recognition loses blanks of the print, but makes no fillers of nothing.
    const blanks = (text: string): number => text.split(' ').length;
    if (value !== field.value && blanks(value) >= blanks(field.value))
      Object.assign(field, { value, repaired: true });
    matched.add(name);
  }
  if (matched.size > 0) rewriteNames(mrz);
  return matched;
}

function rewriteNames(mrz: Mrz): void {
  const row = mrz.lines.length === 3 ? 2 : 0;
  const line = mrz.lines[row]!;
  const head = row === 0 ? line.slice(0, 5) : '';
  const given = mrz.fields.given_names.value;
  const names = [mrz.fields.surname.value, ...(given === '' ? [] : [given])].map((name) =>
    name.replaceAll(' ', '<'),
  );
  const text = head + names.join('<<');
  if (text.length <= line.length) mrz.lines[row] = text.padEnd(line.length, '<');
}

function confidenceOf(field: MrzField, mrz: Mrz, matched: boolean): number {
  if (matched) return 0.98;
  if (field.valid === false) return 0.4;
  return (field.valid ? 0.99 : 0.9) - (field.repaired ? 0.05 : 0) - (mrz.valid ? 0 : 0.1);
}

export function readPassport(found: FoundMrz, reading: DocumentText): Record<string, FieldEntry> {
  const { mrz, rows } = found;
  const read = [...mrz.lines];
  const matched = matchNames(found, reading);
  const fields: Record<string, FieldEntry> = {};
  for (const [name, field] of Object.entries(mrz.fields) as [MrzName, MrzField][]) {
    if (field.value === '') continue;
    const [two, three] = rowOf[name] ?? [1, 1];
    const at = rows.length === 3 ? three : two;
    const row = rows[at]!;
    const confidence = confidenceOf(field, mrz, matched.has(name));
    const box = unionBox(row.pieces.map((piece) => piece.box));
    fields[name] = {
      ...toEntry({ value: field.value, raw: read[at]!, confidence, rule: 'mrz', page: row.page, box }),
      ...(field.valid === null ? {} : { mrzValid: field.valid }),
    };
  }
  // Fields that a page prints and no MRZ holds.
  Object.assign(fields, readCustom(builtInTemplates().passport, reading));
  const box = unionBox(rows.flatMap((row) => row.pieces.map((piece) => piece.box)));
  const value = mrz.lines.join('\n');
  const whole = { value, raw: read.join('\n'), confidence: mrz.valid ? 0.95 : 0.6, box };
  fields.mrz = { ...toEntry({ ...whole, rule: 'mrz', page: rows[0]!.page }), mrzValid: mrz.valid };
  return fields;
}
