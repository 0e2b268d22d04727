/**
 * The amounts at the foot of an invoice.
 *
 * Every row that names a kind of amount gives candidates; the set that adds up is taken:
 * subtotal − discount + shipping + tax + rounding = total, and paid − change = total. What adds up is scored higher, a
 * missing part that the others determine is not invented, and a total that contradicts all others is scored lower.
 */

import { unionBox } from '../layout/page.ts';
import { type Amount, currencyCode, findAmounts } from '../fields/numbers.ts';
import { type Found, type Piece, type Reading, wordsOf } from '../fields/reading.ts';
import { type AmountKind, amountRules, notAmounts } from './invoice-words.ts';

export interface AmountCandidate extends Found<number> {
  kind: AmountKind;
  row: number;
  /** Percentage printed beside a tax. */
  rate: number | null;
}

export type Totals = Partial<Record<AmountKind, AmountCandidate>>;

const isMoney = (amount: Amount): boolean =>
  !amount.percent && (amount.decimals === 2 || amount.currency !== null || amount.decimals === 1);

function kindOf(label: string): { kind: AmountKind; strength: number; match: string } | null {
  if (notAmounts.test(label) && !/\b(?:amount|payable|due)\b/i.test(label)) return null;
  for (const { kind, pattern, strength } of amountRules) {
    const match = pattern.exec(label);
    if (match) return { kind, strength: label.length > 60 ? strength * 0.6 : strength, match: label.trim() };
  }
  return null;
}

interface Placed {
  piece: Piece;
  amount: Amount;
}

function amountsOfRow(pieces: Piece[], reading: Reading): Placed[] {
  return pieces.flatMap((piece) =>
    findAmounts(piece.text, reading.decimal).map((amount) => ({ piece, amount })),
  );
}

/** Text of the row before an amount, back to the amount before it. */
function labelBefore(pieces: Piece[], placed: Placed, previous: Placed | undefined): string {
  const from = previous && previous.piece.order === placed.piece.order ? previous.amount.index + previous.amount.raw.length : 0;
  const own = placed.piece.text.slice(from, placed.amount.index);
  const start = previous && previous.piece !== placed.piece ? previous.piece.order + 1 : 0;
  const before = previous?.piece === placed.piece ? [] : pieces.slice(start, placed.piece.order).map((piece) => piece.text);
  return [...before, own].join(' ');
}

function candidate(placed: Placed, kind: AmountKind, details: { confidence: number; label: string; rate: number | null }): AmountCandidate {
  const { piece, amount } = placed;
  const words = wordsOf(piece, amount.raw);
  return {
    kind,
    value: amount.value,
    raw: amount.raw,
    confidence: details.confidence,
    page: piece.page,
    box: unionBox(words.map((word) => word.box)),
    label: details.label,
    row: piece.row,
    rate: details.rate,
    ...(amount.currency ? { currency: currencyCode(amount.currency) } : {}),
  };
}

function amountsBelow(piece: Piece, reading: Reading): Placed[] {
  const next = reading.rows[piece.row + 1];
  if (!next || next.page !== piece.page || next.pieces[0]!.baseline - piece.baseline > 3 * piece.size) return [];
  const under = next.pieces.filter((other) => other.box[0] < piece.box[2] && other.box[2] > piece.box[0]);
  return amountsOfRow(under, reading).filter(({ amount }) => isMoney(amount));
}

