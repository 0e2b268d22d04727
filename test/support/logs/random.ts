/** A small seeded generator (mulberry32), so that a failing log can be made again. */
export interface Random {
  next(): number;
  int(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  hex(length: number): string;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number],
    hex: (length) => Array.from({ length }, () => int(0, 15).toString(16)).join(''),
  };
}
