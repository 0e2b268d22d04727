/**
 * Key-value pairs of any document.
 *
 * A key is a short label with a colon, or a short label left of a value that has a type of its own (a date, an amount,
 * an address of mail). The value stands behind it, to its right or below it. Fields of a form come with their labels.
 */

import { findDates } from '../fields/dates.ts';
import { shortName, widgetLabel } from '../fields/form-answers.ts';
import { currencyCode, findAmounts } from '../fields/numbers.ts';
import { type Found, type Piece, type Reading, toEntry, wordsOf } from '../fields/reading.ts';
import { contains, overlap, unionBox } from '../layout/page.ts';
import type { DrawnBox } from '../marks/drawn-boxes.ts';
import type { Document } from '../parse.ts';
import type { FieldEntry } from '../types.ts';

const maxPairs = 300;
/** `Name: value`, also several in one piece; Chinese needs no blank behind its colon. */
const inlinePair = /(?<![\p{L}\d])([\p{L}][\p{L}\d .,/'’()&#°º-]{0,40}?)\s*(?::(?=\s|$)|：)\s*/gu;
const maxLabelWords = 6;

/** `Invoice No.` → `invoice_no`. Letters of any script stay. */
export const toKey = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 60);

const isLabel = (text: string): boolean =>
  /^\p{L}/u.test(text) &&
  text.split(/\s+/).length <= maxLabelWords &&
  text.length <= 42 &&
  !/^(?:https?|www)\b/i.test(text);

interface Typed {
  value: string | number;
  currency?: string;
  /** A value that is recognised by its form alone. */
  strong: boolean;
}

function toTyped(text: string, reading: Reading): Typed {
  const date = findDates(text, reading.dayOrder)[0];
  if (date && date.raw.length >= text.length - 2) return { value: date.iso, strong: true };
  const amount = findAmounts(text, reading.decimal)[0];
  if (amount && amount.raw.length === text.length && (amount.decimals === 2 || amount.currency)) {
    const currency = amount.currency ? { currency: currencyCode(amount.currency) } : {};
    return { value: amount.value, ...currency, strong: true };
  }
  return { value: text, strong: /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(text) };
}

function addPair(fields: Record<string, FieldEntry>, label: string, found: Found<string | number>): void {
  const key = toKey(label);
  if (key === '' || Object.keys(fields).length >= maxPairs) return;
  if (fields[key]?.raw === found.raw) return;
  let name = key;
  for (let count = 2; fields[name]; count++) name = `${key}_${count}`;
  fields[name] = toEntry({ ...found, label });
}

function toFound(
  piece: Piece,
  text: string,
  details: { reading: Reading; confidence: number },
): Found<string | number> {
  const { value, currency } = toTyped(text, details.reading);
  const box = unionBox(wordsOf(piece, text).map((word) => word.box));
  return {
    value,
    raw: text,
    confidence: details.confidence,
    page: piece.page,
    box,
    ...(currency ? { currency } : {}),
  };
}

/** The value of a label that ends its piece: right of it, else under it. */
function valueBeside(piece: Piece, reading: Reading): { piece: Piece; confidence: number } | null {
  const right = reading.rows[piece.row]!.pieces[piece.order + 1];
  if (right && !/[:：]\s*$/.test(right.text) && right.box[0] - piece.box[2] < 25 * piece.size)
    return { piece: right, confidence: 0.9 };
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page || next.pieces[0]!.baseline - piece.baseline > 2.6 * piece.size)
    return null;
  const below = next.pieces.find(
    (other) => overlap(other.box[0], other.box[2], piece.box[0], piece.box[2]) > 0,
  );
  return below && !/[:：]\s*$/.test(below.text) ? { piece: below, confidence: 0.75 } : null;
}

interface Context {
  reading: Reading;
  fields: Record<string, FieldEntry>;
  boxes: DrawnBox[];
}

function addChoices(fields: Record<string, FieldEntry>, label: string, choices: DrawnBox[]): void {
  const ticked = choices.filter((choice) => choice.checked);
  if (ticked.length === 0) return;
  const value = ticked.map((choice) => choice.label).join(', ');
  const box = unionBox(ticked.map((choice) => choice.box));
  addPair(fields, label, { value, raw: value, confidence: 0.85, page: ticked[0]!.page, box });
}

