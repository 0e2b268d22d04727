/** Seller and buyer: names, addresses and their registration numbers. */

import { unionBox } from '../../../../vision/geometry.ts';
import type { DocumentText, FieldMatch, PlacedSegment } from '../../../fields/reading.ts';
import { findRegistrations, type Registration } from '../../../fields/registrations.ts';
import {
  type Choice,
  choiceOf,
  type Ranker,
  rankCandidates,
  type Scored,
  scoreOf,
} from '../../../scoring/boosted-trees.ts';
import type { RegistrationKind } from '../../../vocabulary/vocabulary.ts';
import { documentScoring, documentWords } from '../../../vocabulary/words.ts';

import { withHeading } from '../invoice-heading.ts';
import { addressCandidates } from './address-candidates.ts';
import { firmOverAddress, legalName } from './legal-name.ts';
import { withKnownPlaces } from './misread-places.ts';
import { nameCandidates } from './name-candidates.ts';
import { type PartyContext, partyContext, plain } from './party-context.ts';
import { type LineRun, labelRows } from './place-features.ts';
import { rivalAddresses, rivalNames, type ScoredRuns, shareLines } from './rival-runs.ts';
import { withSigns } from './signs-of-letters.ts';
import { tidyAddress } from './tidy-address.ts';
import { tidyPartyName } from './tidy-name.ts';
import { toldBuyer } from './told-buyer.ts';
import { wholeAddress, withoutCareOf } from './whole-address.ts';
import { wholeName, withForm } from './whole-name.ts';

export interface Party {
  name: FieldMatch<string> | null;
  address: FieldMatch<string> | null;
  registrations: Partial<Record<RegistrationKind, FieldMatch<string>>>;
}

/** Less sure choices are rather none. */
const minConfidence = 0.12;
/** Log odds of a buyer who is told having no address: nearly all have one. */
const noAddress = -2;

type Role = 'seller' | 'buyer';
type ByRole<T> = Record<Role, T>;

/** Best runs of each role that are tried together. */
const maxTried = 12;

type Pair = ByRole<Scored<LineRun> | null>;
interface ScoredPair {
  pair: Pair;
  score: number;
}
type Ranked = ByRole<Scored<LineRun>[]>;

/** Log odds that a label right before a name adds for the party it tells, and takes from the other. */
const toldWeight = 2;
/** Number that a part of a line has behind a label with its colon: others are told by words that may be of the name. */
const maxLabelledPart = 2;

/** 1 for a name behind a label of the seller, -1 behind one of the buyer; where goods are delivered to is neither. */
function toldBy({ features }: LineRun): number {
  const isPart = features.part! <= maxLabelledPart;
  const isSeller = (isPart && features.behindSeller === 1) || features.leftSeller === 1;
  const isBuyer = (isPart && features.behindBuyer === 1) || features.leftBuyer === 1;
  return features.fromDeliveryLabel === 0 ? 0 : Number(isSeller) - Number(isBuyer);
}

/** `Proper food, proper close`: no name goes on in small letters behind its comma. */
const motto = /^\p{Lu}?\p{Ll}+(?:\s\p{Ll}+)*,(?:\s\p{Ll}+)+[.!]?$/u;
/** Log odds that a motto takes from being a name. */
const mottoWeight = 3;

/** The names of a role, those that a label gives to it before the others. */
const rankNames = (role: Role, ranker: Ranker, runs: readonly LineRun[]): Scored<LineRun>[] =>
  rankCandidates(ranker, runs)
    .map(({ candidate, score }) => {
      const told = toldBy(candidate);
      const taken = motto.test(candidate.value) ? mottoWeight : 0;
      return { candidate, score: score + toldWeight * (role === 'seller' ? told : -told) - taken };
    })
    .sort((a, b) => b.score - a.score);

/**
 * For each of the likeliest runs of the seller the likeliest of the buyer that stands apart, or nobody, who is as likely as `nobody` tells: by
 * default as even odds; the best pair first.
 */
