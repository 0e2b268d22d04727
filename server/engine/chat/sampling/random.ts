/**
 * Random numbers by place, not by history: number `position` of stream `seed` is a hash of both. So a sequence draws the
 * same numbers whatever else runs, and a drafted token that is thrown away costs none.
 */
export interface RandomStream {
  seed: number;
  /** Choices of one request draw from streams of their own. */
  choice: number;
}

/** A number in [0, 1) with 53 random bits. */
export function randomAt({ seed, choice }: RandomStream, position: number): number {
  const low = mix(seed >>> 0, mix(Math.floor(seed / 2 ** 32) >>> 0, choice));
  const first = mix(position, low);
  const second = mix(first ^ 0x9e3779b9, low);
  return ((first >>> 5) * 2 ** 26 + (second >>> 6)) / 2 ** 53;
}

/** murmur3's finalizer over both. */
function mix(value: number, key: number): number {
  let mixed = Math.imul(value ^ 0x2545f491, 0x9e3779b1) ^ key;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
