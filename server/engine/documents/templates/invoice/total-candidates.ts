/** Every amount of a paper that may be its total, with what speaks for and against each. */

import type { DocumentText, TextRow } from '../../fields/reading.ts';
import { median } from '../../layout/median.ts';
import type { Features } from '../../scoring/boosted-trees.ts';
import type { AmountKind } from '../../vocabulary/vocabulary.ts';
import { documentWords } from '../../vocabulary/words.ts';
import {
  type AmountCandidate,
  amountsOfRow,
  candidate,
  confirmations,
  isMoney,
  near,
  type PlacedAmount,
  same,
} from './invoice-amounts.ts';

export interface TotalCandidate {
  amount: AmountCandidate;
  features: Features;
}

interface Entry extends PlacedAmount {
  row: TextRow;
  index: number;
  named: AmountCandidate[];
  count: number;
}

const flag = (value: boolean): number => (value ? 1 : 0);
/** Rows below its heading that a section takes at most. */
const sectionRows = 6;
const totalWord =
  /tot|sum|pay|due|balanc|betrag|betal|zahl|zap|import|bayar|jumlah|nett?\b|razem|合|总|付|額|额/iu;

function entriesOf(reading: DocumentText, found: AmountCandidate[]): Entry[] {
  return reading.rows.flatMap((row, index) => {
    const placed = amountsOfRow(row.pieces, reading);
    const named = found.filter((other) => other.row === index);
    const money = placed.filter(
      ({ amount }) => isMoney(amount) || named.some(({ raw }) => raw === amount.raw && !amount.percent),
    );
    return money.map((each) => ({
      ...each,
      row,
      index,
      named: named.filter(({ raw }) => raw === each.amount.raw),
      count: money.length,
    }));
  });
}

/** Greatest number of amounts in a row without a name, one a line, that add up to a value; 0 if none do. */
function addends(value: number, unnamed: readonly number[]): number {
  let longest = 0;
  for (let from = 0; from < unnamed.length; from++) {
    let sum = 0;
    for (let to = from; to < unnamed.length; to++) {
      sum += unnamed[to]!;
      if (near(sum, value)) longest = Math.max(longest, to - from + 1);
    }
  }
  return longest;
}

/** Rows since the heading of a section that the row is still in; 0 outside. */
function sectionDepths(reading: DocumentText, kind: 'tax_summary' | 'return' | 'loyalty'): number[] {
  let heading = -sectionRows - 1;
  return reading.rows.map(({ text }, index) => {
    if (documentWords().sections[kind].test(text)) heading = index;
    return index - heading < sectionRows ? index - heading + 1 : 0;
  });
}

/** A function of numbers that computes each value once. */
function once(compute: (value: number) => number): (value: number) => number {
  const known = new Map<number, number>();
  return (value) => {
    const result = known.get(value) ?? compute(value);
    known.set(value, result);
    return result;
  };
}

const maxUnnamed = 80;
/** Statements have thousands of amounts: the total of one stands near its end, or has a name. */
const maxEntries = 200;

/**
 * Candidates in the order of the page.
 * @param itemSum sum of the line items, in the paper's currency, where every one has an amount
 */
