/** The name of who issued a paper: which line it is, and where it begins and ends. */

import { findDates } from '../../../../quantities/dates.ts';
import { overlap } from '../../../../vision/geometry.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { DocumentText, PlacedSegment } from '../../../fields/reading.ts';
import { derivedPattern } from '../../../vocabulary/derived-pattern.ts';
import { documentWords } from '../../../vocabulary/words.ts';

import { headingOf } from '../invoice-items.ts';
import { isPriced } from './party-address.ts';
import { isAddressLike, isGreeting, isMostlyDigits, isTitle, isUnitNumber } from './party-lines.ts';

const legalNotice =
  /\b(?:au\s+capital|siret|siren|r\.?c\.?s|rsc|handelsregister|registergericht|amtsgericht|hrb|ust-?id|kvk|co\.?\s*reg|company\s+no|incorporated)\b/i;

/** The foot of a letter names its company above the legal notice. */
const hasLegalNotice = (piece: PlacedSegment, reading: DocumentText): boolean =>
  reading.rows
    .slice(piece.row + 1, piece.row + 4)
    .some((row) => row.page === piece.page && legalNotice.test(row.text));

/** `Owned by: X`, right below the sign over the shop. */
const ownerLabel = /^\W*(?:dimiliki(?:\s+oleh)?|own(?:ed)?\s+by)\s*[:：]?\s*/i;

const isNoName = (line: string): boolean =>
  isTitle(line) ||
  line.split(/\s+/).every((word) => headingOf(word) !== null) ||
  headingOf(line) !== null ||
  (documentWords().parties.address_end.test(line) && !documentWords().parties.company.test(line)) ||
  documentWords().parties.contact.test(line) ||
  isGreeting(line) ||
  isUnitNumber(line) ||
  isMostlyDigits(line) ||
  line.replace(/[^\p{L}]/gu, '').length < 3;

/** The row of the title that stands below a whole letterhead; what follows is no longer the seller. */
function endOfHead({ rows }: DocumentText): number {
  const end = rows.findIndex(({ text }) => isTitle(text));
  const head = rows.slice(0, Math.max(0, end)).map(({ text }) => text);
  return head.some((line) => documentWords().parties.contact.test(line)) && head.some(isAddressLike)
    ? end
    : rows.length;
}

interface Head {
  typicalSize: number;
  end: number;
}

/** Likeness of a line near the top to the name of the company that issued the paper. */
function nameScore(piece: PlacedSegment, reading: DocumentText, { typicalSize, end }: Head): number {
  const line = piece.text;
  if (isNoName(line)) return 0;
  if (/^\p{Ll}/u.test(line) || (/\.\s*$/.test(line) && !documentWords().parties.company.test(line))) return 0;
  if (
    documentWords().parties.other_label.test(line) ||
    findDates(line, reading.dayOrder).length > 0 ||
    line.length > 90
  )
    return 0;
  const height = piece.baseline / piece.page.height;
  let score = 0.3;
  // The foot of a page often names a bank, a franchise owner or the maker of the software.
  if (documentWords().parties.company.test(line)) score += height > 0.5 ? 0.15 : 0.5;
  else if (documentWords().parties.shop.test(line)) score += 0.3;
  if (documentWords().parties.address_sign.test(line) && !documentWords().parties.company.test(line))
    score -= 0.25;
  score += Math.min(0.25, 0.18 * (piece.size / typicalSize - 1));
  score += 0.15 * (1 - Math.min(1, piece.row / 8));
  if (height > 0.5) score += hasLegalNotice(piece, reading) ? 0.25 : -0.15;
  if (piece.row > end) score -= 0.3;
  if (piece.page.number !== reading.rows[0]!.page.number) score -= 0.3;
  return score;
}

/** The line that most looks like the seller's name, and how much it does. */
export function bestName(
  reading: DocumentText,
  taken: ReadonlySet<PlacedSegment>,
): { piece: PlacedSegment; score: number } | null {
  const sizes = reading.pieces.map((piece) => piece.size).sort((a, b) => a - b);
  const head = { typicalSize: sizes[Math.floor(sizes.length / 2)] ?? 10, end: endOfHead(reading) };
  let best: { piece: PlacedSegment; score: number } | null = null;
  for (const piece of reading.pieces) {
    if (taken.has(piece) || isPriced(piece, reading)) continue;
    const score = nameScore(piece, reading, head);
    if (score > (best?.score ?? 0.25)) best = { piece, score };
  }
  return best;
}

