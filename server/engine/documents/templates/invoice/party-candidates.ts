/** Runs of lines that may be the seller's name or address, with what speaks for and against each. */

import { overlap, unionBox } from '../../../vision/geometry.ts';
import { blockBelow } from '../../fields/blocks.ts';
import { findDates } from '../../fields/dates.ts';
import type { DocumentText, PlacedSegment } from '../../fields/reading.ts';
import { median } from '../../layout/median.ts';
import type { Features } from '../../scoring/boosted-trees.ts';
import { documentWords } from '../../vocabulary/words.ts';
import { headingOf } from './invoice-items.ts';
import { addressLines, isPriced, withoutAsides } from './party-address.ts';
import { isAddressLike, isGreeting, isTitle } from './party-lines.ts';
import { beginsWithTrade, bestName, headBlock, isOnlyTrade, nameLines, nameOnly } from './party-name.ts';

export interface LineRun {
  pieces: PlacedSegment[];
  value: string;
  features: Features;
}

/** Rows from the top of the first page, and from the end of the document, in which a party is looked for. */
const headRows = 30;
const footRows = 8;
const maxNameLines = 3;
const maxAddressLines = 6;
/** Lines further apart than this many font sizes are not one run. */
const maxPitch = 3;

const postcode = /\b\d{4,6}\b|\b\d{2}-\d{3}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}\b/;
const registrationLike =
  /\d{5,12}\s?-\s?[A-Z]\b|\b(?:19|20)\d{10}\b|\b(?:co|reg|company|roc|brn)\b.{0,12}\bno\b|^\W*[A-Z]{1,3}\d{6,9}/i;
