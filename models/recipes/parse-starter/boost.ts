/**
 * Trains gradient-boosted trees (Friedman 2001, Newton leaves) on binned features, by the likelihood of the right
 * candidate among all of its paper and none of them, or of every candidate by itself. Repeatable.
 */

import { type Features, type Ranker, rowOf } from '../../../server/engine/documents/scoring/boosted-trees.ts';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';

export interface Row {
  features: Features;
  right: boolean;
  weight: number;
  /** Number of its paper: rows of a paper follow each other. */
  paper: number;
  /** Score by trees that are there already; that of the bias alone where none are. */
  start?: number;
}

export interface BoostOptions {
  trees: number;
  depth: number;
  rate: number;
  /** Least sum of second derivatives in a leaf. */
  minLeaf: number;
  rowShare: number;
  /** Papers are sampled whole, so that no choice lacks its rivals. */
  wholePapers?: boolean;
  featureShare: number;
  /** `choice`: the right one among all of its paper and none of them; `each`: every candidate by itself. */
  loss: 'choice' | 'each';
}

const binCount = 32;
/** Values beyond the last edge have a bin of their own. */
const slots = binCount + 1;
const penalty = 2;
/** Edges of bins are told by about so many rows. */
const edgeRows = 12_000;

interface Binned {
  /** Bins row by row: those of one row lie together. */
  table: Uint8Array;
  /** Upper edges of the bins, feature by feature. */
  edges: number[][];
}

function toBins(rows: readonly Row[], names: readonly string[]): Binned {
  const edges: number[][] = [];
  const table = new Uint8Array(rows.length * names.length);
  const lists = rows.map(({ features }) => rowOf(features));
  const every = Math.ceil(rows.length / edgeRows);
  const sample = lists.filter((_, row) => row % every === 0);
  for (const feature of names.keys()) {
    const sorted = [...new Set(sample.map((values) => values[feature]!))].sort((a, b) => a - b);
    const step = Math.max(1, sorted.length / binCount);
    const own: number[] = [];
    for (let at = step; at < sorted.length; at += step) {
      const index = Math.floor(at);
      own.push((sorted[index - 1]! + sorted[index]!) / 2);
    }
    edges.push(own);
    for (const [row, values] of lists.entries()) {
      const value = values[feature]!;
      let bin = 0;
      while (bin < own.length && value > own[bin]!) bin++;
      table[row * names.length + feature] = bin;
    }
  }
  return { table, edges };
}

/** Ends of the runs of rows that are of one paper. */
function papersOf(rows: readonly Row[]): [from: number, to: number][] {
  const starts = rows.flatMap(({ paper }, at) => (rows[at - 1]?.paper === paper ? [] : [at]));
  return starts.map((from, at) => [from, starts[at + 1] ?? rows.length]);
}
const rounded = (value: number): number => Number(value.toPrecision(4));

interface Split {
  gain: number;
  feature: number;
  bin: number;
}

