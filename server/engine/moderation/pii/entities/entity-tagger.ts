/** Persons, organizations, places, dates and job titles of a text by a linear model over hashed features. */
import type { Steps } from '../../../steps.ts';
import { entityFeatures } from './entity-features.ts';
import { type EntityToken, entityTokens } from './entity-tokens.ts';
import type { EntityWords } from './entity-words.ts';

export const entityKinds = ['name', 'organization', 'place', 'date', 'job_title'] as const;
export type EntityKind = (typeof entityKinds)[number];

/** Outside; then for each kind its first token and those that go on with it. */
export const entityTagCount = 1 + 2 * entityKinds.length;

export interface EntityModel {
  /** A row of `entityTagCount` weights for each feature; row 0 is the bias. */
  weights: Int8Array;
  /** Logits a unit of weight, by tag. */
  scales: Float32Array;
  words: EntityWords;
  /** Mean certainty of a span's tokens from which it counts, by the script it begins in. */
  thresholds: Record<EntityScript, Record<EntityKind, number>>;
}

/** Gives every span its certainty; thresholds say which of them count. */
type TaggerModel = Omit<EntityModel, 'thresholds'>;

export const entityScripts = ['latin', 'han'] as const;
/** Chinese, and all else. */
export type EntityScript = (typeof entityScripts)[number];

/** A span of one kind, UTF-16 offsets, with the mean certainty of its tokens. */
export interface EntityMatch {
  kind: EntityKind;
  start: number;
  end: number;
  script: EntityScript;
  certainty: number;
}

/** Spans in order, without overlaps, of every certainty. */
export function* tagEntities(text: string, model: TaggerModel): Steps<EntityMatch[]> {
  const tokens = entityTokens(text);
  const odds = yield* tokenOdds(tokens, model);
  const tags = bestTags(odds, tokens.length);
  const found: EntityMatch[] = [];
  for (let at = 0; at < tokens.length; ) {
    const kind = (tags[at]! - 1) >> 1;
    const from = at++;
    if (tags[from] === 0) continue;
    while (at < tokens.length && tags[at] === 2 * kind + 2) at++;
    found.push(toMatch(tokens, odds, { kind, from, to: at }));
  }
  return found;
}

/** The spans that reach the threshold of their kind. */
export function* surelyTagged(text: string, model: EntityModel): Steps<EntityMatch[]> {
  const found = yield* tagEntities(text, model);
  return found.filter(({ kind, script, certainty }) => certainty >= model.thresholds[script][kind]);
}

function toMatch(
  tokens: readonly EntityToken[],
  odds: Float32Array,
  { kind, from, to }: { kind: number; from: number; to: number },
): EntityMatch {
  let sum = 0;
  for (let at = from; at < to; at++) {
    const row = at * entityTagCount + 2 * kind;
    sum += odds[row + 1]! + odds[row + 2]!;
  }
  return {
    kind: entityKinds[kind]!,
    start: tokens[from]!.start,
    end: tokens[to - 1]!.end,
    script: tokens[from]!.han ? 'han' : 'latin',
    certainty: sum / (to - from),
  };
}

const tokensPerStep = 128;

/** Probabilities of the tags, a row of `entityTagCount` for each token. */
function* tokenOdds(
  tokens: readonly EntityToken[],
  { weights, scales, words }: TaggerModel,
): Steps<Float32Array> {
  const buckets = weights.length / entityTagCount;
  const odds = new Float32Array(tokens.length * entityTagCount);
  const sums = new Int32Array(entityTagCount);
  let at = 0;
  for (const ids of entityFeatures(tokens, buckets, words)) {
    if (at % tokensPerStep === tokensPerStep - 1) yield;
    sums.fill(0);
    for (const id of ids) {
      const row = id * entityTagCount;
      for (let tag = 0; tag < entityTagCount; tag++) sums[tag]! += weights[row + tag]!;
    }
    softmax(
      odds.subarray(at * entityTagCount, (at + 1) * entityTagCount),
      (tag) => (sums[tag]! + weights[tag]!) * scales[tag]!,
    );
    at += 1;
  }
  return odds;
}

function softmax(row: Float32Array, logit: (tag: number) => number): void {
  for (let tag = 0; tag < row.length; tag++) row[tag] = logit(tag);
  const most = Math.max(...row);
  let total = 0;
  for (let tag = 0; tag < row.length; tag++) total += row[tag] = Math.exp(row[tag]! - most);
  for (let tag = 0; tag < row.length; tag++) row[tag]! /= total;
}

/** The likeliest tags of which none goes on with a span that nothing began (Viterbi). */
function bestTags(odds: Float32Array, count: number): Uint8Array {
  const from = new Uint8Array(count * entityTagCount);
  let scores = new Float64Array(entityTagCount);
  for (let at = 0; at < count; at++) {
    const next = new Float64Array(entityTagCount);
    const top = scores.indexOf(Math.max(...scores));
    for (let tag = 0; tag < entityTagCount; tag++) {
      const goesOn = tag > 0 && tag % 2 === 0;
      let best = top;
      if (goesOn) best = scores[tag]! > scores[tag - 1]! ? tag : tag - 1;
      const start = at === 0 && goesOn ? Number.NEGATIVE_INFINITY : scores[best]!;
      next[tag] = start + Math.log(odds[at * entityTagCount + tag]! + 1e-9);
      from[at * entityTagCount + tag] = best;
    }
    scores = next;
  }
  const tags = new Uint8Array(count);
  let tag = scores.indexOf(Math.max(...scores));
  for (let at = count - 1; at >= 0; at--) {
    tags[at] = tag;
    tag = from[at * entityTagCount + tag]!;
  }
  return tags;
}
