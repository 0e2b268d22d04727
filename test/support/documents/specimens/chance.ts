/** Repeatable chance for specimens: the same seed makes the same person, card and photograph. */

export interface Chance {
  /** An integer from 0 to limit − 1. */
  below(limit: number): number;
  /** A number from `low` to `high`. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  happens(probability: number): boolean;
  /** Digits of a number with leading zeros. */
  digits(count: number): string;
}

/** Park and Miller's generator. */
export function createChance(seed: number): Chance {
  let state = (Math.imul(seed + 1, 48_271) & 0x7ff_ffff) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let warm = 0; warm < 4; warm++) next();
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[below(list.length)]!,
    happens: (probability) => next() < probability,
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}
