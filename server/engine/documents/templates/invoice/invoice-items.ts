/**
 * Line items.
 *
 * The heading row is found by its words; the rows below it are read by the columns that the headings stand over, until
 * the amounts at the foot begin. Works on ruled tables as well as on loose rows, since both keep to their headings.
 */

import { findAmounts } from '../../../quantities/numbers.ts';
import { type Box, overlap, unionBox } from '../../../vision/geometry.ts';
import type { Word } from '../../document.ts';
import {
  type DocumentText,
  type FieldMatch,
  type PlacedSegment,
  type TextRow,
  toEntry,
} from '../../fields/reading.ts';
import { toSegment } from '../../layout/segments.ts';
import type { FieldEntry, Scalar } from '../../types.ts';
import type { ItemColumn } from '../../vocabulary/vocabulary.ts';
import { documentWords } from '../../vocabulary/words.ts';

export type LineItem = Partial<Record<ItemColumn, FieldEntry<Scalar>>>;

interface Heading {
  column: ItemColumn;
  piece: PlacedSegment;
}

const numericColumns = new Set<ItemColumn>([
  'quantity',
  'unit_price',
  'amount',
  'tax',
  'tax_rate',
  'discount',
]);
const maxItems = 500;

export function headingOf(text: string): ItemColumn | null {
  const clean = text
    .replace(/[*:：]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  // `Price (Rs.)`: what stands in brackets is mostly a currency or a unit, `SST (%)` is not.
  const plain = clean.replace(/\s*[([][^)\]%]*[)\]]$/, '');
  for (const candidate of new Set([clean, plain])) {
    const column = documentWords().itemColumns.find(({ pattern }) => pattern.test(candidate))?.kind;
    if (column) return column;
  }
  return null;
}

/** Two headings that stand close together come as one piece: they are parted where both halves are headings. */
function splitHeading(piece: PlacedSegment): PlacedSegment[] {
  if (headingOf(piece.text) !== null || piece.words.length < 2 || piece.words.length > 6) return [piece];
  for (let at = 1; at < piece.words.length; at++) {
    const halves = [piece.words.slice(0, at), piece.words.slice(at)].map((words) => ({
      ...piece,
      ...toSegment(words),
    }));
    if (halves.every((half) => headingOf(half.text) !== null)) return halves;
  }
  return [piece];
}

/** Headings that are set in several lines: pieces over each other become one. */
function stackHeadings(rows: TextRow[]): PlacedSegment[] {
  const stacks: PlacedSegment[] = [];
  for (const piece of rows.flatMap((row) => row.pieces)) {
    const over = stacks.findIndex(
      (other) => overlap(other.box[0], other.box[2], piece.box[0], piece.box[2]) > 0,
    );
    const above = stacks[over];
    if (!above) stacks.push(piece);
    else
      stacks[over] = {
        ...above,
        text: `${above.text} ${piece.text}`,
        words: [...above.words, ...piece.words],
        box: unionBox([above.box, piece.box]),
      };
  }
  return stacks.sort((a, b) => a.box[0] - b.box[0]);
}

/** The pieces of a heading row, with the lines right above and below it if that shows more headings. */
function headingPieces(rows: TextRow[], index: number): PlacedSegment[] {
  const row = rows[index]!;
  const single = row.pieces.flatMap(splitHeading);
  if (headingsOf(single).length === 0 && single.filter((piece) => headingOf(piece.text)).length < 2)
    return single;
  const isClose = (other: TextRow | undefined): boolean =>
    other !== undefined &&
    other.page === row.page &&
    !/\d/.test(other.text) &&
    Math.abs(other.pieces[0]!.baseline - row.pieces[0]!.baseline) < 1.9 * row.pieces[0]!.size;
  const [above, below] = [isClose(rows[index - 1]), isClose(rows[index + 1])];
  let best = single;
  for (const [from, to] of [
    [above ? 1 : 0, 0],
    [0, below ? 1 : 0],
    [above ? 1 : 0, below ? 1 : 0],
  ] as const) {
    if (from + to === 0) continue;
    const stacked = stackHeadings(rows.slice(index - from, index + to + 1)).flatMap(splitHeading);
    if (headingsOf(stacked).length > headingsOf(best).length) best = stacked;
  }
  return best;
}

