/** Vectors of words in three languages, and how telling each word is (made by models/recipes/lingua-reader/word_table.py). */

/** FNV-1a over UTF-8, 32 bits. */
export function hashOf(word: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(word)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

export interface KnownWord {
  row: number;
  /** 8-bit numbers of length about 127; a view that must not be written to. */
  vector: Int8Array;
  /** 0: stands everywhere; 1: rare. */
  weight: number;
}

const header = 8;

export class WordTable {
  readonly size: number;
  readonly #hashes: Uint32Array;
  readonly #weights: Uint8Array;
  readonly #vectors: Int8Array;

  /** @throws RangeError when the bytes are not such a table */
  constructor(bytes: Uint8Array) {
    const copy = new Uint8Array(bytes).buffer;
    if (copy.byteLength < header) throw new RangeError('not a word table');
    const [count = 0, size = 0] = new Uint32Array(copy, 0, 2);
    if (copy.byteLength !== header + count * (5 + size)) throw new RangeError('not a word table');
    this.size = size;
    this.#hashes = new Uint32Array(copy, header, count);
    this.#weights = new Uint8Array(copy, header + count * 4, count);
    this.#vectors = new Int8Array(copy, header + count * 5);
  }

  find(form: string): KnownWord | null {
    const hash = hashOf(form);
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#hashes[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    if (this.#hashes[low] !== hash) return null;
    return { row: low, vector: this.vector(low), weight: this.#weights[low]! / 255 };
  }

  /** 8-bit numbers of a known word. */
  vector(row: number): Int8Array {
    return this.#vectors.subarray(row * this.size, (row + 1) * this.size);
  }
}
