/**
 * Line items.
 *
 * The heading row is found by its words; the rows below it are read by the columns that the headings stand over, until
 * the amounts at the foot begin. Works on ruled tables as well as on loose rows, since both keep to their headings.
 */

import { findAmounts } from '../../../quantities/numbers.ts';
import { type Box, overlap, unionBox } from '../../../vision/geometry.ts';
import type { Segment, Word } from '../../document.ts';
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
  const plain = clean.replace(/\s*[([（][^)\]）%]*[)\]）]$/, '');
  for (const candidate of new Set([clean, plain])) {
    const column = documentWords().itemColumns.find(({ pattern }) => pattern.test(candidate))?.kind;
    if (column) return column;
  }
  return null;
}

/** Longer lines are sentences. */
const maxHeadingWords = 14;
/** Words of one heading stand closer than this many font sizes. */
const blank = 0.4;

/** True for a heading that may go on with any words: `Description of …`. */
const isOpenHeading = (text: string, column: ItemColumn): boolean => headingOf(`${text} ~`) === column;

/** Headings that the words of a piece are made of, the fewest; null where some words are none. */
function headingParts(words: Word[]): Segment[] | null {
  /** By the number of words before: the fewest headings of the words behind. */
  const fewest: (Segment[] | null)[] = new Array(words.length + 1).fill(null);
  fewest[words.length] = [];
  for (let from = words.length - 1; from >= 0; from--) {
    for (let to = from + 1; to <= words.length; to++) {
      const rest = fewest[to];
      if (!rest) continue;
      const part = toSegment(words.slice(from, to));
      const column = headingOf(part.text);
      if (!column || swallows(part, column)) continue;
      if (!fewest[from] || rest.length + 1 < fewest[from]!.length) fewest[from] = [part, ...rest];
    }
  }
  return fewest[0]!;
}

/** True where an open heading takes the next one for its own words: `Description Qty`. */
function swallows({ words }: Segment, column: ItemColumn): boolean {
  for (let at = 1; at < words.length; at++) {
    if (!isOpenHeading(toSegment(words.slice(0, at)).text, column)) continue;
    for (let to = at + 1; to <= words.length; to++) {
      const other = headingOf(toSegment(words.slice(at, to)).text);
      if (other && other !== column) return true;
    }
  }
  return false;
}

