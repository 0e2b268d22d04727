/** The document around the lines of a party: what each line is, and the page's edges, sizes, titles and buyer. */

import { findDates } from '../../../../quantities/dates.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { DocumentText, PlacedSegment } from '../../../fields/reading.ts';
import { median } from '../../../layout/median.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { headingOf } from '../invoice-items.ts';
import { isPriced } from './party-address.ts';
import { isAddressLike, isGreeting, isTitle } from './party-lines.ts';
import { bestName, headBlock, nameLines, ownWords } from './party-name.ts';
import { isSenderLine } from './sender-lines.ts';

/** Rows from the top of the first page, and from the end of the document, in which a party is looked for. */
const headRows = 30;
const footRows = 14;
export const postcode =
  /\b\d{4,6}\b|\b\d{2}-\d{3}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b|\b[A-Z]\d[\dW]\s[A-Z\d]{4}\b|\b[A-Z]\d[A-Z]\s\d[A-Z]\d\b|\b\d{3} \d{2} (?=[A-ZÅÄÖČŘŠŽĽ])/;
export const registrationLike =
  /\d{5,12}\s?-\s?[A-Z]\b|\b(?:19|20)\d{10}\b|\b(?:co|reg|company|roc|brn)\b.{0,12}\bno\b|^\W*[A-Z]{1,3}\d{6,9}/i;
