/** Persons, organizations, places, dates and job titles of a text by a linear-chain model over hashed features. */
import type { Steps } from '../steps.ts';
import { entityFeatures } from './entity-features.ts';
import { type EntityToken, entityTokens } from './entity-tokens.ts';
import type { EntityWords } from './entity-words.ts';
import { bestTags, entityTagCount, sumChain, type TagChain } from './tag-chain.ts';

export const entityKinds = ['name', 'organization', 'place', 'date', 'job_title'] as const;
export type EntityKind = (typeof entityKinds)[number];

export interface EntityModel {
  /** A row of `entityTagCount` weights for each feature; row 0 is the bias. */
  weights: Int8Array;
  /** Logits a unit of weight, by tag. */
  scales: Float32Array;
  /** Weights of a tag after another, for each tie of their tokens. */
  transitions: Float64Array;
  words: EntityWords;
  names: EntityWords;
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

export interface TaggedText {
  /** Spans in order, without overlaps, of every certainty. */
  found: EntityMatch[];
  /** Mean probability that the tokens of a stretch of text belong to a person's name. */
  nameOdds: (start: number, end: number) => number;
}

export function* tagText(text: string, model: TaggerModel): Steps<TaggedText> {
  const tokens = entityTokens(text);
  const chain = yield* tokenChain(tokens, model);
  const { forward, backward } = sumChain(chain);
  const odds = forward;
  for (let cell = 0; cell < odds.length; cell++) odds[cell]! *= backward[cell]!;
  const tags = bestTags(chain);
  const found: EntityMatch[] = [];
  for (let at = 0; at < tokens.length; ) {
    const kind = (tags[at]! - 1) >> 1;
    const from = at++;
    if (tags[from] === 0) continue;
    while (at < tokens.length && tags[at] === 2 * kind + 2) at++;
    found.push(toMatch(tokens, odds, { kind, from, to: at }));
  }
  return { found, nameOdds: (start, end) => nameOdds(tokens, odds, { start, end }) };
}

export function* tagEntities(text: string, model: TaggerModel): Steps<EntityMatch[]> {
  return (yield* tagText(text, model)).found;
}

/** It reaches the threshold of its kind. */
export const isSure = ({ kind, script, certainty }: EntityMatch, { thresholds }: EntityModel): boolean =>
  certainty >= thresholds[script][kind];

/** The spans that are sure. */
export function* surelyTagged(text: string, model: EntityModel): Steps<TaggedText> {
  const { found, nameOdds } = yield* tagText(text, model);
  return { found: found.filter((match) => isSure(match, model)), nameOdds };
}

/** The first token that ends behind `offset`; tokens are in order. */
function tokenAt(tokens: readonly EntityToken[], offset: number): number {
  let [low, high] = [0, tokens.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nameOdds(
  tokens: readonly EntityToken[],
  odds: Float64Array,
  { start, end }: { start: number; end: number },
): number {
  const from = tokenAt(tokens, start);
  let [to, sum] = [from, 0];
  for (; to < tokens.length && tokens[to]!.start < end; to++)
    sum += odds[to * entityTagCount + 1]! + odds[to * entityTagCount + 2]!;
  return to > from ? sum / (to - from) : 1;
}

function toMatch(
  tokens: readonly EntityToken[],
  odds: Float64Array,
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

function* tokenChain(
  tokens: readonly EntityToken[],
  { weights, scales, transitions, ...known }: TaggerModel,
): Steps<TagChain> {
  const buckets = weights.length / entityTagCount;
  const logits = new Float64Array(tokens.length * entityTagCount);
  const links = new Uint8Array(tokens.length);
  const sums = new Int32Array(entityTagCount);
  let at = 0;
  for (const { ids, link } of entityFeatures(tokens, buckets, known)) {
    if (at % tokensPerStep === tokensPerStep - 1) yield;
    sums.fill(0);
    for (let each = 0; each < ids.length; each++) {
      const row = ids[each]! * entityTagCount;
      for (let tag = 0; tag < entityTagCount; tag++) sums[tag]! += weights[row + tag]!;
    }
    for (let tag = 0; tag < entityTagCount; tag++)
      logits[at * entityTagCount + tag] = (sums[tag]! + weights[tag]!) * scales[tag]!;
    links[at] = link;
    at += 1;
  }
  return { count: tokens.length, logits, links, transitions };
}
