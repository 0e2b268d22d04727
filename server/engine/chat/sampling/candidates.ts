/**
 * Draws by top-k, top-p and min-p without sorting all logits, and without taking the exponential of more than needed: those near the best
 * are weighed, and the others only when the number drawn could be theirs. Of 152,000 logits of a trained model some
 * hundreds are near.
 */

/** Tokens beyond e^-24 of the best are left out: together under 10^-5 even if all others of a vocabulary are there. */
const farthest = 24;
/** Distance up to which tokens are weighed at once: 152,000 beyond it weigh less than a fiftieth of the best. */
const nearest = 16;
/** Used when those are too few. */
const furtherReach = 4;
/** Of the weight of those near: what may be missing from the sum that top_p is a share of. */
const negligible = 0.02;

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
  for (let first = 0; first < logits.length; first += 32) {
    const allowed = mask ? mask[first >> 5]! : everyBit;
    if (allowed === 0) continue;
    const end = Math.min(first + 32, logits.length);
    for (let id = first; id < end; id += 1) {
      if (logits[id]! > highest && ((allowed >>> (id & 31)) & 1) === 1) {
        highest = logits[id]!;
        best = id;
      }
    }
  }
  return best;
}

/** Draws one token by a number in [0, 1). */
export function draw(logits: Float32Array, options: CandidateOptions, random: number): number {
  const { mask, minP, temperature, topK, topP } = options;
  const best = argmax(logits, mask);
  if (best < 0) return best;
  const highest = logits[best]!;
  const limit = minP > 0 ? Math.min(farthest, -Math.log(minP)) : farthest;
  const scale = { highest, temperature };
  let reach = Math.min(nearest, limit);
  let count = collect(logits, mask, { ...scale, reach });
  /** Bound on the weight of all tokens left out; the best weighs 1. */
  const beyond = () => (reach < limit ? (logits.length - count) * Math.exp(-reach) : 0);
  if (count === 1 && beyond() === 0) return ids[0]!;
  weigh(logits, count, scale);
  if (topK > 0 || topP < 1) {
    const isEnough = () => (topK > 0 ? count >= topK : beyond() <= negligible * sum(0, count));
    while (reach < limit && !isEnough()) {
      reach = Math.min(limit, reach + furtherReach);
      count = collect(logits, mask, { ...scale, reach });
      weigh(logits, count, scale);
    }
    return pick(0, takeBest(count, topK || count, topP), random);
  }
  const near = sum(0, count);
  const share = near / (near + beyond());
  if (random < share) return pick(0, count, random / share);
  return drawBeyond(logits, { mask, count, near, share, limit, ...scale }, random);
}

/**
 * The rest of a draw: `share` is what the near tokens have at least, since `beyond` is more than the others weigh. Now the
 * others are weighed too, and the remaining chance is divided so that every token has its own.
 */
function drawBeyond(
  logits: Float32Array,
  state: Scale & { mask: Uint32Array | null; count: number; near: number; share: number; limit: number },
  random: number,
): number {
  const { count, limit, mask, near, share } = state;
  const all = collect(logits, mask, { ...state, reach: limit });
  // Near ones first again, in the order of their ids as before.
  const edge = state.highest - state.temperature * nearest;
  const [inner, outer] = [[] as number[], [] as number[]];
  for (const id of ids.subarray(0, all)) (logits[id]! >= edge ? inner : outer).push(id);
  ids.set(inner);
  ids.set(outer, inner.length);
  weigh(logits, all, state);
  const others = sum(count, all);
  const due = near / (near + others) - share;
  const left = random - share;
  if (left < due) return pick(0, count, left / due);
  return pick(count, all, (left - due) / (1 - share - due));
}

interface Scale {
  highest: number;
  temperature: number;
}

/** Words of a mask without a token are skipped: a strict mask costs a thirty-second of a scan. */
const everyBit = 0xffff_ffff;

/** Takes the ids of the allowed tokens that are at most `reach` away from the best; returns how many. */
function collect(
  logits: Float32Array,
  mask: Uint32Array | null,
  { highest, reach, temperature }: Scale & { reach: number },
): number {
  const edge = highest - temperature * reach;
  let count = 0;
  for (let first = 0; first < logits.length; first += 32) {
    const allowed = mask ? mask[first >> 5]! : everyBit;
    if (allowed === 0) continue;
    const last = Math.min(first + 32, logits.length);
    for (let id = first; id < last; id += 1) {
      if (logits[id]! >= edge && ((allowed >>> (id & 31)) & 1) === 1) {
        if (count === ids.length) grow();
        ids[count] = id;
        count += 1;
      }
    }
  }
  return count;
}

function grow(): void {
  const wider = new Int32Array(ids.length * 4);
  wider.set(ids);
  ids = wider;
  weights = new Float64Array(wider.length);
}

function weigh(logits: Float32Array, count: number, { highest, temperature }: Scale): void {
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

/** By a number in [0, 1), among the places from `from` to `to`. */
function pick(from: number, to: number, random: number): number {
  let left = random * sum(from, to);
  for (let at = from; at < to - 1; at += 1) {
    left -= weights[at]!;
    if (left < 0) return ids[at]!;
  }
  return ids[to - 1]!;
}
