/** Gradient-boosted trees over named features: a score for each candidate, and how sure the best one is. */

import { type Static, Type } from 'typebox';

const numbers = Type.Array(Type.Number());
const indices = Type.Array(Type.Integer());

/** A tree as parallel lists over its nodes: at a leaf `feature` is -1 and `value` its part of the score. */
const treeSchema = Type.Object(
  { feature: indices, threshold: numbers, left: indices, right: indices, value: numbers },
  { additionalProperties: false },
);

export const rankerSchema = Type.Object(
  {
    features: Type.Array(Type.String()),
    bias: Type.Number(),
    trees: Type.Array(treeSchema),
    /** Shares that are right on held-back families, by the raw sureness of the choice; both rise. */
    calibration: Type.Array(Type.Tuple([Type.Number(), Type.Number()]), { minItems: 2 }),
  },
  { additionalProperties: false },
);
export type Ranker = Static<typeof rankerSchema>;
type Tree = Static<typeof treeSchema>;

/** Values by feature, in the order of the ranker's list. */
export type Features = Record<string, number>;

const rows = new WeakMap<Features, Float64Array>();

/** The values alone: several rankers score the same features, and listing those of many names is slow. */
export function rowOf(features: Features): Float64Array {
  const known = rows.get(features) ?? Float64Array.from(Object.values(features));
  rows.set(features, known);
  return known;
}

const places = new WeakMap<object, Int32Array>();

/** Places of a ranker's features in rows of these: there may be more than it knows. */
function placesOf(ranker: Pick<Ranker, 'features'>, features: Features): Int32Array {
  let known = places.get(ranker);
  if (!known) {
    const names = Object.keys(features);
    known = Int32Array.from(ranker.features, (name) => names.indexOf(name));
    places.set(ranker, known);
  }
  return known;
}

function leafValue(
  { feature, threshold, left, right, value }: Tree,
  row: Float64Array,
  at: Int32Array,
): number {
  let node = 0;
  while (feature[node]! >= 0)
    node = row[at[feature[node]!]!]! <= threshold[node]! ? left[node]! : right[node]!;
  return value[node]!;
}

/** Log odds that a candidate is right. */
export function scoreOf(ranker: Pick<Ranker, 'bias' | 'trees' | 'features'>, features: Features): number {
  const [row, at] = [rowOf(features), placesOf(ranker, features)];
  let sum = ranker.bias;
  for (const tree of ranker.trees) sum += leafValue(tree, row, at);
  return sum;
}

/** Odds of the best against none and against all candidates of another value, 0..1. */
export function sureness(best: number, others: readonly number[]): number {
  const odds = Math.exp(best);
  return odds / (1 + odds + others.reduce((sum, score) => sum + Math.exp(score), 0));
}

/** The share that is right at a raw sureness, between the points of the table. */
export function calibrated({ calibration }: Pick<Ranker, 'calibration'>, raw: number): number {
  const at = calibration.findIndex(([from]) => from >= raw);
  if (at < 0) return calibration.at(-1)![1];
  if (at === 0) return calibration[0]![1];
  const [[x0, y0], [x1, y1]] = [calibration[at - 1]!, calibration[at]!];
  return y0 + ((y1 - y0) * (raw - x0)) / Math.max(1e-9, x1 - x0);
}

export interface Choice<C> {
  candidate: C;
  confidence: number;
}

export interface Scored<C> {
  candidate: C;
  score: number;
}

/** Candidates with their scores, the best first. */
export const rankCandidates = <C extends { features: Features }>(
  ranker: Ranker,
  candidates: readonly C[],
): Scored<C>[] =>
  candidates
    .map((candidate) => ({ candidate, score: scoreOf(ranker, candidate.features) }))
    .sort((a, b) => b.score - a.score);

/** One of the candidates, and the share of choices of such a score among the others that are right. */
export function choiceOf<C>(
  ranker: Ranker,
  ranked: readonly Scored<C>[],
  { candidate, score }: Scored<C>,
  keyOf: (candidate: C) => string,
): Choice<C> {
  const key = keyOf(candidate);
  const others = ranked.filter((other) => keyOf(other.candidate) !== key).map((other) => other.score);
  return { candidate, confidence: calibrated(ranker, sureness(score, others)) };
}

/** The candidate with the highest score, and the share of such choices that are right. */
export function choose<C extends { features: Features }>(
  ranker: Ranker,
  candidates: readonly C[],
  keyOf: (candidate: C) => string,
): Choice<C> | null {
  const ranked = rankCandidates(ranker, candidates);
  return ranked.length === 0 ? null : choiceOf(ranker, ranked, ranked[0]!, keyOf);
}
