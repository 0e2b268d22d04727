/** Constants that the code for AVX2 reads, eight lanes of 32 bits each. */

const lanes = (value: (lane: number) => number) => Array.from({ length: 8 }, (_, lane) => value(lane));
const bitsOf = (value: number): number => new Int32Array(Float32Array.of(value).buffer)[0]!;

const tables = {
  /** Half bytes of bytes. */
  nibble: lanes(() => 0x0f0f0f0f),
  /** Words. */
  one: lanes(() => 0x00010001),
  sixteen: lanes(() => 0x00100010),
  /** Of two blocks the one a lane belongs to. */
  blockLanes: lanes((lane) => lane >> 2),
  halfShift: lanes((lane) => 4 * lane),
  fifteen: lanes(() => 15),
  middle4: lanes(() => bitsOf(8)),
  middle8: lanes(() => bitsOf(128)),
  /** A number's bits without its sign. */
  unsigned: lanes(() => 0x7fffffff),
  inverse127: lanes(() => bitsOf(1 / 127)),
  largest: lanes(() => bitsOf(127)),
  leastDivisor: lanes(() => bitsOf(1e-30)),
  /** A float whose steps are of one: a whole number of 22 bits, added to its bits, is added to it. */
  steps: lanes(() => bitsOf(1.5 * 2 ** 23)),
  /** Fours of bytes in order, after two steps of packing within halves. */
  packed: lanes((lane) => (lane >> 1) + 4 * (lane & 1)),
  counting: lanes((lane) => lane),
  /** Eight lanes that are there, then eight that are not. */
  lanes: [...lanes(() => -1), ...lanes(() => 0)],
};

const names = Object.keys(tables) as (keyof typeof tables)[];

/** Offsets of the tables in bytes. */
export const avx2Tables = Object.fromEntries(names.map((name, index) => [name, index * 32])) as Record<
  keyof typeof tables,
  number
>;

/** The tables themselves. */
export const avx2TableValues = (): Int32Array => Int32Array.from(names.flatMap((name) => tables[name]));
