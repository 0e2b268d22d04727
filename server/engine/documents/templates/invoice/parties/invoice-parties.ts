/** Seller and buyer: names, addresses and their registration numbers. */

import { overlap, unionBox } from '../../../../vision/geometry.ts';
import { blockBelow } from '../../../fields/blocks.ts';
import type { DocumentText, FieldMatch, PlacedSegment } from '../../../fields/reading.ts';
import { findRegistrations, type Registration } from '../../../fields/registrations.ts';
import { type Choice, choose } from '../../../scoring/boosted-trees.ts';
import type { RegistrationKind } from '../../../vocabulary/vocabulary.ts';
import { documentScoring, documentWords } from '../../../vocabulary/words.ts';

import { withHeading } from '../invoice-heading.ts';
import { addressCandidates } from './address-candidates.ts';
import { nameCandidates } from './name-candidates.ts';
import { addressLines } from './party-address.ts';
import { type PartyContext, partyContext } from './party-context.ts';
import { isMostlyDigits, isTitle } from './party-lines.ts';
import { cleanName, nameLines } from './party-name.ts';
import type { LineRun } from './place-features.ts';
import { isSenderLine } from './sender-lines.ts';

export interface Party {
  name: FieldMatch<string> | null;
  address: FieldMatch<string> | null;
  registrations: Partial<Record<RegistrationKind, FieldMatch<string>>>;
}

const text = (pieces: PlacedSegment[]): string =>
  pieces
    .map((piece) => piece.text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

const found = (pieces: PlacedSegment[], confidence: number): FieldMatch<string> => ({
  value: text(pieces),
  raw: pieces.map((piece) => piece.text).join('\n'),
  confidence,
  rule: 'block',
  page: pieces[0]!.page,
  box: unionBox(pieces.map((piece) => piece.box)),
});

function partyFromBlock(block: PlacedSegment[], reading: DocumentText, confidence: number): Party {
  const names = nameLines(block);
  const address = addressLines(
    block.slice(block.findIndex(({ row }) => row === names.at(-1)?.row) + 1),
    reading,
  );
  return {
    name: names.length > 0 ? cleanName(found(names, confidence)) : null,
    address: address.length > 0 ? found(address, confidence * 0.92) : null,
    registrations: {},
  };
}

/** `Sold by: BD1187 Muhammad`: who stood at the till. */
const staffCode = /^#?[A-Z]{0,3}-?\d{2,}\b/;

/** `Invoice Date` beside `Bill to`: the label of something else. */
const isHeaderLabel = (line: string): boolean =>
  Object.values(documentWords().labels)
    .flat()
    .some(({ pattern }) => pattern.exec(line)?.index === 0);

/** The block behind or below a label such as `Bill to`. */
function labelledParty(
  reading: DocumentText,
  labels: RegExp,
): { party: Party; pieces: PlacedSegment[] } | null {
  for (const piece of reading.pieces) {
    const match = labels.exec(piece.text);
    if (!match) continue;
    const rest = piece.text.slice(match[0].length).trim();
    const right = reading.rows[piece.row]!.pieces[piece.order + 1];
    const starts: PlacedSegment[] = [];
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
        !staffCode.test(candidate.text) &&
        !/[:：]\s*$/.test(candidate.text) &&
        candidate.text.replace(/[^\p{L}]/gu, '').length > 1 &&
        !documentWords().parties.buyer_label.test(candidate.text) &&
        !documentWords().parties.seller_label.test(candidate.text) &&
        !isHeaderLabel(candidate.text),
    );
    if (!start) continue;
    const block = [start, ...blockBelow(start, reading).slice(1)];
    const clean = /^attn\.?:?\s*/i.test(start.text)
      ? [{ ...start, text: start.text.replace(/^attn\.?:?\s*/i, '') }, ...block.slice(1)]
      : block;
    return { party: partyFromBlock(clean, reading, 0.9), pieces: block };
  }
  return null;
}

function looseBelow(piece: PlacedSegment, reading: DocumentText): PlacedSegment | undefined {
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page) return undefined;
  const candidate = next.pieces.find((other) => other.box[0] < piece.box[2] && other.box[2] > piece.box[0]);
  return candidate && candidate.baseline - piece.baseline < 3.5 * piece.size ? candidate : undefined;
}

/** Less sure choices are rather none. */
const minConfidence = 0.25;

/** A label that names the seller weighs more than less sure choices: the choice knows of labels as well. */
const minConfidenceBesideLabel = 0.6;

/** The name that looks most like the seller's, outside the addressee's window, and the address that looks most like that seller's, as was learnt. */
function chosenSeller(
  context: PartyContext,
  window: readonly PlacedSegment[],
): { party: Party; pieces: PlacedSegment[] } | null {
  const scoring = documentScoring();
  const textOfRun = ({ value }: LineRun): string => value;
  const names = nameCandidates(context).filter(
    ({ pieces }) => !pieces.some((piece) => window.includes(piece)),
  );
  const name = choose(scoring.name, names, textOfRun);
  if (!name || name.confidence < minConfidence) return null;
  const named = name.candidate.pieces;
  const address = choose(scoring.address, addressCandidates(named, context), textOfRun);
  const fieldOf = ({ candidate, confidence }: Choice<LineRun>): FieldMatch<string> => ({
    ...found(candidate.pieces, confidence),
    value: candidate.value.replace(/\s+/g, ' '),
  });
  const located = address && address.confidence >= minConfidence ? address : null;
  return {
    party: { name: fieldOf(name), address: located && fieldOf(located), registrations: {} },
    pieces: [...named, ...(located?.candidate.pieces ?? [])],
  };
}

