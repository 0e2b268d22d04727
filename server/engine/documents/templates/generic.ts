/**
 * Key-value pairs of any document.
 *
 * A key is a short label with a colon, or a short label left of a value that has a type of its own (a date, an amount,
 * an address of mail). The value stands behind it, to its right or below it. Fields of a form come with their labels.
 */

import { dayOfMail, findDates } from '../../quantities/dates.ts';
import { currencyCode, findAmounts } from '../../quantities/numbers.ts';
import { contains, overlap, unionBox } from '../../vision/geometry.ts';
import type { CheckboxElement, Document, PageTable } from '../document.ts';
import { checkboxGroups } from '../elements/checkbox-groups.ts';
import { asksToSign } from '../elements/signature-labels.ts';
import { choicesBehind, choicesUnder } from '../fields/choices.ts';
import { shortName, widgetLabel } from '../fields/form-answers.ts';
import {
  type DocumentText,
  type FieldMatch,
  type PlacedSegment,
  toEntry,
  wordsOf,
} from '../fields/reading.ts';
import { headOf } from '../tables/heads.ts';
import { cellText } from '../tables/table.ts';
import type { FieldEntry } from '../types.ts';
import { documentWords } from '../vocabulary/words.ts';
import { goesOnProse, linesBelow } from './continued-values.ts';
import { besidePairs, type LabelledPair, rowPairs, stackedPairs } from './label-columns.ts';

