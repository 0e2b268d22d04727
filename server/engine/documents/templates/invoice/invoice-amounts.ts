/**
 * The amounts that rows of an invoice name: subtotal − discount + shipping + tax + rounding = total, and paid − change = total.
 * A missing part that the others determine is not invented.
 */

import { type Amount, currencyCode, findAmounts } from '../../../quantities/numbers.ts';
import { unionBox } from '../../../vision/geometry.ts';
import { type DocumentText, type FieldMatch, type PlacedSegment, wordsOf } from '../../fields/reading.ts';
import type { AmountKind } from '../../vocabulary/vocabulary.ts';
import { documentWords } from '../../vocabulary/words.ts';

export interface AmountCandidate extends FieldMatch<number> {
  kind: AmountKind;
  row: number;
  /** Percentage printed beside a tax. */
  rate: number | null;
}

/** Sums of rounded parts may miss by a cent or two; what is paid and rounded is exact. */
export const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.021;
export const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;

export const isMoney = (amount: Amount): boolean =>
  !amount.percent &&
  (amount.decimals === 2 || amount.currency !== null || amount.decimals === 1 || amount.grouped);

interface Kind {
  kind: AmountKind;
  strength: number;
  match: string;
}

/** Longer texts are sentences, not labels. */
const maxLabelLength = 120;

function kindOf(label: string): Kind | null {
  if (label.length > maxLabelLength || !/\p{L}/u.test(label)) return null;
  if (documentWords().notAmount.test(label) && !/\b(?:amount|payable|due)\b/i.test(label)) return null;
  for (const { kind, pattern, strength } of documentWords().amounts) {
    const match = pattern.exec(label);
    if (match) return { kind, strength: label.length > 60 ? strength * 0.6 : strength, match: label.trim() };
  }
  return null;
}

export interface PlacedAmount {
  piece: PlacedSegment;
  amount: Amount;
}

export function amountsOfRow(pieces: PlacedSegment[], reading: DocumentText): PlacedAmount[] {
  return pieces.flatMap((piece) =>
    findAmounts(piece.text, reading.decimal).map((amount) => ({ piece, amount })),
  );
}

/** Texts before an amount that may name it: right before it first, then all of the row back to the amount before. */
function labelsBefore(
  pieces: PlacedSegment[],
  placed: PlacedAmount,
  previous: PlacedAmount | undefined,
): string[] {
  const same = previous?.piece === placed.piece;
  const from = same ? previous.amount.index + previous.amount.raw.length : 0;
  const own = placed.piece.text.slice(from, placed.amount.index);
  const start = previous && !same ? previous.piece.order + 1 : 0;
  const before = same ? [] : pieces.slice(start, placed.piece.order).map((piece) => piece.text);
  const nearest = before.findLast((text) => /\p{L}/u.test(text)) ?? '';
  return [own, `${nearest} ${own}`, [...before, own].join(' ')];
}

function kindBefore(
  pieces: PlacedSegment[],
  placed: PlacedAmount,
  previous: PlacedAmount | undefined,
): Kind | null {
  for (const label of labelsBefore(pieces, placed, previous)) {
    const kind = kindOf(label);
    if (kind) return kind;
  }
  return null;
}

export function candidate(
  placed: PlacedAmount,
  kind: AmountKind,
  details: { confidence: number; label: string; rate: number | null },
): AmountCandidate {
  const { piece, amount } = placed;
  const words = wordsOf(piece, amount.raw);
  return {
    kind,
    value: amount.value,
    raw: amount.raw,
    confidence: details.confidence,
    rule: details.label === '' ? 'sum' : 'label',
    page: piece.page,
    box: unionBox(words.map((word) => word.box)),
    label: details.label,
    row: piece.row,
    rate: details.rate,
    ...(amount.currency ? { currency: currencyCode(amount.currency) } : {}),
  };
}

function amountsBelow(piece: PlacedSegment, reading: DocumentText): PlacedAmount[] {
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page || next.pieces[0]!.baseline - piece.baseline > 3 * piece.size)
    return [];
  // A row of nothing but amounts belongs to the label above it, wherever it stands.
  const bare = !/\p{L}{3,}/u.test(next.text);
  const alone = reading.rows[piece.row]!.pieces.length === 1;
  const isUnder = (other: PlacedSegment): boolean =>
    other.box[0] < piece.box[2] && other.box[2] > piece.box[0];
  if (!bare && !alone) return [];
  const under = next.pieces.filter((other) => isUnder(other) || (bare && alone));
  return amountsOfRow(under, reading).filter(({ amount }) => isMoney(amount));
}

/** A closing row of net, tax and gross: the third is the sum of the first two. */
function netTaxGross(money: PlacedAmount[], label: Kind | null): AmountCandidate[] {
  const last = money.slice(-3);
  const [net, tax, gross] = last.map(({ amount }) => amount.value) as [number, number, number];
  if (label?.kind !== 'total' || tax === 0 || !near(net + tax, gross)) return [];
  const details = { confidence: 0.9, label: label.match, rate: null };
  return [
    candidate(last[0]!, 'subtotal', details),
    candidate(last[1]!, 'tax', details),
    candidate(last[2]!, 'total', details),
  ];
}

