/**
 * Trains gradient-boosted trees (Friedman 2001, Newton leaves) on binned features, by the likelihood of the right
 * candidate among all of its paper and none of them, or of every candidate by itself. Repeatable.
 */

import type { Features, Ranker } from '../../../server/engine/documents/scoring/boosted-trees.ts';
import type { Chance } from '../../../test/support/documents/specimens/chance.ts';

export interface Row {
  features: Features;
  right: boolean;
  weight: number;
  /** Number of its paper: rows of a paper follow each other. */
  paper: number;
}

export interface BoostOptions {
  trees: number;
  depth: number;
  rate: number;
  /** Least sum of second derivatives in a leaf. */
  minLeaf: number;
  rowShare: number;
  featureShare: number;
  /** `choice`: the right one among all of its paper and none of them; `each`: every candidate by itself. */
  loss: 'choice' | 'each';
}

const binCount = 32;
const penalty = 2;

interface Binned {
  columns: Uint8Array[];
  /** Upper edges of the bins, feature by feature. */
  edges: number[][];
}

function toBins(rows: readonly Row[], names: readonly string[]): Binned {
  const edges: number[][] = [];
  const columns = names.map((name) => {
    const values = Float64Array.from(rows, ({ features }) => features[name]!);
    const sorted = [...new Set(values)].sort((a, b) => a - b);
    const step = Math.max(1, sorted.length / binCount);
    const own: number[] = [];
    for (let at = step; at < sorted.length; at += step) {
      const index = Math.floor(at);
      own.push((sorted[index - 1]! + sorted[index]!) / 2);
    }
    edges.push(own);
    return Uint8Array.from(values, (value) => {
      let bin = 0;
      while (bin < own.length && value > own[bin]!) bin++;
      return bin;
    });
  });
  return { columns, edges };
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
  const { columns, edges } = toBins(rows, names);
  const weightOf = (right: boolean): number =>
    rows.reduce((sum, row) => sum + (row.right === right ? row.weight : 0), 0);
  const bias = rounded(Math.log(weightOf(true) / weightOf(false)));
  const scores = new Float64Array(rows.length).fill(bias);
  const byChoice = options.loss === 'choice';
  const papers = papersOf(rows);
  const odds = new Float64Array(rows.length);
  const [slope, bend] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  const weights = Float64Array.from(rows, ({ weight }) => weight);
  const rights = Float64Array.from(rows, ({ right }) => (right ? 1 : 0));
  const trees: Ranker['trees'] = [];

  const bestSplit = (members: Int32Array, features: readonly number[]): Split | null => {
    let best: Split | null = null;
    let [all, allBend] = [0, 0];
    for (const row of members) {
      all += slope[row]!;
      allBend += bend[row]!;
    }
    const own = all ** 2 / (allBend + penalty);
    for (const feature of features) {
      const column = columns[feature]!;
      const [sums, bends] = [new Float64Array(binCount + 1), new Float64Array(binCount + 1)];
      for (const row of members) {
        sums[column[row]!]! += slope[row]!;
        bends[column[row]!]! += bend[row]!;
      }
      let [left, leftBend] = [0, 0];
      for (let bin = 0; bin < edges[feature]!.length; bin++) {
        left += sums[bin]!;
        leftBend += bends[bin]!;
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
    const sample = Int32Array.from({ length: rows.length }, (_, index) => index).filter(() =>
      chance.happens(options.rowShare),
    );
    const grow = (members: Int32Array, depth: number): number => {
      const node = tree.feature.length;
      const split = depth < options.depth ? bestSplit(members, features) : null;
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
      const column = columns[split.feature]!;
      tree.left[node] = grow(
        members.filter((row) => column[row]! <= split.bin),
        depth + 1,
      );
      tree.right[node] = grow(
        members.filter((row) => column[row]! > split.bin),
        depth + 1,
      );
      return node;
    };
    grow(sample, 0);
    trees.push(tree);
    for (let row = 0; row < rows.length; row++) {
      let node = 0;
      while (tree.feature[node]! >= 0)
        node = columns[tree.feature[node]!]![row]! <= bins[node]! ? tree.left[node]! : tree.right[node]!;
      scores[row]! += tree.value[node]!;
    }
  }
  return { features: names, bias, trees };
}
