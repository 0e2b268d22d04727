/** Runs of lines that may be the seller's name, with what speaks for and against each. */

import { blockBelow } from '../../../fields/blocks.ts';
import type { PlacedSegment } from '../../../fields/reading.ts';
import type { Features } from '../../../scoring/boosted-trees.ts';
import { documentWords } from '../../../vocabulary/words.ts';
import { echoFeatures } from './name-echoes.ts';
import { type LineFacts, linesWith, type PartyContext, plain, starts } from './party-context.ts';
import { isAddressLike } from './party-lines.ts';
import { beginsWithTrade, isOnlyForm, isOnlyTrade, nameOnly, ownWords } from './party-name.ts';
import {
  flag,
  type LineRun,
  lineAbove,
  maxPitch,
  nextLine,
  placeFeatures,
  sharedRows,
  shareOf,
} from './place-features.ts';
import {
  beginsWithLabel,
  endsWithLabel,
  isFormNotice,
  type LinePart,
  namesInLine,
  numberBefore,
} from './sender-lines.ts';

const maxNameLines = 4;

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

/** Lines that a name may head. */
const headedLines = 8;
const headedPitch = 2.2;

/** Lines of the column below a name to the first of which something holds; `headedLines` where none does. */
function linesTo(
  below: readonly PlacedSegment[],
  { facts }: PartyContext,
  holds: (facts: LineFacts) => boolean,
): number {
  const at = below.findIndex((piece) => holds(facts.get(piece)!));
  return at < 0 ? headedLines : at;
}