function likeliestPairs(
  { seller: ranked, buyer }: Ranked,
  areApart: (seller: LineRun, buyer: LineRun) => boolean,
  nobody = 0,
): ScoredPair[] {
  const buyers: (Scored<LineRun> | null)[] = buyer.slice(0, maxTried).filter(({ score }) => score > nobody);
  buyers.push(null);
  const sellers: (Scored<LineRun> | null)[] = ranked.slice(0, maxTried);
  if (sellers.length === 0) sellers.push(null);
  return sellers
    .map((own) => {
      const other = buyers.find((one) => !own || !one || areApart(own.candidate, one.candidate))!;
      return { pair: { seller: own, buyer: other }, score: (own?.score ?? 0) + (other?.score ?? nobody) };
    })
    .sort((a, b) => b.score - a.score);
}

/** The choice of a pair with its confidence, role by role; null for one that is rather not there. */
function surePair(rankers: ByRole<Ranker>, ranked: Ranked, pair: Pair): ByRole<Choice<LineRun> | null> {
  const sure = (role: Role): Choice<LineRun> | null => {
    const choice = pair[role] && choiceOf(rankers[role], ranked[role], pair[role], ({ value }) => value);
    return choice && choice.confidence >= minConfidence ? choice : null;
  };
  return { seller: sure('seller'), buyer: sure('buyer') };
}

const fieldOf = ({ candidate: { pieces, value }, confidence }: Choice<LineRun>): FieldMatch<string> => ({
  value: value.replace(/\s+/g, ' '),
  raw: pieces.map((piece) => piece.text).join('\n'),
  confidence,
  rule: 'block',
  page: pieces[0]!.page,
  box: unionBox(pieces.map((piece) => piece.box)),
});

const isRecognized = ({ candidate }: Choice<LineRun>): boolean =>
  candidate.pieces.some(({ words }) => words.some(({ source }) => source === 'recognition'));

/** A name; where it was recognized, its letters have the signs that they have elsewhere. */
function nameOf(choice: Choice<LineRun>, { reading }: PartyContext): FieldMatch<string> {
  const field = fieldOf(choice);
  return isRecognized(choice) ? { ...field, value: withSigns(field.value, reading.pieces) } : field;
}

/** An address; where it was recognized, misread places are as they are written. */
function addressOf(choice: Choice<LineRun>, context: PartyContext): FieldMatch<string> {
  const field = nameOf(choice, context);
  return isRecognized(choice) ? { ...field, value: withKnownPlaces(field.value) } : field;
}

/** True for names over two addresses: a firm may bill a branch of its own. */
const haveOwnAddresses = ({ features: seller }: LineRun, { features: buyer }: LineRun): boolean =>
  seller.blockAt! >= 0 && buyer.blockAt! >= 0 && seller.blockAt !== buyer.blockAt;

interface ChosenParty {
  party: Party;
  pieces: PlacedSegment[];
}

/** Pairs of names that are tried with the addresses that go with them, of those nearly as likely as the best. */
const maxNames = 5;
const maxBehind = 5;
/** Weight of how well an address goes with a seller's name. */
const addressWeight = 0.5;

/** Log odds that a post box takes from an address of a seller: money goes there, goods do not come from there. */
const postBoxWeight = 2;

/** Addresses of a seller in order; a post box only where hardly another one is told. */
const rankPlaces = (ranker: Ranker, runs: readonly LineRun[]): Scored<LineRun>[] =>
  rankCandidates(ranker, runs)
    .map(({ candidate, score }) => {
      const isBox = documentWords().parties.post_box.test(candidate.value);
      return { candidate, score: isBox ? score - postBoxWeight : score };
    })
    .sort((a, b) => b.score - a.score);

/** Log odds that a label of delivery takes from an address of a buyer where another one stands below a label of the buyer alone. */
const deliveryWeight = 2;

/** Addresses of a buyer in order; where goods go to after where the bill goes to. */
export function rankBuyerPlaces(ranker: Ranker, runs: readonly LineRun[]): Scored<LineRun>[] {
  const isDelivery = ({ features }: LineRun): boolean =>
    features.fromDeliveryLabel! <= features.fromBuyerLabel! && features.fromDeliveryLabel! < labelRows;
  const isBilling = (run: LineRun): boolean =>
    !isDelivery(run) && run.features.fromBuyerLabel! < labelRows && run.features.addressLines! > 0;
  const ranked = rankCandidates(ranker, runs);
  if (!runs.some(isBilling)) return ranked;
  return ranked
    .map(({ candidate, score }) => ({
      candidate,
      score: isDelivery(candidate) ? score - deliveryWeight : score,
    }))
    .sort((a, b) => b.score - a.score);
}