/** `Gender: ☐ Female ☒ Male`: the boxes behind a label on its row; what is ticked is the value. */
function boxesBehind(piece: Piece, value: Piece, boxes: DrawnBox[]): DrawnBox[] {
  const onRow = boxes.filter(
    ({ page, box }) =>
      page === piece.page && overlap(box[1], box[3], piece.box[1], piece.box[3]) > 0 && box[0] > piece.box[0],
  );
  const between = onRow.some(({ box }) => box[2] <= value.box[0] + 2 && box[0] >= piece.box[2] - 2);
  return between ? onRow : [];
}

function readColonPairs(piece: Piece, context: Context): boolean {
  const { reading, fields, boxes } = context;
  const matches = [...piece.text.matchAll(inlinePair)].filter((match) => isLabel(match[1]!));
  for (const [index, match] of matches.entries()) {
    const start = match.index + match[0].length;
    const text = piece.text.slice(start, matches[index + 1]?.index).trim();
    if (text !== '') addPair(fields, match[1]!, toFound(piece, text, { reading, confidence: 0.92 }));
    else if (index === matches.length - 1) {
      const beside = valueBeside(piece, reading);
      const choices = beside ? boxesBehind(piece, beside.piece, boxes) : [];
      if (choices.length > 0) addChoices(fields, match[1]!, choices);
      else if (beside)
        addPair(
          fields,
          match[1]!,
          toFound(beside.piece, beside.piece.text, { reading, confidence: beside.confidence }),
        );
    }
  }
  return matches.length > 0;
}

/** A row of two pieces, of which the second has a type, outside tables. */
function readTypedPair(piece: Piece, { reading, fields }: Context): void {
  const { pieces } = reading.rows[piece.row]!;
  const value = pieces[piece.order + 1];
  if (pieces.length !== 2 || piece.order !== 0 || !value || !isLabel(piece.text)) return;
  if (toTyped(value.text, reading).strong)
    addPair(fields, piece.text, toFound(value, value.text, { reading, confidence: 0.7 }));
}

function addFormFields(document: Document, fields: Record<string, FieldEntry>): void {
  for (const widget of document.widgets) {
    if ((widget.kind !== 'text' && widget.kind !== 'choice') || widget.value === '') continue;
    const page = document.pages.find((candidate) => candidate.number === widget.page);
    const label = widget.caption || widgetLabel(widget, page);
    const key = toKey(shortName(widget.name)) || toKey(label);
    let name = key;
    for (let count = 2; fields[name]; count++) name = `${key}_${count}`;
    fields[name] = {
      value: widget.value,
      raw: widget.value,
      confidence: 1,
      page: widget.page,
      bbox: widget.bbox,
      label,
    };
  }
}

export function readGeneric(document: Document, reading: Reading): Record<string, FieldEntry> {
  const fields: Record<string, FieldEntry> = {};
  const context: Context = { reading, fields, boxes: document.drawnBoxes };
  addFormFields(document, fields);
  const inTable = (piece: Piece): boolean =>
    document.tables.some(
      (table) =>
        table.page === piece.page &&
        table.colCount > 2 &&
        piece.baseline > table.box[1] &&
        piece.baseline <= table.box[3] + 1,
    );
  // What a form field shows is known exactly already.
  const inWidget = (piece: Piece): boolean =>
    document.widgets.some(
      (widget) =>
        widget.page === piece.page.number && contains(widget.bbox, piece.page.toView(piece.box), 0.002),
    );
  const byWidget = (piece: Piece): boolean => {
    const right = reading.rows[piece.row]!.pieces[piece.order + 1];
    return inWidget(piece) || (right !== undefined && inWidget(right));
  };
  for (const piece of reading.pieces) {
    if (inTable(piece) || byWidget(piece)) continue;
    if (!readColonPairs(piece, context)) readTypedPair(piece, context);
  }
  return fields;
}
