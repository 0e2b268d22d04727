/** Files damaged by a seeded plan: the same seed gives the same files. */
import { randomNumbers } from '../onnx/random.ts';

type Random = () => number;
type Damage = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const cut: Damage = (bytes, random) => bytes.subarray(0, below(random, bytes.length));

const flipBits: Damage = (bytes, random) => {
  const damaged = Uint8Array.from(bytes);
  const count = 1 + below(random, 24);
  for (let flip = 0; flip < count; flip++) damaged[below(random, bytes.length)]! ^= 1 << below(random, 8);
  return damaged;
};

/** Where sizes and counts stand. */
const lieInHeader: Damage = (bytes, random) => {
  const damaged = Uint8Array.from(bytes);
  const values = [0, 1, 0x7f, 0x80, 0xff];
  const count = 1 + below(random, 6);
  for (let lie = 0; lie < count; lie++) {
    damaged[below(random, Math.min(bytes.length, 512))] = values[below(random, values.length)]!;
  }
  return damaged;
};

const overwrite: Damage = (bytes, random) => {
  const damaged = Uint8Array.from(bytes);
  const from = below(random, bytes.length);
  damaged.fill(random() < 0.5 ? 0 : 0xff, from, from + 1 + below(random, 4096));
  return damaged;
};

const remove: Damage = (bytes, random) => {
  const from = below(random, bytes.length);
  const to = Math.min(bytes.length, from + 1 + below(random, 2048));
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const repeat: Damage = (bytes, random) => {
  const from = below(random, bytes.length);
  const part = bytes.subarray(from, from + 1 + below(random, 2048));
  return Buffer.concat([bytes.subarray(0, from), part, part, bytes.subarray(from)]);
};

const splice: Damage = (bytes, random, other) =>
  Buffer.concat([
    bytes.subarray(0, below(random, bytes.length)),
    other.subarray(below(random, other.length)),
  ]);

const damages: Damage[] = [cut, flipBits, lieInHeader, overwrite, remove, repeat, splice];

/** `count` damaged files, drawn from `files`; one in four is damaged twice. */
export function* damagedFiles(
  files: readonly Uint8Array[],
  { seed, count }: { seed: number; count: number },
): Generator<Uint8Array> {
  const random = randomNumbers(seed);
  const pick = <T>(items: readonly T[]): T => items[below(random, items.length)]!;
  for (let index = 0; index < count; index++) {
    let bytes = pick(files);
    for (let round = random() < 0.25 ? 2 : 1; round > 0 && bytes.length > 0; round--) {
      bytes = pick(damages)(bytes, random, pick(files));
    }
    yield bytes;
  }
}