/** `M. Castell`: a person with the first letter of a name. */
const initialed = /^(?:\p{Lu}\.?\s?){1,3}\p{Lu}[\p{L}'’-]+$/u;

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

/** Print of about one size, as heavy, in capitals or not: lines of one name mostly are alike. */
function isAlike(a: PlacedSegment | undefined, b: PlacedSegment | undefined): boolean {
  if (!a || !b) return false;
  const isUpper = ({ text }: PlacedSegment): boolean => !/\p{Ll}/u.test(text);
  const isBold = ({ words }: PlacedSegment): boolean => words.every(({ bold }) => bold);
  return (
    Math.max(a.size, b.size) < 1.2 * Math.min(a.size, b.size) &&
    isUpper(a) === isUpper(b) &&
    isBold(a) === isBold(b)
  );
}

const rowsWith = new WeakMap<PartyContext, Map<string, readonly number[]>>();

/** Rows of the lines that have a name in them, whatever its blanks and signs. */
function rowsWithName(word: string, context: PartyContext): readonly number[] {
  if (word.length < 4) return [];
  const known = rowsWith.get(context) ?? new Map<string, readonly number[]>();
  rowsWith.set(context, known);
  const { plainLines, reading } = context;
  const rows =
    known.get(word) ??
    plainLines.flatMap((line, at) => (line.includes(word) ? [reading.pieces[at]!.row] : []));
  known.set(word, rows);
  return rows;
}

/** More lines tell no more. */
const maxEchoes = 3;

/** Other lines that have the first telling word of a name, at most `maxEchoes`. */
function kinLines(name: string, pieces: readonly PlacedSegment[], context: PartyContext): number {
  const others = linesWith(name, context).filter((at) => !pieces.includes(context.reading.pieces[at]!));
  return Math.min(maxEchoes, others.length);
}

/** Length of what two texts begin with together. */
function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

interface NameRun {
  pieces: PlacedSegment[];
  /** Null for whole lines. */
  part: LinePart | null;
}

function nameFeatures(value: string, { pieces, part }: NameRun, context: PartyContext): Features {
  const { reading, facts, domains, repeats, largest, byRule } = context;
  const lines = pieces.map((piece) => facts.get(piece)!);
  const whole = value.trim();
  const word = plain(whole);
  const { parties } = documentWords();
  const [first, last] = [lines[0]!, lines.at(-1)!];
  const [above, below] = [lineAbove(pieces[0]!, reading), nextLine(pieces.at(-1)!, reading)];
  const echoed = rowsWithName(word, context);
  const headed = blockBelow(pieces.at(-1)!, reading, headedLines, headedPitch).slice(1);
  const allWords = whole.split(/\s+/);
  const widthOf = ({ box }: PlacedSegment): number => Math.max(1, box[2] - box[0]);
  return {
    ...placeFeatures(pieces, context),
    ...echoFeatures(value, pieces, context),
    byRule: sharedRows(pieces, byRule),
    owned: flag(part?.owned ?? false),
    part: part ? 1 + part.at : 0,
    behindBuyer: flag(part?.label === 'buyer'),
    behindSeller: flag(part?.label === 'seller'),
    ownerLine: flag(first.owner),
    formed: flag(context.formed),
    ofSign: sharedWords(context.sign, whole),
    toSign: sharedWords(whole, context.sign),
    within: Math.min(4, echoed.length),
    colon: flag(/[:：]/.test(whole)),
    ofLargest: pieces[0]!.size / largest,
    bold: flag(pieces[0]!.words.every(({ bold }) => bold)),
    company: flag(parties.company.test(whole)),
    companyFirst: flag(first.company && pieces.length > 1),
    companyLast: flag(last.company),
    shop: flag(parties.shop.test(whole)),
    shopLast: flag(last.shop),
    trade: flag(parties.trade.test(whole)),
    body: flag(parties.body.test(whole)),
    personal: flag(parties.honorific.test(whole)),
    address: lines.filter((line) => line.address && !line.company).length,
    contact: flag(lines.some((line) => line.contact)),
    phone: flag(lines.some((line) => line.phone)),
    title: flag(lines.some((line) => line.title)),
    label: flag(lines.some((line) => line.label)),
    partyLabel: flag(lines.some((line) => line.buyerLabel || line.sellerLabel)),
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
    words: Math.min(12, allWords.length),
    lower: flag(/^\p{Ll}/u.test(whole)),
    onlyTrade: flag(isOnlyTrade(pieces[0]!.text)),
    earlier: Math.min(maxEchoes, echoed.filter((row) => row < pieces[0]!.row).length),
    later: Math.min(maxEchoes, echoed.filter((row) => row > pieces.at(-1)!.row).length),
    kin: kinLines(whole, pieces, context),
    ofDomain: Math.max(0, ...domains.map((domain) => sharedStart(domain, word) / domain.length)),
    bracketed: flag(/^\(.*\)$/.test(last.text)),
    closes: flag(unopened.test(whole)),
    tradeFirst: flag(beginsWithTrade(first.text)),
    ownWords: Math.min(6, part ? ownWords(whole) : lines.reduce((sum, line) => sum + line.ownWords, 0)),
    alike: flag(pieces.every((piece, at) => at === 0 || isAlike(pieces[at - 1], piece))),
    aboveAlike: flag(isAlike(above, pieces[0])),
    aboveOpen: flag(above !== undefined && opening.test(above.text)),
    aboveWidth: above ? Math.min(4, widthOf(above) / widthOf(pieces[0]!)) : 0,
    aboveShared: sharedWords(above?.text ?? '', whole),
    belowAlike: flag(isAlike(below, pieces.at(-1))),
    belowTrade: flag(below !== undefined && beginsWithTrade(below.text)),
    belowWidth: below ? Math.min(4, widthOf(below) / widthOf(pieces.at(-1)!)) : 0,
    belowShared: sharedWords(below?.text ?? '', whole),
    open: flag(opening.test(whole) || (whole.match(/\(/g) ?? []).length > (whole.match(/\)/g) ?? []).length),
    stop: flag(/[.!]$/.test(whole)),
    domain: flag(domains.some((domain) => word.includes(domain) || domain.includes(word.slice(0, 8)))),
    repeats: Math.min(4, repeats.get(plain(pieces[0]!.text)) ?? 0),
    linesToAddress: linesTo(headed, context, (line) => line.address && !line.company),
    linesToPostcode: linesTo(headed, context, (line) => line.postcode && line.address),
    linesToContact: linesTo(headed, context, (line) => line.contact || line.phone),
    linesToPriced: linesTo(headed, context, (line) => line.priced || line.date),
    headed: headed.length,
    initialed: flag(initialed.test(whole)),
    small: allWords.filter((each) => /^\p{Ll}/u.test(each)).length / allWords.length,
    department: flag(first.department),
    signature: flag(lines.some((line) => line.signature)),
    belowTradeWord: flag(below !== undefined && facts.get(below)!.trade),
    aboveTradeWord: flag(above !== undefined && facts.get(above)!.trade),
    toAddress: rowsTo(pieces.at(-1)!, context, (line) => line.address && !line.company),
    toContact: rowsTo(pieces.at(-1)!, context, (line) => line.contact),
    toPostcode: rowsTo(pieces.at(-1)!, context, (line) => line.postcode && line.address),
  };
}

/** `X Ltd, 22 Mill Lane, Leeds`: the name of it is a candidate of its own. */
function hasAddressBehind(name: string): boolean {
  const end = name.indexOf(',');
  const behind = name.slice(end);
  return end > 0 && /\d/.test(behind) && isAddressLike(behind) && !isAddressLike(name.slice(0, end));
}

/** True for a labelled amount. */
const isSumLine = (piece: PlacedSegment, { facts }: PartyContext): boolean =>
  facts.get(piece)!.priced &&
  documentWords().amounts.some(({ strength, pattern }) => strength === 1 && pattern.test(piece.text));

/** True for the label of a number or date and nothing else. */
const isHeaderLabel = (text: string): boolean =>
  Object.values(documentWords().labels)
    .flat()
    .some(({ pattern }) => {
      const found = pattern.exec(`${text}:`);
      return found?.index === 0 && found[0].length >= text.trim().length;
    });

/** True for words of forms that name nobody, and for a sentence that tells who trades under a name: its firm is told by `legal-name.ts`. */
function isNoName(text: string): boolean {
  const { no_name, trading_name_of, trading_as } = documentWords().parties;
  return no_name.test(text) || trading_name_of.test(text) || trading_as.test(text);
}

/** True for lines that begin or end with a label or title of several words, or go on with a notice of the law. */
const isMoreThanName = (pieces: readonly PlacedSegment[], text: string): boolean =>
  beginsWithLabel(text) || endsWithLabel(text) || pieces.slice(1).some((piece) => isFormNotice(piece.text));

/** Runs of one to four lines that may be the seller's name. */
export function nameCandidates(context: PartyContext): LineRun[] {
  const { reading } = context;
  return starts(context).flatMap((start) => {
    if (isSumLine(start, context)) return [];
    const block = blockBelow(start, reading, maxNameLines, maxPitch);
    const runs = block.map((_, index) => block.slice(0, index + 1));
    const texts: (NameRun & { text: string })[] = runs.map((pieces) => ({
      pieces,
      part: null,
      text: pieces
        .map(({ text }) => text)
        .join(' ')
        .replace(numberBefore, ''),
    }));
    const stacked = context.stacked.get(start);
    for (const part of namesInLine(start.text)) {
      const label = part.label ?? stacked ?? null;
      texts.push({ pieces: [start], part: { ...part, label }, text: part.text });
    }
    return texts.flatMap(({ pieces, part, text }) => {
      const value = nameOnly(text);
      if (value.replace(/[^\p{L}\d]/gu, '').length < 2 || isOnlyForm(value)) return [];
      if (isHeaderLabel(value) || hasAddressBehind(value) || isNoName(value)) return [];
      if (part === null && isMoreThanName(pieces, text)) return [];
      const below = nextLine(pieces.at(-1)!, reading);
      const isCut = part === null && below !== undefined && isOnlyForm(below.text);
      if (isCut || (part === null && pieces.some((piece) => context.facts.get(piece)!.onlyLabel))) return [];
      const features = nameFeatures(value, { pieces, part }, context);
      // A trade with its legal form goes on with the name above it.
      const goesOn =
        features.onlyTrade === 1 &&
        features.abovePlain === 1 &&
        features.aboveGap! < maxPitch &&
        context.facts.get(pieces[0]!)!.company;
      return goesOn ? [] : [{ pieces, value, features }];
    });
  });
}
