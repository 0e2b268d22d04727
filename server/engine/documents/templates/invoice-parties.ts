/** Seller and buyer: names, addresses and their registration numbers. */

import { blockBelow } from '../fields/blocks.ts';
import { findDates } from '../fields/dates.ts';
import type { Found, Piece, Reading } from '../fields/reading.ts';
import { findRegistrations, type Registration, type RegistrationKind } from '../fields/registrations.ts';
import { unionBox } from '../layout/page.ts';
import { amountRules, buyerLabels, companyWords, sellerLabels, shopWords } from './invoice-words.ts';

export interface Party {
  name: Found<string> | null;
  address: Found<string> | null;
  registrations: Partial<Record<RegistrationKind, Found<string>>>;
}

const contact =
  /\b(?:tel|fax|phone|tél|e-?mail|www|http|gst|sst|vat|tva|btw|iban|bic|swift|co\.?\s*reg|reg\.?\s*no|company\s*no|roc|hotline|h\/p|kvk|nip|siret|site|website|ust-?id)\b|@/i;
const title =
  /^\W*(?:(?:simplified\s+)?tax\s+invoice|invoice|receipt|official\s+receipt|cash\s*(?:bill|sales?|receipt)|bill|invois|inbois|resit|rechnung|facture|factuur|faktura|发票|sales|welcome|reprint|copy|original|page\b.*|seite\b.*)\W*$/i;
const otherLabel = /^[\p{L} .\/'’-]{2,24}\s*[:：]/u;
const addressSign =
  /\b(?:no\.?|lot|jalan|jln|lorong|taman|tmn|persiaran|kampung|kg|bandar|seksyen|section|floor|level|unit|block|blok|street|st\.|road|rd|avenue|ave|rue|straße|str\.|weg|ul\.|plaza|wisma|menara|p\.?o\.?\s*box|cedex|batu|mukim|pusat|town|desa|suite)\b|\d{4,6}\b|路|街|号|省|市|區|区/i;

const text = (pieces: Piece[]): string => pieces.map((piece) => piece.text).join(' ').replace(/\s+/g, ' ').trim();

const found = (pieces: Piece[], confidence: number): Found<string> => ({
  value: text(pieces),
  raw: pieces.map((piece) => piece.text).join('\n'),
  confidence,
  page: pieces[0]!.page,
  box: unionBox(pieces.map((piece) => piece.box)),
});

const isTitle = (line: string): boolean => title.test(line.trim());
const isMostlyDigits = (line: string): boolean => line.replace(/\D/g, '').length > 0.4 * line.replace(/\s/g, '').length;

/** How much a line near the top looks like the name of the company that issued the paper. */
function nameScore(piece: Piece, reading: Reading, typicalSize: number): number {
  const line = piece.text;
  if (isTitle(line) || contact.test(line) || isMostlyDigits(line) || line.replace(/[^\p{L}]/gu, '').length < 3) return 0;
  if (otherLabel.test(line) || findDates(line, reading.dayOrder).length > 0 || line.length > 90) return 0;
  let score = 0.3;
  if (companyWords.test(line)) score += 0.5;
  else if (shopWords.test(line)) score += 0.3;
  if (addressSign.test(line) && !companyWords.test(line)) score -= 0.25;
  score += Math.min(0.25, 0.18 * (piece.size / typicalSize - 1));
  score += 0.15 * (1 - Math.min(1, piece.row / 8));
  const height = piece.baseline / piece.page.height;
  if (height > 0.5) score -= 0.15;
  if (piece.page.number !== reading.rows[0]!.page.number) score -= 0.3;
  return score;
}

function addressLines(block: Piece[]): Piece[] {
  const lines: Piece[] = [];
  for (const piece of block) {
    const line = piece.text;
    if (contact.test(line) || isTitle(line) || sellerLabels.test(line) || buyerLabels.test(line)) break;
    if (/^\(?\d{4,7}\s?-\s?[A-Z]\)?$/.test(line.trim()) || /^\([^)]*\d[^)]*\)$/.test(line.trim())) {
      if (lines.length > 0) break;
      continue;
    }
    if (otherLabel.test(line) && !addressSign.test(line)) break;
    if (/\d[.,]\d{2}\b/.test(line) && amountRules.some(({ pattern }) => pattern.test(line))) break;
    lines.push(piece);
  }
  const last = lines.findLastIndex((piece) => addressSign.test(piece.text) || /,|\d/.test(piece.text));
  const kept = lines.slice(0, last + 1);
  // The line after the last sure one may be a country or a state alone.
  const tail = lines[last + 1];
  if (tail && kept.length > 0 && /^[\p{L} .,()]{3,30}$/u.test(tail.text) && lines.length === last + 2) kept.push(tail);
  return kept.some((piece) => addressSign.test(piece.text)) ? kept : [];
}

