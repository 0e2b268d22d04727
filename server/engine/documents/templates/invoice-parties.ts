/** Seller and buyer: names, addresses and their registration numbers. */

import { blockBelow } from '../fields/blocks.ts';
import { findDates } from '../fields/dates.ts';
import type { Found, Piece, Reading } from '../fields/reading.ts';
import { findRegistrations, type Registration, type RegistrationKind } from '../fields/registrations.ts';
import { unionBox } from '../layout/page.ts';
import { withHeading } from './invoice-heading.ts';
import { headingOf } from './invoice-items.ts';
import { amountRules, buyerLabels, companyWords, sellerLabels, shopWords } from './invoice-words.ts';

export interface Party {
  name: Found<string> | null;
  address: Found<string> | null;
  registrations: Partial<Record<RegistrationKind, Found<string>>>;
}

const contact =
  /\b(?:tin|tel|fax|phone|tél|e-?mail|www|http|gst|sst|vat|tva|btw|iban|bic|swift|co\.?\s*reg|reg\.?\s*no|company\s*no|roc|hotline|h\/p|kvk|nip|siret|site|website|ust-?id)\b|@/i;
const title =
  /^\W*(?:(?:simplified\s+)?tax\s+invoice|invoice|receipt|official\s+receipt|cash\s*(?:bill|sales?|receipt)|bill|invois|inbois|resit|rechnung|facture|factuur|faktura|发票|sales|welcome|reprint|copy|original|page\b.*|seite\b.*)\W*$/i;