function rowCandidates(pieces: PlacedSegment[], reading: DocumentText): AmountCandidate[] {
  const all = amountsOfRow(pieces, reading);
  const percent = all.find(({ amount }) => amount.percent)?.amount.value ?? null;
  const rate = percent === null ? null : Math.abs(percent);
  const money = all.filter(({ amount }) => isMoney(amount));
  const found: AmountCandidate[] = [];
  let label: Kind | null = null;
  for (const [index, placed] of money.entries()) {
    const own = kindBefore(pieces, placed, money[index - 1]);
    label = own ?? label;
    if (!label) continue;
    // Several amounts behind one label (net, tax, gross): the last is the sum; the others count less.
    const last =
      index === money.length - 1 || own === null || kindBefore(pieces, money[index + 1]!, placed) !== null;
    const confidence =
      label.strength * (last || own === null ? (index === money.length - 1 ? 1 : 0.55) : 0.6);
    found.push(candidate(placed, label.kind, { confidence, label: label.match, rate }));
  }
  if (money.length > 2) found.push(...netTaxGross(money, label));
  if (money.length > 0) return found;
  for (const piece of pieces) {
    const named = piece.text.length < 40 ? kindOf(piece.text) : null;
    const below = named ? amountsBelow(piece, reading).at(-1) : undefined;
    if (named && below)
      found.push(
        candidate(below, named.kind, { confidence: named.strength * 0.75, label: named.match, rate }),
      );
    // A whole number without decimals counts only where the label is unmistakable.
    const whole = all.find(
      ({ amount, piece: at }) => !amount.percent && at.order >= piece.order && amount.value >= 1,
    );
    if (named && named.strength === 1 && whole && !below && !/\d{5,}/.test(whole.amount.raw))
      found.push(candidate(whole, named.kind, { confidence: 0.6, label: named.match, rate }));
  }
  return found;
}

/** Cash is rounded to five cents. */
const isRound = (value: number): boolean => Math.abs(value * 20 - Math.round(value * 20)) < 1e-6;

/** Statements name hundreds of amounts; the choice among so many is no longer about one invoice. */
const maxCandidates = 12;

export const strongest = (candidates: AmountCandidate[], kind: AmountKind): AmountCandidate[] =>
  candidates
    .filter((found) => found.kind === kind)
    .sort((a, b) => b.confidence - a.confidence || b.row - a.row)
    .slice(0, maxCandidates);

export const partKinds = ['tax', 'discount', 'rounding', 'shipping', 'service_charge'] as const;
export type PartKind = (typeof partKinds)[number];
export type Parts = Partial<Record<PartKind, AmountCandidate>>;

/** Every choice of one candidate, or none, of each kind of part. */
function* partChoices(found: AmountCandidate[], kinds: readonly PartKind[] = partKinds): Generator<Parts> {
  const [kind, ...rest] = kinds;
  if (!kind) {
    yield {};
    return;
  }
  const values = new Map(
    strongest(found, kind)
      .filter((part) => part.value !== 0)
      .slice(0, 3)
      .map((part) => [part.value, part]),
  );
  for (const parts of partChoices(found, rest)) {
    for (const part of values.values()) yield { ...parts, [kind]: part };
    yield parts;
  }
}

const sumOf = (parts: Parts): number =>
  partKinds.reduce((sum, kind) => {
    const value = parts[kind]?.value ?? 0;
    return sum + (kind === 'discount' ? -Math.abs(value) : value);
  }, 0);

/** The parts that lead from a base to the total; the fullest such choice. */
export function partsBetween(base: number, total: number, found: AmountCandidate[]): Parts | null {
  let best: Parts | null = null;
  for (const parts of partChoices(found))
    if (near(base + sumOf(parts), total) && (!best || Object.keys(parts).length > Object.keys(best).length))
      best = parts;
  return best;
}

/** Confidence that other amounts give a total: what it is made of, and what was paid and given back. */
export function confirmations(total: number, found: AmountCandidate[], itemSum: number | null): number {
  const bases = new Set(strongest(found, 'subtotal').map((c) => c.value));
  if (itemSum !== null) bases.add(itemSum);
  let sums = 0;
  if ([...bases].some((base) => partsBetween(base, total, found) !== null)) sums++;
  const paid = strongest(found, 'paid').map((c) => c.value);
  const change = strongest(found, 'change').map((c) => Math.abs(c.value));
  if (paid.some((value) => change.some((back) => back !== 0 && same(value - back, total)))) sums++;
  else if (paid.some((value) => same(value, total))) sums += 0.5;
  // The amount to pay is the one after rounding.
  const roundings = strongest(found, 'rounding').filter((c) => c.value !== 0);
  const others = found.filter((c) => (c.kind === 'total' || c.kind === 'subtotal') && c.value !== total);
  const follows = (other: number, rounding: number): boolean =>
    same(other + rounding, total) || (same(other - rounding, total) && isRound(total) && !isRound(other));
  if (roundings.some((r) => others.some((o) => follows(o.value, r.value)))) sums += 1.2;
  return sums;
}

/** Everything on the pages that names an amount of the whole. */
export function amountCandidates(reading: DocumentText): AmountCandidate[] {
  return reading.rows.flatMap((row) => rowCandidates(row.pieces, reading));
}