/** Larger print than the sender's line above it, and lines that an addressee takes. */
const minWindowSize = 1.1;
const windowLines = { min: 2, max: 6 };

/** The addressee below a line of the sender in small print, as windows of envelopes show them. */
function windowBelowSender(reading: DocumentText): { party: Party; pieces: PlacedSegment[] } | null {
  for (const sender of reading.pieces) {
    if (sender.baseline > 0.42 * sender.page.height || !isSenderLine(sender.text)) continue;
    const next = reading.rows[sender.row + 1]?.pieces.find(
      ({ box }) => overlap(box[0], box[2], sender.box[0], sender.box[2]) > 0,
    );
    if (!next || next.page !== sender.page || next.size < minWindowSize * sender.size) continue;
    const block = blockBelow(next, reading);
    if (block.length < windowLines.min || block.length > windowLines.max) continue;
    if (!isTitle(next.text)) return { party: partyFromBlock(block, reading, 0.8), pieces: block };
  }
  return null;
}

/** The buyer that a label or the sender's line above it tells. */
function toldBuyer(
  reading: DocumentText,
): { party: Party; pieces: PlacedSegment[]; isWindow: boolean } | null {
  const labelled = labelledParty(reading, documentWords().parties.buyer_label);
  const found = labelled ?? windowBelowSender(reading);
  return found && { ...found, isWindow: !labelled };
}

/** European letters have the buyer in a window: a block of three to six lines with a postcode in the upper part. */
function windowBuyer(
  reading: DocumentText,
  taken: Set<number>,
): { party: Party; pieces: PlacedSegment[] } | null {
  for (const piece of reading.pieces) {
    if (piece.baseline > 0.42 * piece.page.height || taken.has(piece.row) || isTitle(piece.text)) continue;
    if (
      documentWords().parties.other_label.test(piece.text) ||
      documentWords().parties.contact.test(piece.text) ||
      isMostlyDigits(piece.text)
    )
      continue;
    const left = reading.rows[piece.row]!.pieces[piece.order - 1];
    if (left && (/[:：]\s*$/.test(left.text) || piece.box[0] - left.box[2] < 3 * piece.size)) continue;
    const block = blockBelow(piece, reading);
    if (
      block.length < 3 ||
      block.length > 6 ||
      block.some((line) => documentWords().parties.contact.test(line.text) || /[:：]/.test(line.text))
    )
      continue;
    if (!block.slice(1).some((line) => /\b\d{4,6}\b|\bhong kong\b|\bsingapore\b/i.test(line.text))) continue;
    return { party: partyFromBlock(block, reading, 0.7), pieces: block };
  }
  return null;
}

const toFound = (registration: Registration): FieldMatch<string> => ({
  value: registration.value,
  raw: registration.raw,
  confidence: registration.confidence,
  rule: 'pattern',
  page: registration.piece.page,
  box: registration.piece.box,
});

/** A number belongs to the buyer if it stands in or right under the buyer's block, else to the seller. */
function shareRegistrations(
  reading: DocumentText,
  seller: Party,
  buyer: { party: Party; pieces: PlacedSegment[] } | null,
): void {
  const inBuyer = (piece: PlacedSegment): boolean => {
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

/** The lines that a seller is looked for in: the page with its heading put together, and the buyer's block where a label tells it. */
export function partyContextOf(page: DocumentText): PartyContext {
  const reading = withHeading(page);
  return partyContext(reading, toldBuyer(reading)?.pieces ?? []);
}

export function readParties(page: DocumentText): { seller: Party; buyer: Party } {
  const nobody: Party = { name: null, address: null, registrations: {} };
  if (page.rows.length === 0) return { seller: nobody, buyer: { ...nobody, registrations: {} } };
  const reading = withHeading(page);
  const told = toldBuyer(reading);
  const labelledSeller = labelledParty(reading, documentWords().parties.seller_label);
  const taken = new Set((told?.pieces ?? []).map((piece) => piece.row));
  const chosen = chosenSeller(partyContext(reading, told?.pieces ?? []), told?.isWindow ? told.pieces : []);
  const isSure = (chosen?.party.name?.confidence ?? 0) >= minConfidenceBesideLabel;
  const seller = isSure ? chosen : (labelledSeller ?? chosen);
  for (const piece of seller?.pieces ?? []) taken.add(piece.row);
  const buyer = told ?? windowBuyer(reading, taken);
  const parties = {
    seller: seller?.party ?? nobody,
    buyer: buyer?.party ?? { ...nobody, registrations: {} },
  };
  shareRegistrations(reading, parties.seller, buyer);
  return parties;
}