const suffixOnly =
  /^\W*(?:\(m\)\s*)?(?:sdn\.?\s*bhd|bhd|berhad|enterprise|trading|limited|ltd|plt|s\/b)\W*$/i;
/** A line that begins so goes on with the name of the line above, which says whose. */
const tradeFirst = derivedPattern(
  ({ source }) => new RegExp(`^\\W*(?:sdn|bhd|berhad|${source.replaceAll('\\b', '')})\\b`, 'iu'),
);

const goesOnWithTrade = (line: string): boolean => tradeFirst(documentWords().parties.shop).test(line);

const everywhere = derivedPattern(({ source }) => new RegExp(source, 'giu'));
/** A text without what matches any of the patterns. */
const without = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((left, pattern) => left.replace(everywhere(pattern), ' '), text);

/** True if no words are left of a text but for some that tell no name, and joints such as `(M)` and `Co`. */
const isNothingBut = (text: string, patterns: readonly RegExp[]): boolean =>
  !/\p{L}/u.test(without(text, patterns).replace(/\(m\)|\bco\b/giu, ''));

/** True if a line is nothing but trades and legal forms, as `ELECTRICAL SDN BHD`: the name began above it. */
export function isOnlyTrade(line: string): boolean {
  const { shop, company } = documentWords().parties;
  return isNothingBut(line, [shop, company]);
}

/** True if a text is nothing but a legal form, as `GmbH & Co. KG`. */
export function isOnlyForm(text: string): boolean {
  const { company } = documentWords().parties;
  return company.test(text) && isNothingBut(text, [company]);
}

/** Signs between the parts of a legal form, as in `Pte. Ltd.` and `GmbH & Co. KG`. */
const formJoint = /^[\s.,()-]*(?:&\s?co\b\.?\s*)?/iu;

/** The end of the legal form that a line goes on behind, as `X LLP is a partnership`; null where none does. */
export function endOfForm(line: string): number | null {
  const { company } = documentWords().parties;
  const first = company.exec(line);
  if (!first || first.index === 0) return null;
  let end = first.index + first[0].length;
  for (;;) {
    const from = end + formJoint.exec(line.slice(end))![0].length;
    const next = company.exec(line.slice(from));
    if (next?.index !== 0 || next[0] === '') break;
    end = from + next[0].length;
  }
  if (line[end] === '.') end++;
  return /\p{L}/u.test(line.slice(end)) ? end : null;
}

/** Number of words of a name that tell neither its trade nor its form. */
export function ownWords(name: string): number {
  const { company, shop, trade, body } = documentWords().parties;
  return (without(name, [company, shop, trade, body]).match(/\p{L}{2,}/gu) ?? []).length;
}

/** True if a line begins with a trade or a legal form, as the second line of a broken name does. */
export const beginsWithTrade = (line: string): boolean => suffixOnly.test(line) || goesOnWithTrade(line);

const minSharedWord = 4;

/** `Jiawei Restaurant` over `Jiawei House`: the sign and the firm, told as one. */
function namesTheSame(above: string, below: string): boolean {
  if (/[\d,]/.test(above + below)) return false;
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const [own, others] = [words(above), new Set(words(below))];
  const shared = own.filter((word) => others.has(word));
  return shared.length < own.length && shared.some((word) => word.length >= minSharedWord);
}

