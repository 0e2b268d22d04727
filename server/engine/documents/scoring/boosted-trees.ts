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

function leafValue({ feature, threshold, left, right, value }: Tree, row: readonly number[]): number {
  let node = 0;
  while (feature[node]! >= 0) node = row[feature[node]!]! <= threshold[node]! ? left[node]! : right[node]!;
  return value[node]!;
}

/** Log odds that a candidate is right. */
export function scoreOf({ bias, trees }: Pick<Ranker, 'bias' | 'trees'>, features: Features): number {
  const row = Object.values(features);
  return trees.reduce((sum, tree) => sum + leafValue(tree, row), bias);
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