const phoneLike = /(?:\+?\d[\s()/-]?){8,}/;
const countryTail = /^[\p{L} .,()']{3,30}$/u;

const flag = (value: boolean): number => (value ? 1 : 0);
const shareOf = (text: string, pattern: RegExp): number =>
  (text.match(pattern) ?? []).length / Math.max(1, text.length);

interface LineFacts {
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
  phone: boolean;
  priced: boolean;
  date: boolean;
  heading: boolean;
  greeting: boolean;
  partyLabel: boolean;
  tail: boolean;
}

function factsOf(piece: PlacedSegment, reading: DocumentText): LineFacts {
  const { parties } = documentWords();
  const text = piece.text.trim();
  return {
    text,
    company: parties.company.test(text),
    shop: parties.shop.test(text),
    contact: parties.contact.test(text),
    title: isTitle(text),
    label: parties.other_label.test(text),
    address: isAddressLike(text),
    addressEnd: parties.address_end.test(text),
    postcode: postcode.test(text),
    registration: registrationLike.test(text),
    phone: phoneLike.test(text),
    priced: isPriced(piece, reading) || /\d[.,]\d{2}(?!\d)/.test(text),
    date: findDates(text, reading.dayOrder).length > 0 || /\d{1,2}:\d{2}/.test(text),
    heading: headingOf(text) !== null,
    greeting: isGreeting(text),
    partyLabel: parties.buyer_label.test(text) || parties.seller_label.test(text),
    tail: countryTail.test(text),
  };
}

/** The document around its lines: sizes, edges, titles, the buyer's block, the names in addresses of web and mail. */
export interface PartyContext {
  reading: DocumentText;
  facts: Map<PlacedSegment, LineFacts>;
  size: number;
  largest: number;
  left: number;
  right: number;
  titleRow: number;
  buyerRow: number;
  buyer: ReadonlySet<number>;
  domains: string[];
  /** The lines that the rules of heads take for the name. */
  byRule: readonly PlacedSegment[];
  repeats: Map<string, number>;
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

export function partyContext(reading: DocumentText, buyer: readonly PlacedSegment[]): PartyContext {
  const { pieces } = reading;
  const facts = new Map(pieces.map((piece) => [piece, factsOf(piece, reading)]));
  const repeats = new Map<string, number>();
  for (const { text } of pieces) repeats.set(plain(text), (repeats.get(plain(text)) ?? 0) + 1);
  const domains = [...reading.text.matchAll(/(?:@|www\.)([\p{L}\d-]{3,})\./giu)].map(([, name]) =>
    plain(name!),
  );
  const taken = new Set(buyer.map(({ row }) => row));
  const best = bestName(reading, taken);
  const rowOf = (test: (piece: PlacedSegment) => boolean): number =>
    pieces.find(test)?.row ?? reading.rows.length;
  return {
    reading,
    facts,
    size: median(pieces.map((piece) => piece.size)),
    largest: Math.max(...pieces.map((piece) => piece.size)),
    left: Math.min(...pieces.map((piece) => piece.box[0])),
    right: Math.max(...pieces.map((piece) => piece.box[2])),
    titleRow: rowOf((piece) => facts.get(piece)!.title),
    buyerRow: rowOf((piece) => documentWords().parties.buyer_label.test(piece.text)),
    buyer: taken,
    domains,
    byRule: best ? nameLines(headBlock(best.piece, reading)) : [],
    repeats,
  };
}

function starts({ reading }: PartyContext): PlacedSegment[] {
  const { rows, pieces } = reading;
  const first = rows[0]?.page;
  return pieces.filter(
    ({ row, page, text }) =>
      /\p{L}/u.test(text) && ((page === first && row < headRows) || row >= rows.length - footRows),
  );
}

const nextLine = (piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined =>
  blockBelow(piece, reading, 2, maxPitch)[1];

function lineAbove(piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  const row = reading.rows[piece.row - 1];
  if (!row || row.page !== piece.page) return undefined;
  return row.pieces.find(({ box }) => overlap(box[0], box[2], piece.box[0], piece.box[2]) > 0);
}

/** Rows to the first line below of which something holds, at most `limit`. */
function rowsTo(
  from: PlacedSegment,
  context: PartyContext,
  holds: (facts: LineFacts) => boolean,
  limit = 8,
): number {
  const { rows } = context.reading;
  for (let distance = 1; distance < limit; distance++) {
    const row = rows[from.row + distance];
    if (row?.pieces.some((piece) => holds(context.facts.get(piece)!))) return distance;
  }
  return limit;
}

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

/** Words and nothing that tells them from a name. */
const isPlain = (line: LineFacts): boolean =>
  !/\d/.test(line.text) &&
  ![
    line.title,
    line.greeting,
    line.contact,
    line.label,
    line.address,
    line.heading,
    line.partyLabel,
  ].includes(true);

/** Features that names and addresses share: the place of a run, and the lines around it. */
function placeFeatures(pieces: PlacedSegment[], context: PartyContext): Features {
  const { reading, facts, size, left, right, titleRow, buyerRow, buyer } = context;
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const box = unionBox(pieces.map((piece) => piece.box));
  const [above, below] = [lineAbove(first, reading), nextLine(last, reading)];
  const [before, after] = [above && facts.get(above), below && facts.get(below)];
  const width = Math.max(1, right - left);
  return {
    lines: pieces.length,
    row: Math.min(60, first.row),
    rowsLeft: Math.min(60, reading.rows.length - 1 - last.row),
    height: first.baseline / first.page.height,
    firstPage: flag(first.page === reading.rows[0]!.page),
    size: first.size / size,
    sizeRatio: last.size / first.size,
    x: (box[0] - left) / width,
    aside: Math.abs((box[0] + box[2] - left - right) / 2) / width,
    width: (box[2] - box[0]) / width,
    alone: reading.rows[first.row]!.pieces.length,
    inBuyer: flag(pieces.some(({ row }) => buyer.has(row))),
    fromBuyer: clamp(first.row - buyerRow, 20),
    fromTitle: clamp(first.row - titleRow, 20),
    aboveGap: above ? clamp((first.baseline - above.baseline) / first.size, 6) : 6,
    aboveSize: above ? above.size / first.size : 0,
    aboveTitle: flag(before?.title ?? false),
    aboveCompany: flag(before?.company ?? false),
    aboveAddress: flag(before?.address ?? false),
    aboveContact: flag(before?.contact ?? false),
    aboveRegistration: flag(before?.registration ?? false),
    abovePartyLabel: flag(before?.partyLabel ?? false),
    abovePlain: flag(before !== undefined && isPlain(before)),
    aboveNone: flag(above === undefined),
    belowGap: below ? clamp((below.baseline - last.baseline) / last.size, 6) : 6,
    belowSize: below ? below.size / last.size : 0,
    belowTitle: flag(after?.title ?? false),
    belowCompany: flag(after?.company ?? false),
    belowAddress: flag(after?.address ?? false),
    belowPostcode: flag((after?.postcode && after.address) ?? false),
    belowContact: flag((after?.contact || after?.phone) ?? false),
    belowRegistration: flag(after?.registration ?? false),
    belowLabel: flag(after?.label ?? false),
    belowPlain: flag(after !== undefined && isPlain(after)),
    belowTail: flag((after?.tail && !after.title && !after.label) ?? false),
    belowPriced: flag((after?.priced || after?.date) ?? false),
  };
}

/** Share of the rows of two runs that both have, 0 to 1. */
function sharedRows(own: readonly PlacedSegment[], other: readonly PlacedSegment[]): number {
  const rows = new Set([...own, ...other].map(({ row }) => row));
  const others = new Set(other.map(({ row }) => row));
  return new Set(own.map(({ row }) => row).filter((row) => others.has(row))).size / Math.max(1, rows.size);
}

/** A bracket closes that was not opened. */
const unopened = /^[^()]*\)/;

/** Share of the words of a line that a name has as well, 0 to 1. */
function sharedWords(line: string, name: string): number {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [];
  const own = words(line);
  const others = new Set(words(name));
  return own.filter((word) => others.has(word)).length / Math.max(1, own.length);
}

const opening = /[(,&-]\s*$/;

function nameFeatures(value: string, pieces: PlacedSegment[], context: PartyContext): Features {
  const { reading, facts, domains, repeats, largest, byRule } = context;
  const lines = pieces.map((piece) => facts.get(piece)!);
  const whole = value.trim();
  const word = plain(whole);
  const { parties } = documentWords();
  const [first, last] = [lines[0]!, lines.at(-1)!];
  return {
    ...placeFeatures(pieces, context),
    byRule: sharedRows(pieces, byRule),
    ofLargest: pieces[0]!.size / largest,
    bold: flag(pieces[0]!.words.every(({ bold }) => bold)),
    company: flag(parties.company.test(whole)),
    companyFirst: flag(first.company && pieces.length > 1),
    companyLast: flag(last.company),
    shop: flag(parties.shop.test(whole)),
    shopLast: flag(last.shop),
    address: lines.filter((line) => line.address && !line.company).length,
    contact: flag(lines.some((line) => line.contact)),
    phone: flag(lines.some((line) => line.phone)),
    title: flag(lines.some((line) => line.title)),
    label: flag(lines.some((line) => line.label)),
    partyLabel: flag(lines.some((line) => line.partyLabel)),
    addressEnd: flag(lines.some((line) => line.addressEnd && !line.company)),
    heading: flag(lines.some((line) => line.heading)),
    greeting: flag(lines.some((line) => line.greeting)),
    priced: flag(lines.some((line) => line.priced)),
    date: flag(lines.some((line) => line.date)),
    registration: flag(lines.some((line) => line.registration)),
    registrationLast: flag(last.registration && !last.company),
    cut: flag(
      whole !==
        pieces
          .map(({ text }) => text)
          .join(' ')
          .trim(),
    ),
    digits: shareOf(whole, /\d/g),
    upper: shareOf(whole.replace(/[^\p{L}]/gu, ''), /\p{Lu}/gu),
    length: Math.min(80, whole.length),
    words: Math.min(12, whole.split(/\s+/).length),
    lower: flag(/^\p{Ll}/u.test(whole)),
    bracketed: flag(/^\(.*\)$/.test(last.text)),
    closes: flag(unopened.test(whole)),
    tradeFirst: flag(beginsWithTrade(first.text)),
    aboveShared: sharedWords(lineAbove(pieces[0]!, reading)?.text ?? '', whole),
    belowShared: sharedWords(nextLine(pieces.at(-1)!, reading)?.text ?? '', whole),
    open: flag(opening.test(whole) || (whole.match(/\(/g) ?? []).length > (whole.match(/\)/g) ?? []).length),
    stop: flag(/[.!]$/.test(whole)),
    domain: flag(domains.some((domain) => word.includes(domain) || domain.includes(word.slice(0, 8)))),
    repeats: Math.min(4, repeats.get(plain(pieces[0]!.text)) ?? 0),
    toAddress: rowsTo(pieces.at(-1)!, context, (line) => line.address && !line.company),
    toContact: rowsTo(pieces.at(-1)!, context, (line) => line.contact),
    toPostcode: rowsTo(pieces.at(-1)!, context, (line) => line.postcode && line.address),
  };
}

/** `Operated by: X` names X; `X - Street 1 - 12345 Town` above a window names X first. */
const behindLabel = /^[\p{L} ]{2,24}[:：]\s*(?=[\p{L}\d])/u;
const senderParts = /\s+[-–·•|*]\s+/;

/** Runs of one to three lines that may be the seller's name. */
export function nameCandidates(context: PartyContext): LineRun[] {
  const { reading } = context;
  return starts(context).flatMap((start) => {
    const block = blockBelow(start, reading, maxNameLines, maxPitch);
    const runs = block.map((_, index) => block.slice(0, index + 1));
    const texts: [PlacedSegment[], string][] = runs.map((pieces) => [
      pieces,
      pieces.map(({ text }) => text).join(' '),
    ]);
    if (behindLabel.test(start.text)) texts.push([[start], start.text.replace(behindLabel, '')]);
    const parts = start.text.split(senderParts);
    if (parts.length > 2) texts.push([[start], parts[0]!]);
    return texts.flatMap(([pieces, text]) => {
      const value = nameOnly(text);
      if (value.replace(/[^\p{L}\d]/gu, '').length < 2) return [];
      const features = nameFeatures(value, pieces, context);
      const goesOn =
        features.abovePlain === 1 && features.aboveGap! < maxPitch && isOnlyTrade(pieces[0]!.text);
      return goesOn ? [] : [{ pieces, value, features }];
    });
  });
}

interface Named {
  name: readonly PlacedSegment[];
  /** The lines that the rules take for the address below it. */
  byRule: readonly PlacedSegment[];
}

function addressFeatures(
  { value, pieces, lines }: { value: string; pieces: PlacedSegment[]; lines: string[] },
  { name, byRule }: Named,
  context: PartyContext,
): Features {
  const facts = pieces.map((piece) => context.facts.get(piece)!);
  const { parties } = documentWords();
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  const [named, lastNamed] = [name[0], name.at(-1)];
  const cleaned = lines.map((line) => ({
    address: isAddressLike(line),
    postcode: postcode.test(line),
    tail: countryTail.test(line),
  }));
  const pitches = pieces
    .slice(1)
    .map((piece, index) => (piece.baseline - pieces[index]!.baseline) / piece.size);
  return {
    ...placeFeatures(pieces, context),
    byRule: sharedRows(pieces, byRule),
    fromName: lastNamed ? clamp(first.row - lastNamed.row, 15) : 16,
    sharesColumn: named ? flag(overlap(first.box[0], first.box[2], named.box[0], named.box[2]) > 0) : 0,
    samePage: flag(named?.page === first.page),
    coversName: flag(pieces.some((piece) => name.includes(piece))),
    addressLines: cleaned.filter((line) => line.address).length,
    addressShare: cleaned.filter((line) => line.address || line.tail).length / cleaned.length,
    firstAddress: flag(cleaned[0]!.address),
    lastAddress: flag(cleaned.at(-1)!.address),
    lastTail: flag(cleaned.at(-1)!.tail),
    firstHouse: flag(parties.unit_number.test(lines[0]!) || parties.house_word.test(lines[0]!)),
    firstStreet: flag(parties.street_and_number.test(lines[0]!)),
    postcodes: cleaned.filter((line) => line.postcode).length,
    postcodeLast: flag(cleaned.at(-1)!.postcode),
    afterPostcode: cleaned.length - 1 - cleaned.findLastIndex((line) => line.postcode),
    company: flag(facts.some((line) => line.company)),
    firstCompany: flag(facts[0]!.company),
    contact: flag(facts.some((line) => line.contact)),
    firstContact: flag(facts[0]!.contact),
    phone: flag(lines.some((line) => phoneLike.test(line))),
    title: flag(facts.some((line) => line.title)),
    label: flag(facts.some((line) => line.label)),
    registration: flag(lines.some((line) => registrationLike.test(line))),
    addressEnd: flag(facts.some((line) => line.addressEnd)),
    partyLabel: flag(facts.some((line) => line.partyLabel)),
    priced: flag(facts.some((line) => line.priced)),
    date: flag(facts.some((line) => line.date)),
    greeting: flag(facts.some((line) => line.greeting)),
    cut: flag(lines.some((line, index) => line !== pieces[index]?.text.trim())),
    commas: Math.min(8, (value.match(/,/g) ?? []).length),
    endsOpen: flag(/[,&-]$/.test(value)),
    length: Math.min(160, value.length),
    digits: shareOf(value, /\d/g),
    upper: shareOf(value.replace(/[^\p{L}]/gu, ''), /\p{Lu}/gu),
    pitch: Math.max(0, ...pitches),
    sizes: Math.max(...pieces.map(({ size }) => size)) / Math.min(...pieces.map(({ size }) => size)),
    lastWidth: (last.box[2] - last.box[0]) / Math.max(1, first.box[2] - first.box[0]),
  };
}

/** Runs of one to six lines that may be the address of whom the given lines name. */
export function addressCandidates(name: PlacedSegment[], context: PartyContext): LineRun[] {
  const { reading } = context;
  const below = name.length > 0 ? blockBelow(name.at(-1)!, reading, 12, 3.4).slice(1) : [];
  const named = { name, byRule: addressLines(below, reading) };
  return starts(context).flatMap((start) => {
    const column = blockBelow(start, reading, maxAddressLines, maxPitch);
    // Goods and titles are in no address.
    const end = column.findIndex((piece) => isPriced(piece, reading) || context.facts.get(piece)!.title);
    const block = end < 0 ? column : column.slice(0, end);
    if (block.length === 0) return [];
    const lines = block.map(({ text }) => withoutAsides(text.trim()));
    const runs = block.map((_, index) => ({
      pieces: block.slice(0, index + 1),
      lines: lines.slice(0, index + 1),
    }));
    const parts = start.text.split(senderParts);
    if (parts.length > 2) runs.push({ pieces: [start], lines: [parts.slice(1).join(', ')] });
    return runs.flatMap((run) => {
      const value = run.lines.filter((line) => line !== '').join(' ');
      if (value.length < 5 || run.lines[0] === '' || run.lines.at(-1) === '') return [];
      return [{ pieces: run.pieces, value, features: addressFeatures({ ...run, value }, named, context) }];
    });
  });
}