/** Headings of a row; each column once (of two amounts, net and gross, the last). */
function headingsOf(pieces: PlacedSegment[]): Heading[] {
  const found = new Map<ItemColumn, Heading>();
  for (const piece of pieces) {
    const column = headingOf(piece.text);
    if (column && (column === 'amount' || !found.has(column))) found.set(column, { column, piece });
  }
  const columns = new Set(found.keys());
  const hasValue = columns.has('amount') || columns.has('unit_price');
  const hasName = columns.has('description') || columns.has('quantity') || columns.has('code');
  return hasValue && hasName && found.size >= 2 ? [...found.values()] : [];
}

/** All pieces of the heading row count as columns, so that unknown ones do not spill into known ones. */
function nearestHeading(piece: PlacedSegment, headings: PlacedSegment[]): PlacedSegment | null {
  let best: { piece: PlacedSegment; score: number } | null = null;
  for (const heading of headings) {
    const shared = overlap(piece.box[0], piece.box[2], heading.box[0], heading.box[2]);
    const distance = Math.min(
      Math.abs(piece.box[0] - heading.box[0]),
      Math.abs(piece.box[2] - heading.box[2]),
      Math.abs((piece.box[0] + piece.box[2] - heading.box[0] - heading.box[2]) / 2),
    );
    const score = (shared > 0 ? 1000 : 0) - distance;
    if (!best || score > best.score) best = { piece: heading, score };
  }
  return best && best.score > -12 * piece.size ? best.piece : null;
}

const isFoot = (row: TextRow): boolean => {
  const first = row.pieces[0]!.text;
  const label = row.text.replace(/[\d.,%€$£\s]+$/u, '');
  if (!/\d/.test(row.text) && !/total|jumlah|合计|小计/i.test(label)) return false;
  return (
    documentWords().notAmount.test(first) ||
    (label.length < 45 &&
      documentWords().amounts.some(
        ({ kind, pattern }) => kind !== 'discount' && kind !== 'shipping' && pattern.test(label),
      ))
  );
};

interface Draft {
  cells: Map<ItemColumn, PlacedSegment[]>;
  start: number;
  /** The last row that belongs to the item. */
  row: number;
}

const isNumeric = (text: string): boolean => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);

/** `3 215.00` over two headings is a quantity and a price, not one number: parted where its words stand over headings of their own. */
function partedByHeadings(piece: PlacedSegment, row: TextRow, all: PlacedSegment[]): PlacedSegment[] {
  if (piece.words.length < 2 || !isNumeric(piece.text)) return [piece];
  const over = (box: Box): PlacedSegment | undefined =>
    all.find((heading) => overlap(box[0], box[2], heading.box[0], heading.box[2]) > 0);
  const isTaken = (heading: PlacedSegment): boolean =>
    row.pieces.some((other) => other !== piece && over(other.box) === heading);
  const parts: { heading: PlacedSegment | undefined; words: Word[] }[] = [];
  for (const word of piece.words) {
    const heading = over(word.box);
    const last = parts.at(-1);
    if (last && (!heading || last.heading === heading)) last.words.push(word);
    else parts.push({ heading, words: [word] });
  }
  if (parts.some(({ heading }) => !heading || isTaken(heading))) return [piece];
  return parts.map(({ words }) => ({ ...piece, ...toSegment(words) }));
}

function toDraft(row: TextRow, headings: Heading[], all: PlacedSegment[]): Draft {
  const cells = new Map<ItemColumn, PlacedSegment[]>();
  for (const piece of row.pieces.flatMap((one) => partedByHeadings(one, row, all))) {
    const over = nearestHeading(piece, all);
    const heading = headings.find((candidate) => candidate.piece === over);
    if (heading) cells.set(heading.column, [...(cells.get(heading.column) ?? []), piece]);
  }
  const at = row.pieces[0]!.row;
  return { cells, start: at, row: at };
}

const textOf = (pieces: PlacedSegment[]): string => pieces.map((piece) => piece.text).join(' ');

function hasAmount(draft: Draft, reading: DocumentText): boolean {
  const value = draft.cells.get('amount') ?? draft.cells.get('unit_price');
  return value !== undefined && findAmounts(textOf(value), reading.decimal).some((amount) => !amount.percent);
}

