/** Tags of a text as a chain (linear-chain CRF): a token's own logits, and weights of a tag after another. */

/** Outside; then for each of five kinds its first token and those that go on with it. */
export const entityTagCount = 11;

/**
 * Ties of a token to the one before it, each with its own weights: none, one run of capitalized words, one Chinese word, a change
 * between Chinese and other words.
 */
export const linkCount = 4;

export interface TagChain {
  count: number;
  /** A row of `entityTagCount` for each token. */
  logits: Float64Array;
  /** Tie of each token to the one before it. */
  links: Uint8Array;
  /** For each tie a table: from tag × to tag. */
  transitions: Float64Array;
}

/** Only a span's own kind goes on with it: its first tag or the same one stands before. */
const goesOn = (tag: number): boolean => tag > 0 && tag % 2 === 0;
const firstBefore = (tag: number): number => (goesOn(tag) ? tag - 1 : 0);
const lastBefore = (tag: number): number => (goesOn(tag) ? tag : entityTagCount - 1);
const mayFollow = (before: number, tag: number): boolean =>
  before >= firstBefore(tag) && before <= lastBefore(tag);

const tableSize = entityTagCount * entityTagCount;

/** Sums of a chain, scaled for each token: probabilities of its tags are `forward` × `backward`. */
export interface ChainSums {
  forward: Float64Array;
  backward: Float64Array;
  scales: Float64Array;
  /** Of each token's tag and of each step, not logarithms; 0 where a step is not allowed. */
  own: Float64Array;
  steps: Float64Array;
}

export function sumChain({ count, logits, links, transitions }: TagChain): ChainSums {
  const steps = transitions.map((weight, cell) =>
    mayFollow(Math.floor((cell % tableSize) / entityTagCount), cell % entityTagCount) ? Math.exp(weight) : 0,
  );
  const own = new Float64Array(count * entityTagCount);
  for (let at = 0; at < own.length; at += entityTagCount) {
    let most = logits[at]!;
    for (let tag = 1; tag < entityTagCount; tag++) if (logits[at + tag]! > most) most = logits[at + tag]!;
    for (let tag = 0; tag < entityTagCount; tag++)
      own[at + tag] = Math.exp(Math.max(-60, logits[at + tag]! - most));
  }
  const forward = new Float64Array(own.length);
  const backward = new Float64Array(own.length).fill(1);
  const scales = new Float64Array(count);
  for (let token = 0; token < count; token++) {
    const [row, table] = [token * entityTagCount, links[token]! * tableSize];
    let total = 0;
    for (let tag = 0; tag < entityTagCount; tag++) {
      let sum = 0;
      if (token === 0) sum = mayFollow(0, tag) ? 1 : 0;
      else
        for (let from = firstBefore(tag); from <= lastBefore(tag); from++)
          sum += forward[row - entityTagCount + from]! * steps[table + from * entityTagCount + tag]!;
      total += forward[row + tag] = sum * own[row + tag]!;
    }
    scales[token] = total;
    for (let tag = 0; tag < entityTagCount; tag++) forward[row + tag]! /= total;
  }
  for (let token = count - 1; token > 0; token--) {
    const [row, table] = [token * entityTagCount, links[token]! * tableSize];
    backward.fill(0, row - entityTagCount, row);
    for (let tag = 0; tag < entityTagCount; tag++) {
      const after = (own[row + tag]! * backward[row + tag]!) / scales[token]!;
      for (let from = firstBefore(tag); from <= lastBefore(tag); from++)
        backward[row - entityTagCount + from]! += steps[table + from * entityTagCount + tag]! * after;
    }
  }
  return { forward, backward, scales, own, steps };
}

/** The likeliest tags (Viterbi). */
export function bestTags({ count, logits, links, transitions }: TagChain): Uint8Array {
  const from = new Uint8Array(count * entityTagCount);
  let scores = new Float64Array(entityTagCount);
  for (let at = 0; at < count; at++) {
    const next = new Float64Array(entityTagCount).fill(Number.NEGATIVE_INFINITY);
    const table = links[at]! * tableSize;
    for (let tag = 0; tag < entityTagCount; tag++) {
      const own = logits[at * entityTagCount + tag]!;
      if (at === 0 && !mayFollow(0, tag)) continue;
      for (let before = firstBefore(tag); before <= (at === 0 ? 0 : lastBefore(tag)); before++) {
        const step = at === 0 ? 0 : transitions[table + before * entityTagCount + tag]!;
        const score = scores[before]! + step + own;
        if (score <= next[tag]!) continue;
        next[tag] = score;
        from[at * entityTagCount + tag] = before;
      }
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
