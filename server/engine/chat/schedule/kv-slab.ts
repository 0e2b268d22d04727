/**
 * The keys and values themselves: for each layer two slabs of [slots, heads, positions, headDim]. A row of a slab is a
 * slot, so any run of neighbouring slots is a tensor over the slab itself. The pages of a slab take memory when they are
 * first written: what it costs follows the contexts in use, and its whole size is the bound.
 */
import type { TensorData } from '../../onnx/types.ts';
import type { KvStore } from './kv-cache.ts';

export interface KvDimensions {
  slots: number;
  heads: number;
  positions: number;
  /** Elements of one head at one position. */
  headDim: number;
  /** Positions that are copied together, since their numbers may lie mixed; a part of all positions. Default 1. */
  block?: number;
}

export class KvSlab implements KvStore {
  readonly dimensions: KvDimensions;
  readonly #slabs: readonly TensorData[];

  /** @param slabs keys and values of every layer */
  constructor(slabs: readonly TensorData[], dimensions: KvDimensions) {
    this.#slabs = slabs;
    this.dimensions = dimensions;
  }

  /** The rows of some neighbouring slots, of every slab. */
  view(first: number, count: number): TensorData[] {
    const row = this.#rowLength();
    return this.#slabs.map((slab) => slab.subarray(first * row, (first + count) * row));
  }

  copy(from: number, to: number, length: number): void {
    this.#eachHead(length, (slab, offset, size) => {
      const source = this.#at(from) + offset;
      slab.copyWithin(this.#at(to) + offset, source, source + size);
    });
  }

  swap(one: number, other: number, lengths: { one: number; other: number }): void {
    this.#eachHead(Math.max(lengths.one, lengths.other), (slab, offset, size) => {
      const [left, right] = [this.#at(one) + offset, this.#at(other) + offset];
      const kept = slab.slice(left, left + size);
      slab.copyWithin(left, right, right + size);
      slab.set(kept as never, right);
    });
  }

  #at(slot: number): number {
    return slot * this.#rowLength();
  }

  #rowLength(): number {
    const { heads, positions, headDim } = this.dimensions;
    return heads * positions * headDim;
  }

  #eachHead(length: number, visit: (slab: TensorData, offset: number, size: number) => void): void {
    const { block = 1, heads, positions, headDim } = this.dimensions;
    const whole = Math.ceil(length / block) * block;
    for (const slab of this.#slabs) {
      for (let head = 0; head < heads; head += 1) visit(slab, head * positions * headDim, whole * headDim);
    }
  }
}
