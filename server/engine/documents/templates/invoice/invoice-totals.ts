/** The total of an invoice or receipt, chosen among all its amounts by what was learnt, and the parts that add up to it. */

import type { DocumentText } from '../../fields/reading.ts';
import { choose } from '../../scoring/boosted-trees.ts';
import type { AmountKind } from '../../vocabulary/vocabulary.ts';
import { documentScoring, documentWords } from '../../vocabulary/words.ts';
import {
  type AmountCandidate,
  amountsOfRow,
  candidate,
  isMoney,
  partKinds,
  partsBetween,
  same,
  strongest,
} from './invoice-amounts.ts';
import { totalCandidates } from './total-candidates.ts';

export type Totals = Partial<Record<AmountKind, AmountCandidate>>;

function chooseTotal(
  reading: DocumentText,
  found: AmountCandidate[],
  itemSum: number | null,
): AmountCandidate | null {
  const candidates = totalCandidates(reading, found, itemSum);
  const chosen = choose(documentScoring().total, candidates, ({ amount }) => amount.value.toFixed(2));
  return chosen && { ...chosen.candidate.amount, confidence: chosen.confidence };
}

/** Rows below a part paid before in which the rest stands. */
const balanceRows = 4;

/**
 * The rest of a sum of which a part was paid before, as a deposit or by instalments: printed below both, and not paid on the
 * same paper.
 */
function balanceOf(
  total: AmountCandidate,
  reading: DocumentText,
  found: AmountCandidate[],
): AmountCandidate | null {
  if (found.some(({ kind, value }) => kind === 'change' && value !== 0)) return null;
  const below = found.filter(({ kind, row, value }) => kind === 'paid' && row > total.row && value !== 0);
  // Of instalments and their sum on one row the last is the sum.
  const paid = below.filter(({ row }, at) => below[at + 1]?.row !== row);
  const [first] = paid;
  if (!first) return null;
  const rows = reading.rows.slice(first.row + 1, paid.at(-1)!.row + 1 + balanceRows);
  for (const { pieces, text } of rows) {
    if (!/\p{L}{2}/u.test(text)) continue;
    for (const placed of amountsOfRow(pieces, reading)) {
      const { row } = placed.piece;
      const before = paid.filter((part) => part.row < row);
      const left = total.value - before.reduce((sum, { value }) => sum + Math.abs(value), 0);
      const { value } = placed.amount;
      if (!(value > 0) || !same(value, left) || !isMoney(placed.amount)) continue;
      // The rest was paid as well: the total is the whole.
      const isSettled = paid.some((part) => part.row >= row && same(Math.abs(part.value), value));
      if (isSettled) return null;
      const label = text.slice(0, Math.max(0, text.indexOf(placed.amount.raw))).trim();
      return candidate(placed, 'total', { confidence: total.confidence, label, rate: null });
    }
  }
  return null;
}

/** Rows below the sums of two columns in which their difference stands, and the least share of the charges that it is. */
const [differenceRows, minDifference] = [3, 0.05];

/** The rest of a folio or statement: the difference of the sums of two columns, charges and credits, with words below them. */
function differenceOf(total: AmountCandidate, reading: DocumentText): AmountCandidate | null {
  for (const { pieces, text } of reading.rows) {
    const sums = amountsOfRow(pieces, reading).filter(({ amount }) => isMoney(amount));
    const [charges, credits] = sums.map(({ amount }) => amount.value) as [number, number];
    const isSums =
      sums.length === 2 && charges > credits && credits > 0 && documentWords().parties.sum_word.test(text);
    if (!isSums || ![charges, credits].some((value) => same(value, total.value))) continue;
    const { row } = sums[0]!.piece;
    for (const below of reading.rows.slice(row + 1, row + 1 + differenceRows)) {
      const own = amountsOfRow(below.pieces, reading);
      const [rest] = own;
      if (own.length !== 1 || !same(rest!.amount.value, charges - credits)) continue;
      if (rest!.amount.value < minDifference * charges) continue;
      const label = below.text.slice(0, Math.max(0, below.text.indexOf(rest!.amount.raw))).trim();
      if (documentWords().parties.sum_word.test(label))
        return candidate(rest!, 'total', { confidence: total.confidence, label, rate: null });
    }
  }
  return null;
}

/** The subtotal and parts that, with the chosen total, add up; else each kind's strongest, with less confidence. */
function chooseParts(found: AmountCandidate[], total: AmountCandidate): Totals {
  let best: Totals | null = null;
  for (const subtotal of strongest(found, 'subtotal')) {
    const parts = partsBetween(subtotal.value, total.value, found);
    if (parts && (!best || Object.keys(parts).length + 1 > Object.keys(best).length))
      best = { subtotal, ...parts };
  }
  return withRest(best ?? {}, found);
}

const sideKinds = ['subtotal', ...partKinds, 'paid', 'change'] as const;

function withRest(chosen: Totals, found: AmountCandidate[]): Totals {
  const totals: Totals = {};
  const addsUp = chosen.subtotal !== undefined;
  for (const kind of sideKinds) {
    const pick = chosen[kind];
    const fallback = strongest(found, kind)[0];
    if (pick) totals[kind] = { ...pick, confidence: Math.max(pick.confidence * 0.9, 0.93) };
    else if (fallback)
      totals[kind] = {
        ...fallback,
        confidence: fallback.confidence * (addsUp && fallback.value !== 0 ? 0.55 : 0.75),
      };
  }
  return totals;
}

export function readTotals(reading: DocumentText, found: AmountCandidate[], itemSum: number | null): Totals {
  const total = chooseTotal(reading, found, itemSum);
  if (!total) return withRest({}, found);
  const rest = balanceOf(total, reading, found) ?? differenceOf(total, reading);
  return { ...chooseParts(found, total), total: rest ?? total };
}