/** True if a name, `named` from the lower line on, breaks between two lines of like print. */
function breaksBetween(above: PlacedSegment, below: PlacedSegment, named = below.text): boolean {
  const like = Math.max(above.size, below.size) < 1.35 * Math.min(above.size, below.size);
  const near = below.baseline - above.baseline < 2.4 * Math.max(above.size, below.size);
  const shared = overlap(above.box[0], above.box[2], below.box[0], below.box[2]);
  if (above.page !== below.page || !near || shared <= 0) return false;
  const closes = /^[^(]*\)/.test(below.text);
  if (closes || suffixOnly.test(below.text)) return true;
  if (like && namesTheSame(above.text, below.text)) return true;
  return (
    like &&
    (/^\(/.test(below.text) || goesOnWithTrade(below.text)) &&
    documentWords().parties.company.test(named)
  );
}

/** The name's lines and the block below them; a name that began further up is followed there. */
export function headBlock(piece: PlacedSegment, reading: DocumentText): PlacedSegment[] {
  const block = blockBelow(piece, reading, 12, 3.4);
  let [first, named] = [piece, piece.text];
  for (;;) {
    const above = reading.rows[first.row - 1]?.pieces.find((other) => breaksBetween(other, first, named));
    if (!above || isNoName(above.text) || documentWords().parties.other_label.test(above.text)) return block;
    block.unshift(above);
    [first, named] = [above, `${above.text} ${named}`];
  }
}

/** Number of lines of a block that the name takes: it may break before its suffix or inside brackets. */
function nameLength(block: PlacedSegment[]): number {
  let count = 1;
  for (; count < Math.min(4, block.length); count++) {
    const text = block[count]!.text;
    const named = block
      .slice(0, count)
      .map((piece) => piece.text)
      .join(' ');
    const open = named.lastIndexOf('(') > named.lastIndexOf(')');
    const rest = block
      .slice(count, count + 2)
      .map((piece) => piece.text)
      .join(' ');
    const goesOn =
      (open && !documentWords().parties.address_sign.test(text.replace(/\(.*/, ''))) ||
      breaksBetween(block[count - 1]!, block[count]!, rest);
    if (!goesOn) break;
  }
  return count;
}

/** The lines of a block that name somebody. */
export function nameLines(block: PlacedSegment[]): PlacedSegment[] {
  const [first, second] = block;
  if (!first) return [];
  if (second && /^\(.*\)$/.test(first.text)) return [second];
  const owner = block
    .slice(1, 3)
    .find(({ text }) => ownerLabel.test(text) && documentWords().parties.company.test(text));
  if (owner) return [{ ...owner, text: owner.text.replace(ownerLabel, '') }];
  return block.slice(0, nameLength(block));
}

const registerNumber =
  /\s*[([]?\s*\b(?:(?:co\.?\s*(?=reg|no|:)|reg\b|company\b)\.?\s*(?:reg\.?)?\s*(?:no)?\.?\s*:?\s*)?[A-Z]{0,2}\d{5,12}\s?[-.]?\s?[A-Z]?[)\]]*[,.\s]*$/i;
/** Behind the legal form comes the number, and then what the company is known as. */
const behindForm = /(?<=\b(?:sdn\.?\s*bhd|berhad|bhd|s\/?b)\b\.?)\s*\(?\d{4,7}\s?-?\s?[A-Z]\b.*$/i;

const taxNumber = /\s*[([]?\s*\b(?:gst|sst|vat|tva|btw)\b[^\d]{0,14}\d{6}.*$/i;

/** A number in brackets, whatever stands before it there. */
const bracketedNumber = /\s*[([][^()[\]]*\d{4}[^()[\]]*[)\]]?[,.\s]*$/;

/** A number behind any word of registers and taxes. */
const noticeNumber = derivedPattern(
  ({ source }) => new RegExp(`(?<![\\s,;(-])[\\s,;(-]*(?:${source})[\\p{L}\\s.:：-]{0,14}\\d.*$`, 'iu'),
);

/** A text that a notice of the law was cut from: `X – SARL` of `X – SARL au capital de 8 000 €` is X, as the form begins the notice. */
export function withoutFormOfNotice(cut: string, text: string): string {
  const [end, form] = /\s+[–—-]\s+(\P{N}{2,12})$/u.exec(cut) ?? [];
  return cut !== text && form !== undefined && isOnlyForm(form) ? cut.slice(0, -end!.length) : cut;
}

function withoutNotice(text: string): string {
  const cut = text.replace(noticeNumber(documentWords().parties.notice_word), '');
  return withoutFormOfNotice(cut, text);
}

/** Numbers of the company register behind the name, and till numbers before it, are not the name. */
export function nameOnly(text: string): string {
  const name = withoutNotice(text.replace(taxNumber, ''))
    .replace(bracketedNumber, '')
    .replace(behindForm, '')
    .replace(registerNumber, '')
    .replace(/\s*[([]\s*(?:[)\]]\s*)*$/, '')
    .replace(/^#\d+\s+/, '')
    .replace(/^[:：*\s]+|[*,\s]+$/g, '');
  // Two numbers, the new and the old, may stand behind each other.
  return name === text ? name : nameOnly(name);
}
