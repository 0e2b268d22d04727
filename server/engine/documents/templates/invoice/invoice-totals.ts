/** The total of an invoice or receipt, chosen among all its amounts by what was learnt, and the parts that add up to it. */

import type { DocumentText } from '../../fields/reading.ts';
import { choose } from '../../scoring/boosted-trees.ts';
import type { AmountKind } from '../../vocabulary/vocabulary.ts';
import { documentScoring } from '../../vocabulary/words.ts';
import { type AmountCandidate, partKinds, partsBetween, strongest } from './invoice-amounts.ts';
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
  return { ...chooseParts(found, total), total };
}
