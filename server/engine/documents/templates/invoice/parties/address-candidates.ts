/** Runs of lines that may be the seller's address, with what speaks for and against each. */

import { findDates } from '../../../../quantities/dates.ts';
import { overlap } from '../../../../vision/geometry.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { PlacedSegment } from '../../../fields/reading.ts';
import type { Features } from '../../../scoring/boosted-trees.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { isItemsHead } from '../invoice-items.ts';
import { addressLines, isPriced } from './party-address.ts';
import {
  countryTail,
  type PartyContext,
  phoneLike,
  postcode,
  registrationLike,
  starts,
} from './party-context.ts';
import { isAddressLike, isTitle } from './party-lines.ts';
import { isOnlyForm } from './party-name.ts';
import {
  clamp,
  flag,
  isPlainLine,
  type LineRun,
  maxPitch,
  placeFeatures,
  sharedRows,
  shareOf,
} from './place-features.ts';
import { addressesInLine, addressOnly } from './sender-lines.ts';

const maxAddressLines = 6;
/** Labels stand at most so many font sizes before what they name. */
const maxLabelGap = 12;

interface Named {
  name: readonly PlacedSegment[];
  nameValue: string;
  /** The lines of its column below it. */
  below: readonly PlacedSegment[];
  /** The lines that the rules take for the address below it. */
  byRule: readonly PlacedSegment[];
}

interface AddressRun {
  value: string;
  pieces: PlacedSegment[];
  lines: string[];
  /** A part of one line. */
  part: boolean;
}

const maxGapBehind = 24;

/** Letters between the end of a name and the beginning of an address on its line. */
function gapBehind(address: string, name: string, line: string): number {
  const from = line.indexOf(name);
  const to = from < 0 ? -1 : line.indexOf(address.split(/\s/)[0]!, from + name.length);
  return to < 0 ? maxGapBehind + 1 : Math.min(maxGapBehind, to - from - name.length);
}

/** Features of a run that depend on whose address is looked for. */
function namedFeatures(
  { pieces, value }: Pick<LineRun, 'pieces' | 'value'>,
  { name, nameValue, below, byRule }: Named,
  context: PartyContext,
): Features {
  const { blocks, facts } = context;
  const at = below.indexOf(pieces[0]!);
  const skipped = below.slice(0, Math.max(0, at)).map((piece) => facts.get(piece)!);
  const first = pieces[0]!;
  const [named, lastNamed] = [name[0], name.at(-1)];
  return {
    byRule: sharedRows(pieces, byRule),
    fromName: lastNamed ? clamp(first.row - lastNamed.row, 15) : 16,
    sharesColumn: named ? flag(overlap(first.box[0], first.box[2], named.box[0], named.box[2]) > 0) : 0,
    sameBlock: flag(named !== undefined && blocks.get(named)?.block === blocks.get(first)!.block),
    samePage: flag(named?.page === first.page),
    coversName: flag(pieces.some((piece) => name.includes(piece))),
    behindName: named && first === lastNamed ? gapBehind(value, nameValue, first.text) : maxGapBehind + 1,
    skipped: at,
    skippedPlain: skipped.filter((line) => isPlainLine(line)).length,
    skippedHouses: skipped.filter((line) => line.building).length,
    skippedPersons: skipped.filter((line) => line.honorific || line.attention || line.department).length,
    skippedNumbers: skipped.filter((line) => line.contact || line.phone || line.registration).length,
  };
}

/** The piece at the left of a line, where it is near. */
function labelBeside(
  { row, order, box, size }: PlacedSegment,
  { reading }: PartyContext,
): PlacedSegment | undefined {
  const left = reading.rows[row]!.pieces[order - 1];
  return left && box[0] - left.box[2] < maxLabelGap * size ? left : undefined;
}

function isPartyLabel(label: PlacedSegment | undefined, { facts }: PartyContext): boolean {
  const own = label && facts.get(label)!;
  return own !== undefined && (own.buyerLabel || own.sellerLabel || own.deliveryLabel);
}

/** True for a line beside a label of its own. */
function isLabelled(piece: PlacedSegment, context: PartyContext): boolean {
  const label = labelBeside(piece, context);
  return label !== undefined && (context.facts.get(label)!.label || isPartyLabel(label, context));
}