function partyFromBlock(block: Piece[], confidence: number): Party {
  const [first, ...rest] = block;
  const address = addressLines(rest);
  return {
    name: first ? found([first], confidence) : null,
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
      if (below && Math.abs(below.box[0] - piece.box[0]) < 3 * piece.size) starts.push(below);
      if (right && right.box[0] - piece.box[2] < 12 * piece.size) starts.push(right);
      if (below) starts.push(below);
    }
    const start = starts.find((candidate) => !isTitle(candidate.text) && candidate.text.replace(/[^\p{L}]/gu, '').length > 1 && !buyerLabels.test(candidate.text) && !sellerLabels.test(candidate.text));
    if (!start) continue;
    const block = [start, ...blockBelow(start, reading).slice(1)];
    const clean = /^attn\.?:?\s*/i.test(start.text) ? [{ ...start, text: start.text.replace(/^attn\.?:?\s*/i, '') }, ...block.slice(1)] : block;
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

function unlabelledSeller(reading: Reading, taken: Set<number>): { party: Party; pieces: Piece[] } | null {
  const sizes = reading.pieces.map((piece) => piece.size).sort((a, b) => a - b);
  const typical = sizes[Math.floor(sizes.length / 2)] ?? 10;
  let best: { piece: Piece; score: number } | null = null;
  for (const piece of reading.pieces) {
    if (taken.has(piece.row)) continue;
    const score = nameScore(piece, reading, typical);
    if (score > (best?.score ?? 0.25)) best = { piece, score };
  }
  if (!best) return null;
  const block = blockBelow(best.piece, reading);
  return { party: partyFromBlock(block, Math.min(0.95, best.score)), pieces: block };
}

/** European letters have the buyer in a window: a block of three to six lines with a postcode in the upper part. */
function windowBuyer(reading: Reading, taken: Set<number>): { party: Party; pieces: Piece[] } | null {
  for (const piece of reading.pieces) {
    if (piece.baseline > 0.42 * piece.page.height || taken.has(piece.row) || isTitle(piece.text)) continue;
    if (otherLabel.test(piece.text) || contact.test(piece.text) || isMostlyDigits(piece.text)) continue;
    const block = blockBelow(piece, reading);
    if (block.length < 3 || block.length > 6 || block.some((line) => contact.test(line.text) || otherLabel.test(line.text))) continue;
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
function shareRegistrations(reading: Reading, seller: Party, buyer: { party: Party; pieces: Piece[] } | null): void {
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

export function readParties(reading: Reading): { seller: Party; buyer: Party } {
  const nobody: Party = { name: null, address: null, registrations: {} };
  if (reading.rows.length === 0) return { seller: nobody, buyer: { ...nobody, registrations: {} } };
  const labelledBuyer = labelledParty(reading, buyerLabels);
  const labelledSeller = labelledParty(reading, sellerLabels);
  const taken = new Set((labelledBuyer?.pieces ?? []).map((piece) => piece.row));
  const seller = labelledSeller ?? unlabelledSeller(reading, taken);
  for (const piece of seller?.pieces ?? []) taken.add(piece.row);
  const buyer = labelledBuyer ?? windowBuyer(reading, taken);
  const parties = { seller: seller?.party ?? nobody, buyer: buyer?.party ?? { ...nobody, registrations: {} } };
  shareRegistrations(reading, parties.seller, buyer);
  return parties;
}