export function boost(
  rows: readonly Row[],
  options: BoostOptions,
  chance: Chance,
): Pick<Ranker, 'bias' | 'trees' | 'features'> {
  const names = Object.keys(rows[0]!.features);
  const { table, edges } = toBins(rows, names);
  const wide = names.length;
  const weightOf = (right: boolean): number =>
    rows.reduce((sum, row) => sum + (row.right === right ? row.weight : 0), 0);
  const bias = rounded(Math.log(weightOf(true) / weightOf(false)));
  const scores = Float64Array.from(rows, ({ start }) => start ?? bias);
  const byChoice = options.loss === 'choice';
  const papers = papersOf(rows);
  const odds = new Float64Array(rows.length);
  const [slope, bend] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  const weights = Float64Array.from(rows, ({ weight }) => weight);
  const rights = Float64Array.from(rows, ({ right }) => (right ? 1 : 0));
  const trees: Ranker['trees'] = [];

  /** Sums of slopes, then of bends, by bin: those of a node are those of its children together. */
  const sumsOf = (members: Int32Array, features: readonly number[]): Float64Array => {
    const sums = new Float64Array(2 * slots * features.length);
    const asked = Int32Array.from(features);
    for (let member = 0; member < members.length; member++) {
      const row = members[member]!;
      const [from, own, ownBend] = [row * wide, slope[row]!, bend[row]!];
      for (let at = 0; at < asked.length; at++) {
        const bin = 2 * slots * at + table[from + asked[at]!]!;
        sums[bin]! += own;
        sums[bin + slots]! += ownBend;
      }
    }
    return sums;
  };

  const bestSplit = (sums: Float64Array, features: readonly number[]): Split | null => {
    let best: Split | null = null;
    const total = (from: number): number =>
      sums.subarray(from, from + slots).reduce((all, part) => all + part, 0);
    const [all, allBend] = [total(0), total(slots)];
    const own = all ** 2 / (allBend + penalty);
    for (const [at, feature] of features.entries()) {
      let [left, leftBend] = [0, 0];
      for (let bin = 0; bin < edges[feature]!.length; bin++) {
        left += sums[2 * slots * at + bin]!;
        leftBend += sums[2 * slots * at + slots + bin]!;
        const rightBend = allBend - leftBend;
        if (leftBend < options.minLeaf || rightBend < options.minLeaf) continue;
        const gain = left ** 2 / (leftBend + penalty) + (all - left) ** 2 / (rightBend + penalty) - own;
        if (gain > (best?.gain ?? 1e-3)) best = { gain, feature, bin };
      }
    }
    return best;
  };

  for (let round = 0; round < options.trees; round++) {
    for (const [from, to] of papers) {
      let [all, right] = [1, 0];
      for (let row = from; row < to; row++) {
        odds[row] = Math.exp(scores[row]!);
        all += odds[row]!;
        right += rights[row]! * odds[row]!;
      }
      for (let row = from; row < to; row++) {
        const p = byChoice ? odds[row]! / all : odds[row]! / (1 + odds[row]!);
        const aim = byChoice && right > 0 ? (rights[row]! * odds[row]!) / right : rights[row]!;
        slope[row] = weights[row]! * (aim - p);
        bend[row] = weights[row]! * p * (1 - p);
      }
    }
    const tree: Ranker['trees'][number] = { feature: [], threshold: [], left: [], right: [], value: [] };
    const bins: number[] = [];
    const features = names.map((_, index) => index).filter(() => chance.happens(options.featureShare));
    const isSampled = (): boolean => chance.happens(options.rowShare);
    const all = Int32Array.from({ length: rows.length }, (_, index) => index);
    const sample = options.wholePapers
      ? Int32Array.from(papers.filter(isSampled).flatMap(([from, to]) => [...all.subarray(from, to)]))
      : all.filter(isSampled);
    const grow = (members: Int32Array, depth: number, sums: Float64Array | null): number => {
      const node = tree.feature.length;
      const split = sums && bestSplit(sums, features);
      let [sum, bends] = [0, 0];
      for (const row of members) {
        sum += slope[row]!;
        bends += bend[row]!;
      }
      tree.feature.push(split?.feature ?? -1);
      bins.push(split?.bin ?? 0);
      tree.threshold.push(split ? edges[split.feature]![split.bin]! : 0);
      tree.value.push(split ? 0 : rounded((options.rate * sum) / (bends + penalty)));
      tree.left.push(0);
      tree.right.push(0);
      if (!split) return node;
      const binOf = (row: number): number => table[row * wide + split.feature]!;
      const left = members.filter((row) => binOf(row) <= split.bin);
      const right = members.filter((row) => binOf(row) > split.bin);
      const isLast = depth + 1 === options.depth;
      const fewer = isLast ? null : sumsOf(left.length < right.length ? left : right, features);
      const more = fewer && sums.map((all, at) => all - fewer[at]!);
      const [leftSums, rightSums] = left.length < right.length ? [fewer, more] : [more, fewer];
      tree.left[node] = grow(left, depth + 1, leftSums);
      tree.right[node] = grow(right, depth + 1, rightSums);
      return node;
    };
    grow(sample, 0, sumsOf(sample, features));
    trees.push(tree);
    for (let row = 0; row < rows.length; row++) {
      let node = 0;
      while (tree.feature[node]! >= 0)
        node = table[row * wide + tree.feature[node]!]! <= bins[node]! ? tree.left[node]! : tree.right[node]!;
      scores[row]! += tree.value[node]!;
    }
  }
  return { features: names, bias, trees };
}