function addressFeatures({ value, pieces, lines, part }: AddressRun, context: PartyContext): Features {
  const facts = pieces.map((piece) => context.facts.get(piece)!);
  const { parties } = documentWords();
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
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
    part: flag(part),
    labelled: flag(parties.address_label.test(first.text)),
    addressLines: cleaned.filter((line) => line.address).length,
    addressShare: cleaned.filter((line) => line.address || line.tail).length / cleaned.length,
    firstAddress: flag(cleaned[0]!.address),
    lastAddress: flag(cleaned.at(-1)!.address),
    lastTail: flag(cleaned.at(-1)!.tail),
    firstHouse: flag(parties.unit_number.test(lines[0]!) || parties.house_word.test(lines[0]!)),
    firstPlain: flag(isPlainLine(facts[0]!)),
    firstBuilding: flag(facts[0]!.building),
    firstPerson: flag(facts[0]!.honorific || facts[0]!.attention),
    firstDepartment: flag(facts[0]!.department),
    firstTrade: flag(facts[0]!.trade),
    secondHouse: flag(
      lines.length > 1 && (parties.street_and_number.test(lines[1]!) || parties.unit_number.test(lines[1]!)),
    ),
    labelledLater: flag(pieces.slice(1).some((piece) => isLabelled(piece, context))),
    labelledAddress: flag(parties.address_label.test(`${labelBeside(first, context)?.text.trim() ?? ''}:`)),
    department: flag(facts.some((line) => line.department)),
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
    partyLabel: flag(facts.some((line) => line.buyerLabel || line.sellerLabel)),
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

/** Letters beside a date that is all of its line. */
const maxBesideDate = 2;

/** A date alone, or a labelled amount, is of no address though it stands right below one. */
function endsColumn({ text }: PlacedSegment, { reading }: PartyContext): boolean {
  const [date] = findDates(text, reading.dayOrder);
  if (date && text.replace(date.raw, '').replace(/[^\p{L}]/gu, '').length <= maxBesideDate) return true;
  return /[:：]\s*\p{Sc}?\s?\d[\d.,]*[.,]\d{2}$/u.test(text.trim());
}

/** True for a text with a date that is no address without it: the year looks like a postcode. */
function isOnlyDated(value: string, { reading }: PartyContext): boolean {
  const [date] = findDates(value, reading.dayOrder);
  return date !== undefined && !isAddressLike(value.replace(date.raw, ' '));
}

/** Print of an address differs by less than this from line to line: what is larger is a sign. */
export const maxSizes = 1.9;

/** Stars and numbers around a title, as tills print them: `** 7 TAX INVOICE **`. */
const noise = /^\P{L}+|\P{L}+$/gu;

/** Runs of one to six lines that may be an address, without what tells whose. */
function addressRuns(context: PartyContext): LineRun[] {
  const { reading } = context;
  return starts(context).flatMap((start) => {
    const column = blockBelow(start, reading, maxAddressLines, maxPitch);
    // Goods and titles are in no address, and beside the label of a party another begins.
    const end = column.findIndex(
      (piece, at) =>
        isPriced(piece, reading) ||
        context.facts.get(piece)!.title ||
        (at > 0 && isTitle(piece.text.replace(noise, ''))) ||
        (at > 0 && (isItemsHead(reading.rows[piece.row]!.pieces) || endsColumn(piece, context))) ||
        (at > 0 && isPartyLabel(labelBeside(piece, context), context)),
    );
    const block = end < 0 ? column : column.slice(0, end);
    if (block.length === 0 || isOnlyForm(start.text)) return [];
    const lines = block.map(({ text }) => addressOnly(text.trim()));
    const runs = block.map((_, index) => ({
      pieces: block.slice(0, index + 1),
      lines: lines.slice(0, index + 1),
      part: false,
    }));
    for (const line of addressesInLine(start.text)) runs.push({ pieces: [start], lines: [line], part: true });
    return runs.flatMap((run) => {
      const value = run.lines.filter((line) => line !== '').join(' ');
      if (value.length < 5 || run.lines[0] === '' || run.lines.at(-1) === '') return [];
      if (sentence.test(value) || /[:：]\s*$/.test(value) || isOnlyDated(value, context)) return [];
      const sizes = run.pieces.map(({ size }) => size);
      if (Math.max(...sizes) > maxSizes * Math.min(...sizes)) return [];
      return [{ pieces: run.pieces, value, features: addressFeatures({ ...run, value }, context) }];
    });
  });
}

/** So many small words in a row, or a sentence behind a number, are of a notice: `… is open to inspection there`. */
const sentence = /(?:(?<!\p{L})\p{Ll}{2,}\s+){5}\p{Ll}{2,}|\d\.\s+\p{Lu}\p{Ll}+\s+\p{Ll}{2,}/u;

const runsOf = new WeakMap<PartyContext, LineRun[]>();

/** Runs of one to six lines that may be the address of whom the given lines name. */
export function addressCandidates(
  { pieces: name, value: nameValue }: Pick<LineRun, 'pieces' | 'value'>,
  context: PartyContext,
): LineRun[] {
  const { reading } = context;
  const known = runsOf.get(context) ?? addressRuns(context);
  runsOf.set(context, known);
  const below = name.length > 0 ? blockBelow(name.at(-1)!, reading, 12, 3.4).slice(1) : [];
  const named = { name, nameValue, below, byRule: addressLines(below, reading) };
  return known.map((run) => ({
    ...run,
    features: { ...run.features, ...namedFeatures(run, named, context) },
  }));
}