/** Rows of the body: each row with an amount is an item, other rows continue the description above them. */
function collect(rows: TextRow[], headings: Heading[], all: PlacedSegment[], reading: DocumentText): Draft[] {
  const drafts: Draft[] = [];
  let before: PlacedSegment[] = [];
  for (const row of rows) {
    if (isFoot(row) || drafts.length >= maxItems) break;
    const draft = toDraft(row, headings, all);
    const description = draft.cells.get('description') ?? [];
    if (hasAmount(draft, reading)) {
      // Receipts print the name on the line above its figures.
      if (description.length === 0 && before.length > 0) draft.cells.set('description', before);
      drafts.push(draft);
      before = [];
    } else if (
      drafts.length > 0 &&
      description.length > 0 &&
      isNear(drafts.at(-1)!, description[0]!, reading)
    ) {
      const last = drafts.at(-1)!;
      last.row = draft.row;
      if (last.cells.has('description') && last.cells.get('description') !== before)
        last.cells.set('description', [...last.cells.get('description')!, ...description]);
      before = description;
    } else before = description.length > 0 ? description : row.pieces;
  }
  return drafts;
}

function isNear(draft: Draft, piece: PlacedSegment, reading: DocumentText): boolean {
  const above = reading.rows[piece.row - 1]!;
  const pitch = piece.baseline - above.pieces[0]!.baseline;
  return above.page === piece.page && pitch < 2.2 * piece.size && piece.row === draft.row + 1;
}

function toCell(
  column: ItemColumn,
  pieces: PlacedSegment[],
  reading: DocumentText,
): FieldEntry<Scalar> | null {
  const raw = textOf(pieces);
  const page = pieces[0]!.page;
  const box = unionBox(pieces.map((piece) => piece.box));
  const base: FieldMatch = { value: raw, raw, confidence: 0.85, rule: 'column', page, box };
  if (!numericColumns.has(column)) return toEntry(base);
  const amounts = findAmounts(raw, reading.decimal);
  const amount = amounts.at(-1);
  if (!amount) return null;
  const money = column !== 'quantity' && column !== 'tax_rate';
  const currency = money && reading.currency ? { currency: reading.currency } : {};
  return toEntry({ ...base, value: amount.value, ...currency });
}

function toItem(draft: Draft, reading: DocumentText): LineItem {
  const item: LineItem = {};
  for (const [column, pieces] of draft.cells) {
    const cell = toCell(column, pieces, reading);
    const rate = column === 'tax' && /%/.test(textOf(pieces));
    if (cell) item[rate ? 'tax_rate' : column] = cell;
  }
  const [quantity, price, amount] = [item.quantity?.value, item.unit_price?.value, item.amount?.value];
  if (typeof quantity === 'number' && typeof price === 'number' && typeof amount === 'number') {
    const agrees = Math.abs(quantity * price - amount) <= Math.max(0.02, 0.011 * quantity);
    for (const cell of [item.quantity!, item.unit_price!, item.amount!])
      cell.confidence = agrees ? 0.98 : 0.7;
  }
  return item;
}

export interface LineItems {
  items: LineItem[];
  found: FieldMatch<string> | null;
  /** Sum of the amounts, if every item has one. */
  sum: number | null;
}

/** Items below every heading row; a table that goes on over pages repeats its heading. */
export function readLineItems(reading: DocumentText): LineItems {
  const byRow = new Map<number, Draft>();
  for (const [index, row] of reading.rows.entries()) {
    const pieces = headingPieces(reading.rows, index);
    const headings = headingsOf(pieces);
    if (headings.length === 0) continue;
    const body = reading.rows.slice(index + 1).filter((other) => other.page === row.page);
    const next = body.findIndex((other) => headingsOf(other.pieces.flatMap(splitHeading)).length > 0);
    // Two lines of one heading can each pass for it: the reading with more columns stays.
    for (const draft of collect(next < 0 ? body : body.slice(0, next), headings, pieces, reading))
      if (draft.cells.size > (byRow.get(draft.start)?.cells.size ?? 0)) byRow.set(draft.start, draft);
  }
  const drafts = [...byRow.values()].sort((a, b) => a.start - b.start);
  const items = drafts
    .map((draft) => toItem(draft, reading))
    .filter((item) => item.description || item.code || item.quantity);
  if (items.length === 0) return { items: [], found: null, sum: null };
  const pieces = drafts.flatMap((draft) => [...draft.cells.values()].flat());
  const page = pieces[0]!.page;
  const box = unionBox(pieces.filter((piece) => piece.page === page).map((piece) => piece.box));
  const amounts = items.map((item) => item.amount?.value);
  const sum = amounts.every((value) => typeof value === 'number') ? amounts.reduce((a, b) => a + b, 0) : null;
  return { items, sum, found: { value: '', raw: '', confidence: 0.8, rule: 'column', page, box } };
}
