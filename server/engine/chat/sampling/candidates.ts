/**
 * Tokens worth drawing, picked out of all logits without sorting them: one pass for the maximum, one for what lies near
 * it, and a heap from which no more than needed is taken. Of 128,000 logits a trained model leaves some hundreds.
 */

/** Tokens beyond e^-24 of the best are left out: together under 10^-5 even if all others of a vocabulary are there. */
const farthest = 24;

export interface CandidateOptions {
  temperature: number;
  topK: number;
  topP: number;
  minP: number;
  /** Allowed tokens (token-mask.ts); null: all. */
  mask: Uint32Array | null;
}

/** Grown as needed and used again: sampling is synchronous. */
let ids = new Int32Array(1024);
let weights = new Float64Array(1024);

/** The likeliest allowed token, the lowest id of equals; -1 when no logit is a number. */
export function argmax(logits: Float32Array, mask: Uint32Array | null): number {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  if (!mask) {
    for (let id = 0; id < logits.length; id += 1) {
      if (logits[id]! > highest) {
        highest = logits[id]!;
        best = id;
      }
    }
    return best;
  }
  forEachAllowed(mask, logits.length, (id) => {
    if (logits[id]! > highest) {
      highest = logits[id]!;
      best = id;
    }
  });
  return best;
}

/** Draws one token by a number in [0, 1). */
export function draw(logits: Float32Array, options: CandidateOptions, random: number): number {
  const { mask, minP, temperature, topK, topP } = options;
  const best = argmax(logits, mask);
  if (best < 0) return best;
  const nearest = minP > 0 ? Math.min(farthest, -Math.log(minP)) : farthest;
  const floor = logits[best]! - temperature * nearest;
  let count = collect(logits, mask, floor);
  if (count === 1) return ids[0]!;
  weigh(logits, count, { highest: logits[best]!, temperature });
  if (topK > 0 || topP < 1) count = takeBest(count, topK || count, topP);
  return pick(count, random);
}

function collect(logits: Float32Array, mask: Uint32Array | null, floor: number): number {
  let count = 0;
  const add = (id: number) => {
    if (count === ids.length) grow();
    ids[count] = id;
    count += 1;
  };
  if (mask) {
    forEachAllowed(mask, logits.length, (id) => {
      if (logits[id]! >= floor) add(id);
    });
  } else {
    for (let id = 0; id < logits.length; id += 1) if (logits[id]! >= floor) add(id);
  }
  return count;
}

function grow(): void {
  const wider = new Int32Array(ids.length * 4);
  wider.set(ids);
  ids = wider;
  weights = new Float64Array(wider.length);
}

function weigh(
  logits: Float32Array,
  count: number,
  { highest, temperature }: { highest: number; temperature: number },
): void {
  for (let at = 0; at < count; at += 1) weights[at] = Math.exp((logits[ids[at]!]! - highest) / temperature);
}

/**
 * Keeps the `topK` best, then as few of them as hold `topP` of their weight; returns how many, best first. A heap hands out
 * the best one by one, so what is not kept is never sorted.
 */
function takeBest(count: number, topK: number, topP: number): number {
  for (let at = (count >> 1) - 1; at >= 0; at -= 1) sink(at, count);
  const limited = topK < count;
  const enough = limited ? Number.POSITIVE_INFINITY : topP * sum(0, count);
  let taken = 0;
  let held = 0;
  while (taken < Math.min(topK, count) && held < enough) {
    taken += 1;
    held += popTo(count - taken);
  }
  if (limited && topP < 1) {
    let part = 0;
    let kept = 0;
    while (kept < taken && part < topP * held) {
      kept += 1;
      part += weights[count - kept]!;
    }
    taken = kept;
  }
  // Popped from the back to the front: turned round, the best comes first.
  for (let at = 0; at < taken; at += 1) swap(at, count - 1 - at);
  return taken;
}

/** Swaps the heap's best with its last place, `end`; returns its weight. */
function popTo(end: number): number {
  swap(0, end);
  sink(0, end);
  return weights[end]!;
}

function sink(from: number, end: number): void {
  let at = from;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= end) return;
    const child = left + 1 < end && isBefore(left + 1, left) ? left + 1 : left;
    if (!isBefore(child, at)) return;
    swap(child, at);
    at = child;
  }
}

/** Heavier first; of equals the lower id, so that the order never depends on how they were found. */
function isBefore(one: number, other: number): boolean {
  const difference = weights[one]! - weights[other]!;
  return difference > 0 || (difference === 0 && ids[one]! < ids[other]!);
}

function swap(one: number, other: number): void {
  const id = ids[one]!;
  const weight = weights[one]!;
  ids[one] = ids[other]!;
  weights[one] = weights[other]!;
  ids[other] = id;
  weights[other] = weight;
}

function sum(from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at += 1) total += weights[at]!;
  return total;
}

function pick(count: number, random: number): number {
  let left = random * sum(0, count);
  for (let at = 0; at < count - 1; at += 1) {
    left -= weights[at]!;
    if (left < 0) return ids[at]!;
  }
  return ids[count - 1]!;
}

/** Empty words are skipped: a strict mask costs a thirty-second of a scan. */
function forEachAllowed(mask: Uint32Array, size: number, visit: (id: number) => void): void {
  for (let word = 0; word < mask.length; word += 1) {
    let bits = mask[word]!;
    while (bits !== 0) {
      const id = word * 32 + (31 - Math.clz32(bits & -bits));
      if (id >= size) return;
      visit(id);
      bits &= bits - 1;
    }
  }
}