/** Log odds of the likeliest of some runs against all of them and none. */
function bestShare(ranked: readonly Scored<LineRun>[]): number {
  const best = ranked[0]?.score ?? 0;
  return best - Math.log(ranked.reduce((sum, { score }) => sum + Math.exp(score), 1));
}

const otherRole: ByRole<Role> = { seller: 'buyer', buyer: 'seller' };

/** Runs that may be the addresses of the parties of a paper; those of a name are scored once. */
class PartyAddresses {
  readonly #context: PartyContext;
  readonly #known: ByRole<Map<LineRun, ScoredRuns>> = { seller: new Map(), buyer: new Map() };

  constructor(context: PartyContext) {
    this.#context = context;
  }

  /** Log odds of each run being the address of whom a name tells. */
  #scored(role: Role, name: LineRun): ScoredRuns {
    const known = this.#known[role].get(name);
    if (known) return known;
    const { address, buyerAddress } = documentScoring();
    const ranker = { seller: address, buyer: buyerAddress }[role];
    const runs = addressCandidates(name, this.#context);
    const found = { runs, scores: runs.map(({ features }) => scoreOf(ranker, features)) };
    this.#known[role].set(name, found);
    return found;
  }

  /** The addresses of one party of a pair beside those of the other; none is on the other's name. */
  of(role: Role, pair: Pair): LineRun[] {
    const [name, other] = [pair[role]?.candidate, pair[otherRole[role]]?.candidate];
    if (!name) return [];
    const own = this.#scored(role, name);
    const rivals = other ? this.#scored(otherRole[role], other) : { runs: [], scores: [] };
    return rivalAddresses(own, rivals).filter((run) => !other || !shareLines(run, other));
  }
}