const maxPairs = 300;
/** `Name: value`, also several in one piece; Chinese needs no blank behind its colon, half as wide or full. */
const inlinePair =
  /(?<![\p{L}\d])([\p{L}][\p{L}\d .,/'’()（）&#°º-]{0,40}?)\s*(?::(?=\s|$)|：|(?<=\p{Script=Han}[)）]?):(?!\/\/))\s*/gu;
const maxLabelWords = 6;
/** Labels that forms print without a colon. */
const knownLabel =
  /^(?:(?:full\s+)?name|address|date(?:\s+of\s+birth)?|(?:tele)?phone|tel\.?|e-?mail|nationality|occupation|nama(?:\s+penuh)?|alamat|tarikh(?:\s+lahir)?|(?:no\.?\s*)?telefon|e-?mel|warganegara|pekerjaan|no\.?\s*(?:kad\s+pengenalan|k\/p|rujukan)|姓名|地址|日期|出生日期|电话|電話|电子邮件|國籍|国籍|职业|編號|编号|身份证号码?)$/iu;

const phoneLabel = /^(?:(?:tele)?phone|tel\.?|(?:no\.?\s*)?telefon|电话|電話)$/iu;
const leastPhoneDigits = 6;

/** False for a number too short to be a telephone's, such as an allowance for one. */
const fitsLabel = (label: string, value: string): boolean =>
  !phoneLabel.test(label) || value.replace(/\D/g, '').length >= leastPhoneDigits;

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
  /** A value that is recognized by its form alone. */
  strong: boolean;
}

function toTyped(text: string, reading: DocumentText): Typed {
  const sent = dayOfMail(text);
  if (sent) return { value: sent, strong: true };
  const date = findDates(text, reading.dayOrder)[0];
  if (date && date.raw.length >= text.length - 2) return { value: date.iso, strong: true };
  const amount = findAmounts(text, reading.decimal)[0];
  if (amount && amount.raw.length === text.length && (amount.decimals === 2 || amount.currency)) {
    const currency = amount.currency ? { currency: currencyCode(amount.currency) } : {};
    return { value: amount.value, ...currency, strong: true };
  }
  return { value: text, strong: /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(text) };
}

function addPair(
  fields: Record<string, FieldEntry>,
  label: string,
  found: FieldMatch<string | number>,
): void {
  const key = toKey(label);
  if (key === '' || Object.keys(fields).length >= maxPairs) return;
  if (fields[key]?.raw === found.raw) return;
  let name = key;
  for (let count = 2; fields[name]; count++) name = `${key}_${count}`;
  fields[name] = toEntry({ ...found, label });
}

/** The value `text` of a piece, with the lines that go on below it. */
function toFound(
  piece: PlacedSegment,
  text: string,
  confidence: number,
  { reading, taken }: Context,
): FieldMatch<string | number> {
  const { value: first, currency, strong } = toTyped(text, reading);
  const below =
    strong || isIdentifier(text) || !piece.text.endsWith(text) ? [] : linesBelow(piece, text, reading);
  for (const line of below) taken.add(line);
  const raw = [text, ...below.map((line) => line.text)].join('\n');
  const value =
    below.length > 0
      ? raw.replace(/(?<=\p{Script=Han})\n(?=\p{Script=Han})/gu, '').replaceAll('\n', ' ')
      : first;
  const box = unionBox([...wordsOf(piece, text), ...below].map((part) => part.box));
  return {
    value,
    raw,
    confidence,
    rule: 'label',
    page: piece.page,
    box,
    ...(currency ? { currency } : {}),
  };
}

/** The value of a label that ends its piece: right of it, else under it. */
function valueBeside(
  piece: PlacedSegment,
  reading: DocumentText,
): { piece: PlacedSegment; confidence: number } | null {
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
  /** Pieces that are the value of a label. */
  taken: Set<PlacedSegment>;
  reading: DocumentText;
  fields: Record<string, FieldEntry>;
  boxes: CheckboxElement[];
}

function addChoices(fields: Record<string, FieldEntry>, label: string, choices: CheckboxElement[]): void {
  const ticked = choices.filter((choice) => choice.checked);
  if (ticked.length === 0) return;
  const value = ticked.map((choice) => choice.label).join(', ');
  const box = unionBox(ticked.map((choice) => choice.box));
  addPair(fields, label, { value, raw: value, confidence: 0.85, rule: 'choice', page: ticked[0]!.page, box });
}

/** True if the label asks to choose: then nothing else is its value, ticked or not. */
function readChoices(piece: PlacedSegment, label: string, { fields, boxes }: Context): boolean {
  if (boxes.length === 0) return false;
  const place = unionBox(wordsOf(piece, label).map((word) => word.box));
  const behind = choicesBehind(piece, place, boxes);
  const choices = behind.length > 0 ? behind : choicesUnder(piece, boxes);
  addChoices(fields, label, choices);
  return choices.length > 0;
}

interface ColonLabel {
  label: string;
  /** In the text of its piece. */
  start: number;
  end: number;
}

/** Labels with a colon in a text. An amount or a date before one is the value of the label before: `Rent: RM 1,500 Deposit: RM 3,000`. */
function colonLabels(text: string, reading: DocumentText): ColonLabel[] {
  const values = [
    ...findAmounts(text, reading.decimal).filter(
      ({ currency, decimals, grouped }) => currency || decimals > 0 || grouped,
    ),
    ...findDates(text, reading.dayOrder),
  ].map(({ index, raw }) => ({ from: index, to: index + raw.length }));
  return [...text.matchAll(inlinePair)].flatMap((match) => {
    const from = match.index;
    const labelEnd = from + match[1]!.length;
    const inside = values.filter((value) => value.from < labelEnd && value.to > from && value.to < labelEnd);
    const behind = Math.max(from, ...inside.map(({ to }) => to));
    const start = behind + /^[\s.,;/-]*/.exec(text.slice(behind, labelEnd))![0].length;
    const label = text.slice(start, labelEnd);
    return isLabel(label) ? [{ label, start, end: from + match[0].length }] : [];
  });
}

function readColonPairs(piece: PlacedSegment, context: Context): boolean {
  const { reading, fields } = context;
  if (!/[:：]/.test(piece.text) || goesOnProse(piece, reading)) return false;
  const matches = colonLabels(piece.text, reading);
  for (const [index, { label, end }] of matches.entries()) {
    const next = matches[index + 1];
    const value = piece.text.slice(end, next?.start).trim();
    const text = next ? value.replace(/\s*[,;]$/, '') : value;
    if (matches.length === 1 && readChoices(piece, label, context)) continue;
    if (text !== '') addPair(fields, label, toFound(piece, text, 0.92, context));
    else if (index === matches.length - 1) {
      const beside = valueBeside(piece, reading);
      if (!beside) continue;
      context.taken.add(beside.piece);
      addPair(fields, label, toFound(beside.piece, beside.piece.text, beside.confidence, context));
    }
  }
  return matches.length > 0;
}

/** `Nama      : Aminah`, where the colons stand in a column of their own. */
function readColumnOfColons(piece: PlacedSegment, context: Context): boolean {
  const { reading, fields, taken } = context;
  const { pieces } = reading.rows[piece.row]!;
  const right = pieces[piece.order + 1];
  if (!right || !isLabel(piece.text) || !/^[:：]/.test(right.text)) return false;
  const text = right.text.replace(/^[:：]\s*/, '');
  const value = text === '' ? pieces[piece.order + 2] : right;
  if (!value) return true;
  taken.add(value);
  addPair(fields, piece.text, toFound(value, text || value.text, 0.9, context));
  return true;
}

/** Text written on a line that begins behind its label. */
function isOnLine({ page, box, baseline, size }: PlacedSegment, label: PlacedSegment): boolean {
  return page.horizontal.some(
    (line) =>
      Math.abs(line.at - baseline) < 0.5 * size &&
      line.from > label.box[2] - 4 &&
      line.from < box[0] + 4 &&
      line.to > box[2] - 4,
  );
}

/** Numbers of invoices, orders and customers: up to three words, each with a digit or in capitals. */
const isIdentifier = (text: string): boolean =>
  text.length >= 3 && /\d/.test(text) && /^(?:[\p{Lu}\d][\p{Lu}\d./#-]*\s?){1,3}$/u.test(text);

const maxValueDistanceEm = 25;
/** Rows above and below in which another label of the same column is looked for. */
const maxColumnRows = 4;
const columnTolerance = 3;

/** The piece right of a label, if it is the end of its row or the next label follows it, and has a form that values have. */
function typedBeside(label: PlacedSegment, reading: DocumentText): PlacedSegment | null {
  const { pieces } = reading.rows[label.row]!;
  const [value, next] = pieces.slice(label.order + 1);
  if (!value || value.box[0] - label.box[2] > maxValueDistanceEm * label.size) return null;
  const hasForm = ({ text }: PlacedSegment): boolean => toTyped(text, reading).strong || isIdentifier(text);
  if (!isLabel(label.text) || hasForm(label) || !hasForm(value)) return null;
  return next && (!isLabel(next.text) || hasForm(next)) ? null : value;
}

/** True where labels with values stand under each other: a text that happens to lie beside a number stands alone. */
function isInLabelColumn(label: PlacedSegment, reading: DocumentText): boolean {
  const rows = reading.rows.slice(Math.max(0, label.row - maxColumnRows), label.row + maxColumnRows + 1);
  return rows.some(({ page, pieces }) =>
    pieces.some(
      (other) =>
        page === label.page &&
        other.row !== label.row &&
        Math.abs(other.box[0] - label.box[0]) < columnTolerance &&
        typedBeside(other, reading) !== null,
    ),
  );
}

/** A label and its value without a colon, outside tables: the value has a type, stands on a line, or the label is known. */
function readPlainPair(piece: PlacedSegment, context: Context): void {
  const { reading, fields, taken } = context;
  const { pieces } = reading.rows[piece.row]!;
  const value = pieces[piece.order + 1];
  if (!value || !isLabel(piece.text)) return;
  const pair = (confidence: number): void => {
    taken.add(value);
    addPair(fields, piece.text, toFound(value, value.text, confidence, context));
  };
  const alone = pieces.length === 2 && piece.order === 0;
  if (isOnLine(value, piece)) pair(0.85);
  else if (alone && knownLabel.test(piece.text) && fitsLabel(piece.text, value.text)) pair(0.8);
  else if (alone && toTyped(value.text, reading).strong) pair(0.7);
  else if (!taken.has(piece) && typedBeside(piece, reading) && isInLabelColumn(piece, reading)) pair(0.7);
}

/** `Closing balance … 5,090.78`, the first or last row of an account's table: its amount ends the row. */
function readBalance(piece: PlacedSegment, context: Context): boolean {
  const value = context.reading.rows[piece.row]!.pieces.at(-1)!;
  if (value.order <= piece.order || !documentWords().parties.balance_label.test(piece.text)) return false;
  if (typeof toTyped(value.text, context.reading).value !== 'number') return false;
  context.taken.add(value);
  addPair(context.fields, piece.text, toFound(value, value.text, 0.85, context));
  return true;
}

type Cell = PageTable['cells'][number];

/** Labels end in a colon, or are bold where their values are not. */
const isMarked = ([label, value]: [Cell, Cell]): boolean =>
  /[:：]\s*$/.test(cellText(label)) ||
  (label.words.every(({ bold }) => bold) && !value.words.every(({ bold }) => bold));

/** A currency or unit alone over a column of numbers heads a list of amounts: `Allowance | RM`. */
function hasAmountHead(pairs: readonly [Cell, Cell][]): boolean {
  const [head, ...values] = pairs.map(([, value]) => cellText(value).trim());
  return (
    head !== undefined &&
    values.length > 1 &&
    /^\(?(?:\p{Sc}|R[MP]|[A-Z]{3}|%|[a-z]{1,3}|[元令吉]+)\)?$/iu.test(head) &&
    values.every((value) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(value))
  );
}

const leastListRows = 8;
const longestPairTable = 40;

const isNumeric = (text: string): boolean => /\d/.test(text) && !/\p{L}/u.test(text);

/** A list under a head, not labels with their values: the file says so, it is long, its items are numbered, or only numbers stand below a name. */
function isList(table: PageTable, pairs: readonly [Cell, Cell][]): boolean {
  const rowCount = table.told?.of.rows.length ?? table.rowCount;
  if (table.colCount !== 2) return false;
  if (table.told?.of.isHeaded || rowCount > longestPairTable) return true;
  if (rowCount < leastListRows || !headOf(table)) return false;
  const items = (table.told?.row ?? 0) > 0 ? pairs : pairs.slice(1);
  return (
    items.every(([, value]) => isNumeric(cellText(value))) ||
    items.filter(([label]) => /\d/.test(cellText(label))).length > 0.6 * items.length
  );
}

/** Labels with their values in a drawn table: of two columns, or of four where the labels are marked. */
function pairsOfTable(table: PageTable): [Cell, Cell][] {
  const rows = Array.from({ length: table.rowCount }, (_, row) =>
    table.cells.filter((cell) => cell.row === row && cell.words.length > 0),
  ).filter((cells) => cells.every((cell) => cell.rowSpan === 1));
  const pairs = rows.flatMap((cells): [Cell, Cell][] => {
    const [first, second, third, fourth] = cells;
    if (cells.length === 2) return [[first!, second!]];
    return cells.length === 4 && table.colCount === 4
      ? [
          [first!, second!],
          [third!, fourth!],
        ]
      : [];
  });
  if (hasAmountHead(pairs) || isList(table, pairs)) return [];
  return table.colCount === 2 || pairs.filter(isMarked).length >= 0.8 * pairs.length ? pairs : [];
}

/** A table drawn with lines whose every second column holds labels. */
function readPairTable(table: PageTable, { reading, fields }: Context): void {
  const pairs = pairsOfTable(table);
  const labels = pairs.filter(([first]) => isLabel(cellText(first).replace(/\s*[:：]$/, '')));
  if (pairs.length < 2 || labels.length < 0.8 * pairs.length) return;
  for (const [label, value] of labels) {
    const raw = cellText(value);
    const typed = toTyped(raw, reading);
    addPair(fields, cellText(label).replace(/\s*[:：]$/, ''), {
      value: typed.value,
      raw,
      confidence: 0.85,
      rule: 'table',
      page: table.page,
      box: unionBox(value.words.map((word) => word.box)),
      ...(typed.currency ? { currency: typed.currency } : {}),
    });
  }
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
      evidence: { rule: 'form_field', sources: ['text_layer'] },
      label,
    };
  }
}

/** `Label ........ value`, on a form or a table of contents of amounts. */
const leaders = /^(\p{L}[\p{L}\d /&().'’-]{0,40}?)\s*(?:\.{4,}|…{2,}|_{4,}|(?:\.\s){3,}\.?)\s*(\S.*)$/u;

function readLeaders(piece: PlacedSegment, context: Context): boolean {
  const match = leaders.exec(piece.text);
  if (!match || !isLabel(match[1]!)) return false;
  addPair(context.fields, match[1]!, toFound(piece, match[2]!, 0.85, context));
  return true;
}

/** Columns or rows of labels that no other rule read. */
function readColumns(
  context: Context,
  pairs: readonly LabelledPair[],
  isElsewhere: (piece: PlacedSegment) => boolean,
): void {
  const { fields, taken } = context;
  const read = new Set(Object.values(fields).map(({ raw, page }) => `${page} ${raw}`));
  for (const { label, value, confidence } of pairs) {
    if (isElsewhere(label) || taken.has(label) || taken.has(value)) continue;
    // Two places to sign beside each other are no label and its value.
    if (asksToSign(value)) continue;
    if (read.has(`${value.page.number} ${value.text}`) || /\p{L}\s*[:：]/u.test(value.text.slice(0, 24)))
      continue;
    taken.add(value);
    addPair(fields, label.text, toFound(value, value.text, confidence, context));
  }
}

/** Questions without a colon, answered by boxes: those that no label gave. */
function readGroups({ fields, boxes }: Context): void {
  for (const [page, own] of Map.groupBy(boxes, (box) => box.page)) {
    const groups = checkboxGroups(own, page.words);
    const byGroup = Map.groupBy(own, (box) => groups[own.indexOf(box)]!);
    for (const [group, choices] of byGroup)
      if (choices.length > 1 && isLabel(group) && !fields[toKey(group)]) addChoices(fields, group, choices);
  }
}

export function readGeneric(document: Document, reading: DocumentText): Record<string, FieldEntry> {
  const fields: Record<string, FieldEntry> = {};
  const context: Context = { reading, fields, boxes: document.checkboxes, taken: new Set() };
  addFormFields(document, fields);
  const inTable = (piece: PlacedSegment): boolean =>
    document.tables.some(
      (table) =>
        table.page === piece.page &&
        (table.colCount > 2 || table.confidence > 0.9) &&
        piece.baseline > table.box[1] &&
        piece.baseline <= table.box[3] + 1,
    );
  // Values of form fields are known exactly already.
  const inWidget = (piece: PlacedSegment): boolean =>
    document.widgets.some(
      (widget) =>
        widget.page === piece.page.number && contains(widget.bbox, piece.page.toView(piece.box), 0.002),
    );
  const byWidget = (piece: PlacedSegment): boolean => {
    const right = reading.rows[piece.row]!.pieces[piece.order + 1];
    return inWidget(piece) || (right !== undefined && inWidget(right));
  };
  const pairTables = document.tables.filter(
    ({ colCount, confidence }) => [2, 4].includes(colCount) && confidence > 0.9,
  );
  for (const table of pairTables) readPairTable(table, context);
  const ofRows = rowPairs(reading);
  readColumns(context, ofRows, byWidget);
  const inRows = new Set(ofRows.flatMap(({ label, value }) => [label, value]));
  for (const piece of reading.pieces) {
    if (byWidget(piece) || inRows.has(piece)) continue;
    if (readBalance(piece, context)) continue;
    // A label with its colon is one in a table too.
    if (inTable(piece) && !/\p{L}\s*[:：]$/u.test(piece.text)) continue;
    if (readColonPairs(piece, context) || readColumnOfColons(piece, context)) continue;
    if (!readLeaders(piece, context)) readPlainPair(piece, context);
  }
  readColumns(
    context,
    [...besidePairs(reading), ...stackedPairs(reading)],
    (piece) => inTable(piece) || byWidget(piece) || inRows.has(piece),
  );
  readGroups(context);
  return fields;
}