function rowCandidates(pieces: Piece[], reading: Reading): AmountCandidate[] {
  const all = amountsOfRow(pieces, reading);
  const rate = all.find(({ amount }) => amount.percent)?.amount.value ?? null;
  const money = all.filter(({ amount }) => isMoney(amount));
  const found: AmountCandidate[] = [];
  let label: ReturnType<typeof kindOf> = null;
  for (const [index, placed] of money.entries()) {
    const own = kindOf(labelBefore(pieces, placed, money[index - 1]));
    label = own ?? label;
    if (!label) continue;
    // Several amounts behind one label (net, tax, gross): the last is the sum; the others count less.
    const last = index === money.length - 1 || own === null || kindOf(labelBefore(pieces, money[index + 1]!, placed)) !== null;
    const confidence = label.strength * (last || own === null ? (index === money.length - 1 ? 1 : 0.55) : 0.6);
    found.push(candidate(placed, label.kind, { confidence, label: label.match, rate }));
  }
  if (money.length > 0) return found;
  for (const piece of pieces) {
    const named = piece.text.length < 40 ? kindOf(piece.text) : null;
    const below = named ? amountsBelow(piece, reading).at(-1) : undefined;
    if (named && below) found.push(candidate(below, named.kind, { confidence: named.strength * 0.75, label: named.match, rate }));
    // A whole number without decimals counts only where the label is unmistakable.
    const whole = all.find(({ amount, piece: at }) => !amount.percent && at.order >= piece.order && amount.value >= 1);
    if (named && named.strength === 1 && whole && !below && !/\d{5,}/.test(whole.amount.raw))
      found.push(candidate(whole, named.kind, { confidence: 0.6, label: named.match, rate }));
  }
  return found;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 0.021;

const strongest = (candidates: AmountCandidate[], kind: AmountKind): AmountCandidate[] =>
  candidates.filter((found) => found.kind === kind).sort((a, b) => b.confidence - a.confidence || b.row - a.row);

/** How many independent sums confirm a total. */
function confirmations(total: number, found: AmountCandidate[], itemSum: number | null): number {
  const of = (kind: AmountKind): number[] => [0, ...new Set(strongest(found, kind).slice(0, 4).map((c) => c.value))];
  const subtotals = [...new Set(strongest(found, 'subtotal').map((c) => c.value))];
  if (itemSum !== null) subtotals.push(itemSum);
  let sums = 0;
  const parts = subtotals.some((subtotal) =>
    of('tax').some((tax) =>
      of('discount').some((discount) =>
        of('rounding').some((rounding) =>
          of('shipping').some((shipping) => near(subtotal - Math.abs(discount) + tax + rounding + shipping, total)),
        ),
      ),
    ),
  );
  if (parts) sums++;
  const paid = strongest(found, 'paid').map((c) => c.value);
  if (paid.some((value) => of('change').some((change) => change !== 0 && near(value - Math.abs(change), total)))) sums++;
  else if (paid.some((value) => near(value, total))) sums += 0.5;
  return sums;
}

function chooseTotal(found: AmountCandidate[], itemSum: number | null): AmountCandidate | null {
  const totals = strongest(found, 'total');
  const repeats = (value: number): number => found.filter((other) => near(other.value, value)).length;
  let best: { candidate: AmountCandidate; score: number } | null = null;
  for (const total of totals) {
    const confirmed = confirmations(total.value, found, itemSum);
    const score = total.confidence + 0.25 * Math.min(2, confirmed) + 0.03 * Math.min(4, repeats(total.value)) + (total.value > 0 ? 0.05 : -0.6);
    if (!best || score > best.score + 1e-9 || (Math.abs(score - best.score) < 1e-9 && total.row > best.candidate.row))
      best = { candidate: { ...total, confidence: Math.min(0.99, total.confidence * 0.85 + 0.1 * Math.min(1.4, confirmed)) }, score };
  }
  return best?.candidate ?? null;
}

/** The parts that, with the chosen total, add up; else each kind's strongest. */
function chooseParts(found: AmountCandidate[], total: AmountCandidate): Totals {
  const options = (kind: AmountKind): (AmountCandidate | null)[] => [...strongest(found, kind).slice(0, 4), null];
  for (const subtotal of options('subtotal').filter((c) => c !== null))
    for (const tax of options('tax'))
      for (const discount of options('discount'))
        for (const rounding of options('rounding'))
          for (const shipping of options('shipping')) {
            const sum = subtotal.value - Math.abs(discount?.value ?? 0) + (tax?.value ?? 0) + (rounding?.value ?? 0) + (shipping?.value ?? 0);
            if (!near(sum, total.value)) continue;
            return confirmed({ subtotal, tax, discount, rounding, shipping }, found);
          }
  return confirmed({}, found);
}

const partKinds = ['subtotal', 'tax', 'discount', 'rounding', 'shipping', 'paid', 'change'] as const;

function confirmed(chosen: { [K in AmountKind]?: AmountCandidate | null }, found: AmountCandidate[]): Totals {
  const totals: Totals = {};
  const adds = chosen.subtotal !== undefined;
  for (const kind of partKinds) {
    const pick = chosen[kind];
    const fallback = strongest(found, kind)[0];
    if (pick) totals[kind] = { ...pick, confidence: Math.max(pick.confidence, 0.95) };
    else if (fallback) totals[kind] = { ...fallback, confidence: fallback.confidence * (adds ? 0.6 : 0.75) };
  }
  return totals;
}

export function amountCandidates(reading: Reading): AmountCandidate[] {
  return reading.rows.flatMap((row) => rowCandidates(row.pieces, reading));
}

export function readTotals(reading: Reading, itemSum: number | null): Totals {
  const found = amountCandidates(reading);
  const total = chooseTotal(found, itemSum);
  if (!total) return confirmed({}, found);
  return { ...chooseParts(found, total), total };
}