const otherLabel = /^[\p{L} ./'’-]{2,24}\s*[:：]/u;
const addressSign =
  /\b(?:no\.?|lot|jalan|jln|lorong|taman|tmn|persiaran|kampung|kg|bandar|seksyen|section|floor|level|unit|block|blok|street|st\.|road|rd|avenue|ave|rue|straße|str\.|weg|ul\.|plaza|wisma|menara|p\.?o\.?\s*box|cedex|batu|mukim|pusat|town|desa|suite)\b|\d{4,6}\b|路|街|号|省|市|區|区/i;

/** `12 High Street`, `Weena 664`: a house number before or behind the street. */
const houseNumber = /^\d+\s?[A-Z]?[,\s]\s?\p{L}|^\p{L}[\p{L} .'-]{2,}\s\d{1,4}\s?[a-zA-Z]?$/u;

const text = (pieces: Piece[]): string =>
  pieces
    .map((piece) => piece.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

const found = (pieces: Piece[], confidence: number): Found<string> => ({
  value: text(pieces),
  raw: pieces.map((piece) => piece.text).join('\n'),
  confidence,
  page: pieces[0]!.page,
  box: unionBox(pieces.map((piece) => piece.box)),
});

const isTitle = (line: string): boolean => title.test(line.trim());
const isMostlyDigits = (line: string): boolean =>
  line.replace(/\D/g, '').length > 0.4 * line.replace(/\s/g, '').length;

/** How much a line near the top looks like the name of the company that issued the paper. */
function nameScore(piece: Piece, reading: Reading, typicalSize: number): number {
  const line = piece.text;
  if (
    isTitle(line) ||
    headingOf(line) ||
    addressEnd.test(line) ||
    contact.test(line) ||
    isMostlyDigits(line) ||
    line.replace(/[^\p{L}]/gu, '').length < 3
  )
    return 0;
  if (/^\p{Ll}/u.test(line) || (/\.\s*$/.test(line) && !companyWords.test(line))) return 0;
  if (otherLabel.test(line) || findDates(line, reading.dayOrder).length > 0 || line.length > 90) return 0;
  const height = piece.baseline / piece.page.height;
  let score = 0.3;
  // The foot of a page often names a bank, a franchise owner or the maker of the software.
  if (companyWords.test(line)) score += height > 0.5 ? 0.15 : 0.5;
  else if (shopWords.test(line)) score += 0.3;
  if (addressSign.test(line) && !companyWords.test(line)) score -= 0.25;
  score += Math.min(0.25, 0.18 * (piece.size / typicalSize - 1));
  score += 0.15 * (1 - Math.min(1, piece.row / 8));
  if (height > 0.5) score += hasLegalNotice(piece, reading) ? 0.25 : -0.15;
  if (piece.page.number !== reading.rows[0]!.page.number) score -= 0.3;
  return score;
}

const registrationLine =
  /^\W*(?:\d{12}\s*\(.*|[A-Z]{0,3}\d{5,12}(?:\s?-?\s?[A-Z])?|(?:b\.?r\.?|co\.?|reg\.?|company|roc)\s*(?:reg\.?)?\s*no\b.*|\(.*\d{4,}.*\))\W*$/i;
const aside = /^(?:\(?formerly|licensee|dimiliki|owned\s+by|member\s+of|a\s+division)/i;
const phone =
  /(?:\s*(?:\b(?:t|f|tel|fax|ph|hp|h\/p)\b\.?\s*:?)?\s*[+(]?0\d{1,2}\)?\s?[-–]\s?\d{3,4}\s?[-\s]?\d{3,5}.*)$/i;
const addressEnd =
  /^(?:served|cashier|counter|table|terminal|pos|bill|invoice|inv|receipt|order|trn|doc|ref|date|time|rechnung|page|seite|attn|resit|tarikh|waiter|slip|mid|tid)\b/i;

const addressLabel = /^(?:[\p{L}]+\s+){0,2}(?:address|addr?|alamat|adresse|adres)\.?\s*[:：]\s*/iu;

/** Whether a line ends the address above it. */
const endsAddress = (line: string): boolean =>
  contact.test(line) ||
  isTitle(line) ||
  addressEnd.test(line.trim()) ||
  sellerLabels.test(line) ||
  buyerLabels.test(line) ||
  /\d{1,2}:\d{2}/.test(line) ||
  (otherLabel.test(line) && !addressSign.test(line)) ||
  (/\d[.,]\d{2}\b/.test(line) && amountRules.some(({ pattern }) => pattern.test(line)));

function addressLines(block: Piece[]): Piece[] {
  const lines: Piece[] = [];
  for (const piece of block) {
    const line = piece.text.trim();
    if (registrationLine.test(line) || aside.test(line)) {
      if (lines.some((other) => addressSign.test(other.text))) break;
      continue;
    }
    if (endsAddress(line)) {
      if (lines.some((other) => addressSign.test(other.text) || houseNumber.test(other.text))) break;
      // The name of a branch stands between the company and its numbers.
      lines.length = 0;
      continue;
    }
    const address = line.replace(phone, '').replace(addressLabel, '');
    if (address !== '') lines.push(address === line ? piece : { ...piece, text: address });
    if (phone.test(line)) break;
  }
  const first = lines.findIndex((piece) => addressSign.test(piece.text) || houseNumber.test(piece.text));
  const last = lines.findLastIndex((piece) => addressSign.test(piece.text) || /,|\d/.test(piece.text));
  if (first < 0) return [];
  const kept = lines.slice(first, last + 1);
  // The line after the last sure one may be a city, a state or a country alone.
  const tail = lines[last + 1];
  if (tail && /^[\p{L} .,()]{3,30}$/u.test(tail.text)) kept.push(tail);
  return kept;
}

const suffixOnly =
  /^\W*(?:\(m\)\s*)?(?:sdn\.?\s*bhd|bhd|berhad|enterprise|trading|limited|ltd|plt|s\/b)\W*$/i;

/** A name may break before its suffix, or inside brackets. */
function nameLines(block: Piece[]): Piece[] {
  const [first, second] = block;
  if (!first) return [];
  if (second && /^\(.*\)$/.test(first.text)) return [second];
  const open = first.text.includes('(') && !first.text.includes(')');
  const wraps =
    second && (open || suffixOnly.test(second.text)) && !addressSign.test(second.text.replace(/\(.*/, ''));
  return wraps ? [first, second] : [first];
}

/** Numbers of the company register behind the name, and till numbers before it, are not the name. */
function cleanName(name: Found<string>): Found<string> {
  const value = name.value
    .replace(
      /\s*\(?\b(?:co\.?\s*(?:reg\.?)?\s*(?:no)?\.?\s*:?\s*)?[A-Z]{0,2}\d{4,12}\s?-?\s?[A-Z]?\)?[,.\s]*$/i,
      '',
    )
    .replace(/^#\d+\s+/, '')
    .replace(/^[*\s]+|[*,\s]+$/g, '');
  return value.length > 2 ? { ...name, value } : name;
}

function partyFromBlock(block: Piece[], confidence: number): Party {
  const names = nameLines(block);
  const address = addressLines(block.slice(block.indexOf(names.at(-1)!) + 1));
  return {
    name: names.length > 0 ? cleanName(found(names, confidence)) : null,
    address: address.length > 0 ? found(address, confidence * 0.92) : null,
    registrations: {},
  };
}

/** The block behind or below a label such as `Bill to`. */
function labelledParty(reading: Reading, labels: RegExp): { party: Party; pieces: Piece[] } | null {
  for (const piece of reading.pieces) {
    const match = labels.exec(piece.text);
    if (!match) continue;
    const rest = piece.text.slice(match[0].length).trim();
    const right = reading.rows[piece.row]!.pieces[piece.order + 1];
    const starts: Piece[] = [];
    if (rest.length > 2) starts.push({ ...piece, text: rest });
    else {
      const below = blockBelow(piece, reading, 2)[1] ?? looseBelow(piece, reading);
      // `Buyer:  Name` goes on to the right, `Bill to` as a heading goes on below.
      if (right && /[:：]\s*$/.test(piece.text) && right.box[0] - piece.box[2] < 20 * piece.size)
        starts.push(right);
      if (below && Math.abs(below.box[0] - piece.box[0]) < 3 * piece.size) starts.push(below);
      if (right && right.box[0] - piece.box[2] < 12 * piece.size) starts.push(right);
      if (below) starts.push(below);
    }
    const start = starts.find(
      (candidate) =>
        !isTitle(candidate.text) &&
        !/[:：]\s*$/.test(candidate.text) &&
        candidate.text.replace(/[^\p{L}]/gu, '').length > 1 &&
        !buyerLabels.test(candidate.text) &&
        !sellerLabels.test(candidate.text),
    );
    if (!start) continue;
    const block = [start, ...blockBelow(start, reading).slice(1)];
    const clean = /^attn\.?:?\s*/i.test(start.text)
      ? [{ ...start, text: start.text.replace(/^attn\.?:?\s*/i, '') }, ...block.slice(1)]
      : block;
    return { party: partyFromBlock(clean, 0.9), pieces: block };
  }
  return null;
}

function looseBelow(piece: Piece, reading: Reading): Piece | undefined {
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page) return undefined;
  const candidate = next.pieces.find((other) => other.box[0] < piece.box[2] && other.box[2] > piece.box[0]);
  return candidate && candidate.baseline - piece.baseline < 3.5 * piece.size ? candidate : undefined;
}

/** The small line above the window of a letter: `Company - Street 1 - 12345 Town`. */
function senderLine(reading: Reading): { party: Party; pieces: Piece[] } | null {
  for (const piece of reading.pieces) {
    if (piece.baseline > 0.4 * piece.page.height || piece.row > 15) continue;
    const parts = piece.text.split(/\s+[-–·•|*]\s+/);
    if (parts.length < 3 || !companyWords.test(parts[0]!) || !/\b\d{4,6}\b/.test(parts.at(-1)!)) continue;
    const part = (value: string): Found<string> => ({ ...found([piece], 0.92), value, raw: value });
    const party = { name: part(parts[0]!), address: part(parts.slice(1).join(', ')), registrations: {} };
    return { party, pieces: [piece] };
  }
  return null;
}

const legalNotice =
  /\b(?:au\s+capital|siret|siren|r\.?c\.?s|rsc|handelsregister|registergericht|amtsgericht|hrb|ust-?id|kvk|co\.?\s*reg|company\s+no|incorporated)\b/i;

/** The foot of a letter names its company above the legal notice. */
const hasLegalNotice = (piece: Piece, reading: Reading): boolean =>
  reading.rows
    .slice(piece.row + 1, piece.row + 4)
    .some((row) => row.page === piece.page && legalNotice.test(row.text));

/** A name without a label is never quite sure: of those that look best, four of five are exactly right. */
const maxUnlabelled = 0.85;

function unlabelledSeller(reading: Reading, taken: Set<number>): { party: Party; pieces: Piece[] } | null {
  const sizes = reading.pieces.map((piece) => piece.size).sort((a, b) => a - b);
  const typical = sizes[Math.floor(sizes.length / 2)] ?? 10;
  const sender = senderLine(reading);
  if (sender) return sender;
  let best: { piece: Piece; score: number } | null = null;
  for (const piece of reading.pieces) {
    if (taken.has(piece.row)) continue;
    const score = nameScore(piece, reading, typical);
    if (score > (best?.score ?? 0.25)) best = { piece, score };
  }
  if (!best) return null;
  const block = headBlock(best.piece, reading);
  return { party: partyFromBlock(block, Math.min(maxUnlabelled, best.score)), pieces: block };
}

/** A name that is only a suffix, or closes a bracket, began on the line above. */
function headBlock(piece: Piece, reading: Reading): Piece[] {
  const block = blockBelow(piece, reading, 10, 3);
  const above = reading.rows[piece.row - 1]?.pieces.find((other) => other.page === piece.page);
  const broken =
    suffixOnly.test(piece.text) ||
    /^\W*(?:enterprise|trading|restaurant|sdn|bhd|\()\b.*(?:bhd|s\/b)|^\(/i.test(piece.text) ||
    (piece.text.includes(')') && !piece.text.includes('('));
  return broken && above && !isTitle(above.text) && !isMostlyDigits(above.text) ? [above, ...block] : block;
}

/** European letters have the buyer in a window: a block of three to six lines with a postcode in the upper part. */
function windowBuyer(reading: Reading, taken: Set<number>): { party: Party; pieces: Piece[] } | null {
  for (const piece of reading.pieces) {
    if (piece.baseline > 0.42 * piece.page.height || taken.has(piece.row) || isTitle(piece.text)) continue;
    if (otherLabel.test(piece.text) || contact.test(piece.text) || isMostlyDigits(piece.text)) continue;
    const left = reading.rows[piece.row]!.pieces[piece.order - 1];
    if (left && (/[:：]\s*$/.test(left.text) || piece.box[0] - left.box[2] < 3 * piece.size)) continue;
    const block = blockBelow(piece, reading);
    if (
      block.length < 3 ||
      block.length > 6 ||
      block.some((line) => contact.test(line.text) || /[:：]/.test(line.text))
    )
      continue;
    if (!block.slice(1).some((line) => /\b\d{4,6}\b|\bhong kong\b|\bsingapore\b/i.test(line.text))) continue;
    return { party: partyFromBlock(block, 0.7), pieces: block };
  }
  return null;
}

const toFound = (registration: Registration): Found<string> => ({
  value: registration.value,
  raw: registration.raw,
  confidence: registration.confidence,
  page: registration.piece.page,
  box: registration.piece.box,
});

/** A number belongs to the buyer if it stands in or right under the buyer's block, else to the seller. */
function shareRegistrations(
  reading: Reading,
  seller: Party,
  buyer: { party: Party; pieces: Piece[] } | null,
): void {
  const inBuyer = (piece: Piece): boolean => {
    if (!buyer) return false;
    const box = unionBox(buyer.pieces.map((line) => line.box));
    const size = buyer.pieces[0]!.size;
    return (
      piece.page === buyer.pieces[0]!.page &&
      piece.baseline > box[1] &&
      piece.baseline < box[3] + 4 * size &&
      piece.box[0] < box[2] &&
      piece.box[2] > box[0]
    );
  };
  for (const registration of findRegistrations(reading)) {
    const owner = inBuyer(registration.piece) ? buyer!.party : seller;
    owner.registrations[registration.kind] ??= toFound(registration);
  }
}

export function readParties(page: Reading): { seller: Party; buyer: Party } {
  const nobody: Party = { name: null, address: null, registrations: {} };
  if (page.rows.length === 0) return { seller: nobody, buyer: { ...nobody, registrations: {} } };
  const reading = withHeading(page);
  const labelledBuyer = labelledParty(reading, buyerLabels);
  const labelledSeller = labelledParty(reading, sellerLabels);
  const taken = new Set((labelledBuyer?.pieces ?? []).map((piece) => piece.row));
  const seller = labelledSeller ?? unlabelledSeller(reading, taken);
  for (const piece of seller?.pieces ?? []) taken.add(piece.row);
  const buyer = labelledBuyer ?? windowBuyer(reading, taken);
  const parties = {
    seller: seller?.party ?? nobody,
    buyer: buyer?.party ?? { ...nobody, registrations: {} },
  };
  shareRegistrations(reading, parties.seller, buyer);
  return parties;
}
