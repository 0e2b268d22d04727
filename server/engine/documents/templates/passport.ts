/** Passports, visas and identity cards with a machine-readable zone. */

import { type Reading, type Row, toEntry } from '../fields/reading.ts';
import { type Mrz, parseMrz } from '../identity/mrz.ts';
import { unionBox } from '../layout/page.ts';
import type { FieldEntry } from '../types.ts';

const zoneText = (row: Row): string =>
  row.pieces
    .map((piece) => piece.text)
    .join('')
    .replace(/[\s«‹]/g, (c) => (c.trim() ? '<' : ''));
const isZoneLine = (text: string): boolean =>
  /^[A-Z0-9<]{28,46}$/.test(text) && (/</.test(text) || /\d{6}/.test(text));

export interface FoundZone {
  mrz: Mrz;
  rows: Row[];
}

/** The first run of two or three consecutive rows that parse as a zone. */
export function findZone(reading: Reading): FoundZone | null {
  for (const [index, row] of reading.rows.entries()) {
    if (!isZoneLine(zoneText(row))) continue;
    for (const count of [3, 2]) {
      const rows = reading.rows.slice(index, index + count);
      const mrz =
        rows.length === count && rows.every((line) => isZoneLine(zoneText(line)))
          ? parseMrz(rows.map(zoneText))
          : null;
      if (mrz) return { mrz, rows };
    }
  }
  return null;
}

/** Row of the zone, counted from 0, that carries a field in two-line and three-line zones. */
const rowOf: Record<string, [number, number]> = {
  document_type: [0, 0],
  issuing_country: [0, 0],
  surname: [0, 2],
  given_names: [0, 2],
  document_number: [1, 0],
  personal_number: [1, 0],
};

export function readPassport({ mrz, rows }: FoundZone): Record<string, FieldEntry> {
  const fields: Record<string, FieldEntry> = {};
  for (const [name, field] of Object.entries(mrz.fields)) {
    if (field.value === '') continue;
    const [two, three] = rowOf[name] ?? [1, 1];
    const row = rows[rows.length === 3 ? three : two]!;
    const raw = mrz.lines[rows.length === 3 ? three : two]!;
    const confidence =
      field.valid === false
        ? 0.4
        : (field.valid ? 0.99 : 0.9) - (field.repaired ? 0.05 : 0) - (mrz.valid ? 0 : 0.1);
    const box = unionBox(row.pieces.map((piece) => piece.box));
    fields[name] = {
      ...toEntry({ value: field.value, raw, confidence, page: row.page, box }),
      ...(field.valid === null ? {} : { mrz_valid: field.valid }),
    };
  }
  const box = unionBox(rows.flatMap((row) => row.pieces.map((piece) => piece.box)));
  const whole = {
    value: mrz.lines.join('\n'),
    raw: mrz.lines.join('\n'),
    confidence: mrz.valid ? 0.99 : 0.6,
    page: rows[0]!.page,
    box,
  };
  fields.mrz = { ...toEntry(whole), mrz_valid: mrz.valid };
  return fields;
}