/** Headings that stand close together come as one piece: they are parted where all its words are headings. */
function splitHeading(piece: PlacedSegment): PlacedSegment[] {
  if (piece.words.length < 2 || piece.words.length > maxHeadingWords) return [piece];
  const parts = headingParts(piece.words);
  if (!parts || parts.length < 2) return [piece];
  // Two words may be one heading of its own, such as `Jumlah Harga`.
  const isWide = parts.every(
    ({ box }, at) => at === 0 || box[0] - parts[at - 1]!.box[2] > blank * piece.size,
  );
  if (headingOf(piece.text) !== null && parts.length === 2 && !isWide) return [piece];
  return parts.map((part) => ({ ...piece, ...part }));
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

/** True for text that is nothing but headings of two columns or more: the head of a table. */
export function isTableHead(words: Word[]): boolean {
  const parts = words.length > maxHeadingWords ? null : headingParts(words);
  return new Set(parts?.map(({ text }) => headingOf(text))).size > 1;
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

/** True for the head of the table of goods. */
export const isItemsHead = (pieces: PlacedSegment[]): boolean => headingsOf(pieces).length > 0;

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

/** Numbers that end a run of words, each with its currency, and the words before them. */
function numbersBehind(words: Word[]): { before: Word[]; numbers: Word[][] } {
  const numbers: Word[][] = [];
  let end = words.length;
  while (end > 0 && isNumeric(words[end - 1]!.text)) {
    const sign = words[end - 2];
    const money = sign && !isNumeric(sign.text) ? `${sign.text} ${words[end - 1]!.text}` : '';
    const [amount] = money === '' ? [] : findAmounts(money, null);
    const from = amount?.currency && amount.raw === money ? end - 2 : end - 1;
    numbers.unshift(words.slice(from, end));
    end = from;
  }
  return { before: words.slice(0, end), numbers };
}

/** `Oak door 3 215.00` over three headings is a name, a quantity and a price: parted where its numbers stand over headings of their own. */
function partedByHeadings(piece: PlacedSegment, row: TextRow, all: PlacedSegment[]): PlacedSegment[] {
  const { before, numbers } = numbersBehind(piece.words);
  if (piece.words.length < 2 || numbers.length === 0) return [piece];
  const over = (box: Box): PlacedSegment | undefined =>
    all.find((heading) => overlap(box[0], box[2], heading.box[0], heading.box[2]) > 0);
  const isTaken = (heading: PlacedSegment): boolean =>
    row.pieces.some((other) => other !== piece && over(other.box) === heading);
  const parts: { heading: PlacedSegment | undefined; words: Word[] }[] = [];
  if (before.length > 0) parts.push({ heading: over(before[0]!.box), words: before });
  for (const words of numbers) {
    const heading = over(unionBox(words.map(({ box }) => box)));
    const last = parts.at(-1);
    if (last && (!heading || last.heading === heading)) last.words.push(...words);
    else parts.push({ heading, words });
  }
  if (parts.some(({ heading }) => !heading || isTaken(heading))) return [piece];
  return parts.map(({ words }) => ({ ...piece, ...toSegment(words) }));
}

/** True for headings no further apart than words: their columns are as narrow, and places tell little. */
const areNarrow = (all: PlacedSegment[]): boolean =>
  all.some(({ row, order }, at) => all[at - 1]?.row === row && all[at - 1]!.order === order);

/** Cells of a narrow table's row that ends in as many numbers as there are columns of numbers at its end; null for another. */
function cellsByOrder(row: TextRow, headings: Heading[], all: PlacedSegment[]): Draft['cells'] | null {
  if (!areNarrow(all)) return null;
  const columns = all.map((piece) => headings.find((heading) => heading.piece === piece)?.column);
  const last = columns.findLastIndex((column) => !column || !numericColumns.has(column));
  const { before, numbers } = numbersBehind(row.pieces.flatMap(({ words }) => words));
  if (last < 0 || numbers.length !== all.length - 1 - last || before.length === 0) return null;
  const piece = row.pieces[0]!;
  const cells: Draft['cells'] = new Map();
  const numbered = columns[0] === 'number' && before.length > 1 && last > 0;
  const name = columns[last];
  if (numbered) cells.set('number', [{ ...piece, ...toSegment(before.slice(0, 1)) }]);
  if (name) cells.set(name, [{ ...piece, ...toSegment(numbered ? before.slice(1) : before) }]);
  for (const [at, words] of numbers.entries())
    cells.set(columns[last + 1 + at]!, [{ ...piece, ...toSegment(words) }]);
  return last - (numbered ? 1 : 0) === 0 ? cells : null;
}

function toDraft(row: TextRow, headings: Heading[], all: PlacedSegment[]): Draft {
  const at = row.pieces[0]!.row;
  const inOrder = cellsByOrder(row, headings, all);
  if (inOrder) return { cells: inOrder, start: at, row: at };
  const cells: Draft['cells'] = new Map();
  for (const piece of row.pieces.flatMap((one) => partedByHeadings(one, row, all))) {
    const over = nearestHeading(piece, all);
    const heading = headings.find((candidate) => candidate.piece === over);
    if (heading) cells.set(heading.column, [...(cells.get(heading.column) ?? []), piece]);
  }
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
    if (drafts.length >= maxItems) break;
    const draft = toDraft(row, headings, all);
    // Goods may be called `Labour (hours)`: a row whose figures agree is no foot.
    if (isFoot(row) && !agrees(toItem(draft, reading))) break;
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
  const isRight = agrees(item);
  if (isRight !== null)
    for (const cell of [item.quantity!, item.unit_price!, item.amount!])
      cell.confidence = isRight ? 0.98 : 0.7;
  return item;
}

/** True if the amount is as many times the price; null where one of them is not told. */
function agrees(item: LineItem): boolean | null {
  const [quantity, price, amount] = [item.quantity?.value, item.unit_price?.value, item.amount?.value];
  if (typeof quantity !== 'number' || typeof price !== 'number' || typeof amount !== 'number') return null;
  return Math.abs(quantity * price - amount) <= Math.max(0.02, 0.011 * quantity);
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