export const phoneLike = /(?:\+?\d[\s()/.·-]{0,3}){8,}/;
export const countryTail = /^[\p{L} .,()']{3,30}$/u;

/** Names in addresses of web and mail, those without `www` too. */
const domainName =
  /(?:@|[wW]{3}\.|https?:\/\/(?:www\.)?)([\p{L}\d-]{3,})\.|(?<![\p{L}\d@.])([\p{Ll}\d-]{3,})\.(?:com?|net|org|\p{Ll}{2})(?:\.\p{Ll}{2})?(?![\p{L}\d])/gu;

export interface LineFacts {
  text: string;
  company: boolean;
  shop: boolean;
  contact: boolean;
  title: boolean;
  label: boolean;
  address: boolean;
  addressEnd: boolean;
  postcode: boolean;
  registration: boolean;
  /** A number of a register or of taxes, with the word for it. */
  notice: boolean;
  phone: boolean;
  priced: boolean;
  date: boolean;
  heading: boolean;
  greeting: boolean;
  buyerLabel: boolean;
  sellerLabel: boolean;
  owner: boolean;
  deliveryLabel: boolean;
  /** A label of a party or a place and nothing else, which names nobody. */
  onlyLabel: boolean;
  attention: boolean;
  honorific: boolean;
  sender: boolean;
  tail: boolean;
  department: boolean;
  building: boolean;
  signature: boolean;
  trade: boolean;
  /** Words that tell neither a trade nor a legal form. */
  ownWords: number;
}

/** A label whose colon stands in a column of its own, in front of what it tells. */
const isBeforeColon = ({ row, order }: PlacedSegment, { rows }: DocumentText): boolean =>
  /^\s*[:：]/.test(rows[row]!.pieces[order + 1]?.text ?? '');

function factsOf(piece: PlacedSegment, reading: DocumentText): LineFacts {
  const { parties } = documentWords();
  const text = piece.text.trim();
  return {
    text,
    company: parties.company.test(text),
    shop: parties.shop.test(text),
    contact: parties.contact.test(text),
    title: isTitle(text),
    label: parties.other_label.test(text) || isBeforeColon(piece, reading),
    address: isAddressLike(text),
    addressEnd: parties.address_end.test(text),
    postcode: postcode.test(text),
    registration: registrationLike.test(text),
    notice: parties.notice_word.test(text) && /\d{4}/.test(text),
    phone: phoneLike.test(text),
    priced: isPriced(piece, reading) || /\d[.,]\d{2}(?!\d)/.test(text),
    date: findDates(text, reading.dayOrder).length > 0 || /\d{1,2}:\d{2}/.test(text),
    heading: headingOf(text) !== null,
    greeting: isGreeting(text),
    buyerLabel: parties.buyer_label.test(text),
    sellerLabel: parties.seller_label.test(text),
    owner: parties.owner_label.test(text),
    deliveryLabel: parties.delivery_label.test(text),
    onlyLabel: [parties.buyer_label, parties.seller_label, parties.delivery_label].some(
      (label) => label.exec(text)?.[0].length === text.length,
    ),
    attention: parties.attention.test(text),
    honorific: parties.honorific.test(text),
    sender: isSenderLine(text),
    tail: countryTail.test(text),
    department: parties.department.test(text),
    building: parties.building.test(text),
    signature: parties.signature.test(text),
    trade: parties.trade.test(text) || parties.shop.test(text),
    ownWords: ownWords(text),
  };
}

/** Place of a line in its block of lines, and of the block among those that have an address. */
export interface BlockPlace {
  block: number;
  line: number;
  lines: number;
  /** Number of the block among those with an address; null: it has none. */
  at: number | null;
  contact: boolean;
  /** It tells a number of a register or of taxes. */
  notice: boolean;
  attention: boolean;
}

/** The document around its lines: sizes, edges, titles, the buyer's block, the names in addresses of web and mail. */
export interface PartyContext {
  reading: DocumentText;
  facts: Map<PlacedSegment, LineFacts>;
  blocks: Map<PlacedSegment, BlockPlace>;
  /** Blocks that have an address, and those of them that tell how to reach whom they name, or a number of a register. */
  addressed: number;
  told: number;
  size: number;
  largest: number;
  left: number;
  right: number;
  titleRow: number;
  buyerRow: number;
  buyer: ReadonlySet<PlacedSegment>;
  domains: string[];
  /** Pieces at the right of a label whose characters stand below each other. */
  stacked: ReadonlyMap<PlacedSegment, 'buyer' | 'seller'>;
  /** The lines that the rules of heads take for the name. */
  byRule: readonly PlacedSegment[];
  /** The text in the largest print. */
  sign: string;
  /** Some line of the head or foot has a legal form. */
  formed: boolean;
  plainLines: string[];
  lowerLines: string[];
  /** Numbers of the lines that have a word, in small letters. */
  linesOf: ReadonlyMap<string, readonly number[]>;
  repeats: Map<string, number>;
}

/** Characters of a label that stand below each other are of one column at most so far apart, in font sizes. */
const stackedAside = 0.5;
const maxStacked = 8;

/** Whom labels name whose characters stand below each other, as on Chinese invoices: of each piece at the right of such a label. */
function stackedParties({ pieces, rows }: DocumentText): Map<PlacedSegment, 'buyer' | 'seller'> {
  const { buyer_label, seller_label } = documentWords().parties;
  const found = new Map<PlacedSegment, 'buyer' | 'seller'>();
  const letters = pieces.filter(({ text }) => /^\p{Script=Han}$/u.test(text.trim()));
  const isLetter = new Set(letters);
  const seen = new Set<PlacedSegment>();
  for (const first of letters) {
    if (seen.has(first)) continue;
    const stack = letters.filter(
      ({ page, row, box, size }) =>
        page === first.page &&
        row >= first.row &&
        row < first.row + maxStacked &&
        Math.abs(box[0] - first.box[0]) < stackedAside * size,
    );
    for (const piece of stack) seen.add(piece);
    const label = `${stack.map(({ text }) => text.trim()).join('')}:`;
    const party = buyer_label.test(label) ? 'buyer' : seller_label.test(label) ? 'seller' : null;
    if (stack.length < 2 || !party) continue;
    const [top, foot] = [stack[0]!, stack.at(-1)!];
    // Lines beside a label begin above its first letter or end below its last: rows of both need not be the same.
    for (const { pieces: line } of rows.slice(Math.max(0, top.row - 1), foot.row + 2)) {
      const right = line.find(
        (piece) => piece.box[0] > top.box[2] && piece.page === first.page && !isLetter.has(piece),
      );
      const isBeside =
        right && right.baseline > top.box[1] - top.size && right.box[1] < foot.baseline + foot.size;
      if (isBeside && !found.has(right)) found.set(right, party);
    }
  }
  return found;
}

export const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** The largest words of the head that are neither title nor amount. */
function signOf(pieces: readonly PlacedSegment[], facts: Map<PlacedSegment, LineFacts>): string {
  const words = pieces.filter((piece) => {
    const { title, priced, label } = facts.get(piece)!;
    return piece.row < headRows / 2 && /\p{L}{2}/u.test(piece.text) && !title && !priced && !label;
  });
  return (
    words.reduce<PlacedSegment | null>((top, piece) => (top && top.size >= piece.size ? top : piece), null)
      ?.text ?? ''
  );
}

const maxBlockLines = 9;

/** True for a block that tells how to reach whom it names, or a number of a register. */
export const isTold = ({ contact, notice }: Pick<BlockPlace, 'contact' | 'notice'>): boolean =>
  contact || notice;

/** Each line's place in its block, and how many blocks have an address. */
function placesInBlocks(
  reading: DocumentText,
  facts: Map<PlacedSegment, LineFacts>,
): Pick<PartyContext, 'blocks' | 'addressed' | 'told'> {
  const blocks = new Map<PlacedSegment, BlockPlace>();
  let [count, addressed, told] = [0, 0, 0];
  for (const start of reading.pieces) {
    if (blocks.has(start)) continue;
    const block = blockBelow(start, reading, maxBlockLines).filter((piece) => !blocks.has(piece));
    const lines = block.map((piece) => facts.get(piece)!);
    const isAddressed = block.length > 1 && lines.some(({ address, priced }) => address && !priced);
    const place = {
      block: count++,
      lines: block.length,
      at: isAddressed ? addressed++ : null,
      contact: lines.some(({ contact, phone }) => contact || phone),
      notice: lines.some(({ notice, registration }) => notice || registration),
      attention: lines.some(({ attention, honorific }) => attention || honorific),
    };
    if (isAddressed && isTold(place)) told++;
    for (const [line, piece] of block.entries()) blocks.set(piece, { ...place, line });
  }
  return { blocks, addressed, told };
}

const words = /[\p{L}\d'’]+/gu;

/** Scripts that leave no blanks between words. */
const unspaced = /[\u2e80-\u9fff]/;
const minTelling = 4;

/** Numbers of the lines that may have a name: those with its first word that tells it from others. */
export function linesWith(name: string, { linesOf, lowerLines }: PartyContext): readonly number[] {
  const word = name
    .toLowerCase()
    .match(words)
    ?.find(({ length }) => length >= minTelling);
  if (word === undefined) return [];
  if (!unspaced.test(word)) return linesOf.get(word) ?? [];
  return lowerLines.flatMap((line, at) => (line.includes(word) ? [at] : []));
}

/** Lines by the words they have, so that those with a name are found without a look at all. */
function linesByWord(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [at, line] of lines.entries())
    for (const word of new Set(line.match(words) ?? [])) {
      const own = found.get(word) ?? [];
      found.set(word, own);
      own.push(at);
    }
  return found;
}

export function partyContext(reading: DocumentText, buyer: readonly PlacedSegment[]): PartyContext {
  const { pieces } = reading;
  const facts = new Map(pieces.map((piece) => [piece, factsOf(piece, reading)]));
  const repeats = new Map<string, number>();
  for (const { text } of pieces) repeats.set(plain(text), (repeats.get(plain(text)) ?? 0) + 1);
  const domains = [...reading.text.matchAll(domainName)].map(([, named, bare]) => plain(named ?? bare!));
  const taken = new Set(buyer);
  const best = bestName(reading, taken);
  const rowOf = (test: (piece: PlacedSegment) => boolean): number =>
    pieces.find(test)?.row ?? reading.rows.length;
  const lowerLines = pieces.map(({ text }) => text.toLowerCase());
  return {
    reading,
    facts,
    ...placesInBlocks(reading, facts),
    size: median(pieces.map((piece) => piece.size)),
    largest: Math.max(...pieces.map((piece) => piece.size)),
    left: Math.min(...pieces.map((piece) => piece.box[0])),
    right: Math.max(...pieces.map((piece) => piece.box[2])),
    titleRow: rowOf((piece) => facts.get(piece)!.title),
    buyerRow: rowOf((piece) => documentWords().parties.buyer_label.test(piece.text)),
    buyer: taken,
    domains,
    stacked: stackedParties(reading),
    sign: signOf(pieces, facts),
    formed: pieces.some((piece) => !taken.has(piece) && facts.get(piece)!.company),
    plainLines: pieces.map(({ text }) => plain(text)),
    lowerLines,
    linesOf: linesByWord(lowerLines),
    byRule: best ? nameLines(headBlock(best.piece, reading)) : [],
    repeats,
  };
}

export function starts({ reading }: PartyContext): PlacedSegment[] {
  const { rows, pieces } = reading;
  const first = rows[0]?.page;
  return pieces.filter(
    ({ row, page, text }) =>
      /\p{L}/u.test(text) && ((page === first && row < headRows) || row >= rows.length - footRows),
  );
}