export function totalCandidates(
  reading: DocumentText,
  found: AmountCandidate[],
  itemSum: number | null,
): TotalCandidate[] {
  const all = entriesOf(reading, found);
  const entries = all
    .filter(({ named }, at) => named.length > 0 || at >= all.length - maxEntries)
    .slice(-2 * maxEntries);
  const values = entries.map(({ amount }) => amount.value);
  const largest = Math.max(...values.map(Math.abs), 0.01);
  const sizes = entries.map(({ piece }) => piece.size);
  const [size, largestSize] = [median(sizes), Math.max(...sizes)];
  const edge = Math.max(...entries.map(({ piece }) => piece.box[2]));
  const of = (kind: AmountKind): AmountCandidate[] => found.filter((other) => other.kind === kind);
  const [paid, change, subtotals, taxes] = [of('paid'), of('change'), of('subtotal'), of('tax')];
  const firstRowOf = (candidates: AmountCandidate[]): number =>
    Math.min(Number.POSITIVE_INFINITY, ...candidates.map(({ row }) => row));
  const strong = of('total').filter(({ confidence }) => confidence >= 0.75);
  const [paidRow, changeRow, totalRow] = [firstRowOf(paid), firstRowOf(change), firstRowOf(strong)];
  const unnamed = entries
    .filter((entry, at) => entry.named.length === 0 && entries[at + 1]?.index !== entry.index)
    .slice(0, maxUnnamed)
    .map(({ amount }) => amount.value);
  const [summary, returned, loyalty] = (['tax_summary', 'return', 'loyalty'] as const).map((kind) =>
    sectionDepths(reading, kind),
  ) as [number[], number[], number[]];
  const refund = flag(returned.some((depth) => depth > 0));
  const confirmedBy = once((value) => confirmations(value, found, itemSum));
  const addendsOf = once((value) => Math.min(12, addends(value, unnamed)));
  const sorted = [...new Set(values)].toSorted((a, b) => b - a);
  return entries.map((entry, at) => {
    const { piece, amount, row, index, named, count } = entry;
    const { value } = amount;
    const confidenceOf = (...kinds: AmountKind[]): number =>
      Math.max(0, ...named.filter(({ kind }) => kinds.includes(kind)).map(({ confidence }) => confidence));
    const label = row.text.slice(0, Math.max(0, row.text.indexOf(amount.raw)));
    const next = entries.slice(at + 1).find((other) => other.index > index);
    const best = named.find(({ kind }) => kind === 'total') ?? named[0];
    const chosen: AmountCandidate = best
      ? { ...best, kind: 'total' }
      : candidate(entry, 'total', { confidence: 0.5, label: '', rate: null });
    const features: Features = {
      total: confidenceOf('total'),
      subtotal: confidenceOf('subtotal'),
      tax: confidenceOf('tax'),
      rounding: confidenceOf('rounding'),
      paid: confidenceOf('paid'),
      change: confidenceOf('change'),
      discount: confidenceOf('discount'),
      charge: confidenceOf('service_charge', 'shipping'),
      named: named.length,
      worded: flag(/\p{L}{2}/u.test(label)),
      totalWord: flag(totalWord.test(label)),
      labelLength: Math.min(60, label.length),
      colon: flag(/[:：]\s*\S{0,4}\s*$/.test(label)),
      noAmount: flag(documentWords().notAmount.test(row.text)),
      confirmed: confirmedBy(value),
      itemSum: flag(itemSum !== null && near(itemSum, value)),
      addends: addendsOf(value),
      repeats: Math.min(5, values.filter((other) => same(other, value)).length),
      share: value / largest,
      rank: Math.min(8, sorted.indexOf(value)),
      zero: flag(value === 0),
      negative: flag(value < 0),
      refund,
      rowShare: index / reading.rows.length,
      amountsBefore: Math.min(20, at),
      amountsAfter: Math.min(20, entries.length - 1 - at),
      size: piece.size / size,
      ofLargest: piece.size / largestSize,
      bold: flag(piece.words.every(({ bold }) => bold)),
      toEdge: (edge - piece.box[2]) / piece.size,
      inRow: count,
      lastInRow: flag(entries[at + 1]?.index !== index),
      currency: flag(amount.currency !== null),
      percent: flag(/%/.test(row.text)),
      decimals: amount.decimals,
      inSummary: summary[index]!,
      inReturn: returned[index]!,
      inLoyalty: loyalty[index]!,
      afterPaid: flag(index > paidRow),
      afterChange: flag(index > changeRow),
      afterTotal: flag(index > totalRow),
      nextPaid: flag(next?.named.some(({ kind }) => kind === 'paid') ?? false),
      nextRounding: flag(next?.named.some(({ kind }) => kind === 'rounding') ?? false),
      nextTotal: flag(next?.named.some(({ kind }) => kind === 'total') ?? false),
      isPaid: flag(paid.some((other) => same(other.value, value))),
      isPaidLessChange: flag(
        paid.some((other) =>
          change.some((back) => back.value !== 0 && same(other.value - Math.abs(back.value), value)),
        ),
      ),
      isTaxed: flag(
        subtotals.some((base) => taxes.some((tax) => tax.value !== 0 && near(base.value + tax.value, value))),
      ),
    };
    return { amount: chosen, features };
  });
}