/** Seller and buyer as was learnt: names of two places and two firms, with the addresses that go with them, none on the other's name. */
function chosenParties(context: PartyContext): ByRole<ChosenParty> {
  const scoring = documentScoring();
  const { name, nameAmong, buyerName, buyerNameAmong } = scoring;
  const { addressAmong = scoring.address, buyerAddressAmong = scoring.buyerAddress } = scoring;
  const runs = nameCandidates(context);
  const [asSeller, asBuyer] = [name, buyerName].map((ranker) =>
    runs.map(({ features }) => scoreOf(ranker, features)),
  ) as [number[], number[]];
  const [nameRankers, addressRankers] = [
    { seller: nameAmong, buyer: buyerNameAmong },
    { seller: addressAmong, buyer: buyerAddressAmong },
  ];
  // A label of the other party right before a name says plainly whose it is not.
  const rankedNames = {
    seller: rankNames(
      'seller',
      nameAmong,
      rivalNames(runs, { own: asSeller, other: asBuyer }).filter(({ features }) => !features.behindBuyer),
    ),
    buyer: rankNames(
      'buyer',
      buyerNameAmong,
      rivalNames(runs, { own: asBuyer, other: asSeller }).filter(({ features }) => !features.behindSeller),
    ),
  };
  const pairs = likeliestPairs(
    rankedNames,
    (seller, buyer) =>
      !shareLines(seller, buyer) &&
      (plain(seller.value) !== plain(buyer.value) || haveOwnAddresses(seller, buyer)),
  );
  const addresses = new PartyAddresses(context);
  const tried = pairs
    .slice(0, maxNames)
    .filter(({ score }) => score > pairs[0]!.score - maxBehind)
    .map(({ pair, score }) => {
      const ofSeller = rankPlaces(addressAmong, addresses.of('seller', pair));
      return { pair, ofSeller, score: score + addressWeight * bestShare(ofSeller) };
    });
  const likeliest = tried.reduce((top, one) => (one.score > top.score ? one : top));
  const chosenNames = surePair(nameRankers, rankedNames, likeliest.pair);
  const [place] = likeliest.ofSeller;
  const legal =
    chosenNames.seller &&
    (legalName(chosenNames.seller.candidate, context) ??
      (place ? firmOverAddress(chosenNames.seller.candidate, place.candidate, context) : null));
  const names = legal
    ? { ...chosenNames, seller: { ...chosenNames.seller!, candidate: legal } }
    : chosenNames;
  // The address goes with the sign or with the firm, whichever it fits better.
  const asFirm: Pair = legal
    ? { ...likeliest.pair, seller: { ...likeliest.pair.seller!, candidate: legal } }
    : likeliest.pair;
  const ofFirm = legal ? rankPlaces(addressAmong, addresses.of('seller', asFirm)) : [];
  const [pair, ofSeller] =
    legal && bestShare(ofFirm) > bestShare(likeliest.ofSeller)
      ? [asFirm, ofFirm]
      : [likeliest.pair, likeliest.ofSeller];
  const rankedAddresses = {
    seller: names.seller ? ofSeller : [],
    buyer: names.buyer ? rankBuyerPlaces(buyerAddressAmong, addresses.of('buyer', pair)) : [],
  };
  // One address printed twice is one party's, as where a slip to pay names the payee again.
  const [best] = likeliestPairs(
    rankedAddresses,
    (seller, buyer) => !shareLines(seller, buyer) && plain(seller.value) !== plain(buyer.value),
    noAddress,
  );
  const chosen = surePair(addressRankers, rankedAddresses, best!.pair);
  const linesOf = (...choices: (Choice<LineRun> | null)[]): Set<PlacedSegment> =>
    new Set(choices.flatMap((choice) => choice?.candidate.pieces ?? []));
  const changed = (
    choice: Choice<LineRun> | null,
    change: (run: LineRun) => LineRun,
  ): Choice<LineRun> | null => choice && { ...choice, candidate: change(choice.candidate) };
  const taken = linesOf(names.buyer, chosen.seller, chosen.buyer);
  const told = {
    seller: changed(names.seller, (run) => tidyPartyName(wholeName(run, context, taken))),
    buyer: changed(names.buyer, (run) => tidyPartyName(withForm(withoutCareOf(run, context)))),
  };
  const placed = (role: Role): Choice<LineRun> | null => {
    const other = otherRole[role];
    const others = linesOf(told[other], chosen[other]);
    const name = told[role]?.candidate;
    if (!name) return chosen[role];
    return changed(chosen[role], (run) =>
      tidyAddress(wholeAddress(run, name, context, others), name.value, context),
    );
  };
  const places = { seller: placed('seller'), buyer: placed('buyer') };
  const partyOf = (role: Role): ChosenParty => ({
    party: {
      name: told[role] && nameOf(told[role], context),
      address: places[role] && addressOf(places[role], context),
      registrations: {},
    },
    pieces: [names[role], places[role]].flatMap((choice) => choice?.candidate.pieces ?? []),
  });
  return { seller: partyOf('seller'), buyer: partyOf('buyer') };
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
function shareRegistrations(reading: DocumentText, { seller, buyer }: ByRole<ChosenParty>): void {
  const [first] = buyer.pieces;
  const box = first && unionBox(buyer.pieces.map((line) => line.box));
  const inBuyer = (piece: PlacedSegment): boolean =>
    box !== undefined &&
    piece.page === first!.page &&
    piece.baseline > box[1] &&
    piece.baseline < box[3] + 4 * first!.size &&
    piece.box[0] < box[2] &&
    piece.box[2] > box[0];
  for (const registration of findRegistrations(reading)) {
    const { party } = inBuyer(registration.piece) ? buyer : seller;
    party.registrations[registration.kind] ??= toFound(registration);
  }
}

/** The lines that a seller is looked for in: the page with its heading put together, and the buyer's block where a label tells it. */
export function partyContextOf(page: DocumentText): PartyContext {
  const reading = withHeading(page);
  return partyContext(reading, toldBuyer(reading));
}

const nobody = (): Party => ({ name: null, address: null, registrations: {} });

export function readParties(page: DocumentText): ByRole<Party> {
  if (page.rows.length === 0) return { seller: nobody(), buyer: nobody() };
  const context = partyContextOf(page);
  const parties = chosenParties(context);
  shareRegistrations(context.reading, parties);
  return { seller: parties.seller.party, buyer: parties.buyer.party };
}
