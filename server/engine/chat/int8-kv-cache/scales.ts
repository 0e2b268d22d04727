/**
 * Scales of keys and values kept in 8 bits, from what a text made of them: for each number of a head the largest, with some
 * room. Keys are seen before positions turn them; a turn keeps the length of a pair, so both numbers of a pair get its
 * largest length: no position can be out of range.
 */
import type { CacheTap } from './int8-kv-cache.ts';

/** Other texts go beyond what this one showed. */
const room = 1.25;
const largest = 127;

export interface HeadSizes {
  heads: number;
  headDim: number;
}

export interface CacheScales {
  /** [heads · headDim] */
  key: Float32Array;
  value: Float32Array;
}

/**
 * @param seen the outputs that the tap names, row after row
 * @param rows how many rows
 */
export function cacheScales(
  { outputs, rotaryDims }: CacheTap,
  seen: readonly Float32Array[],
  { heads, headDim, rows }: HeadSizes & { rows: number },
): CacheScales {
  const width = heads * headDim;
  const largestOf = (data: Float32Array, fromEnd: number): Float32Array => {
    const all = data.length / rows;
    const found = new Float32Array(width);
    for (let row = 0; row < rows; row += 1) {
      const start = (row + 1) * all - fromEnd * width;
      for (let at = 0; at < width; at += 1) found[at] = Math.max(found[at]!, Math.abs(data[start + at]!));
    }
    return found;
  };
  const packed = outputs.length === 1;
  const [keys, values] = packed ? [seen[0]!, seen[0]!] : [seen[0]!, seen[1]!];
  return {
    key: toScales(turned(largestOf(keys, packed ? 2 : 1), headDim, rotaryDims)),
    value: toScales(largestOf(values, 1)),
  };
}

/** At most the length of each pair: of the largest first and the largest second number. */
function turned(most: Float32Array, headDim: number, rotaryDims: number): Float32Array {
  const half = rotaryDims / 2;
  return most.map((own, at) => {
    const place = at % headDim;
    if (place >= rotaryDims) return own;
    return Math.hypot(own, most[place < half ? at + half : at - half]!);
  });
}

const toScales = (most: Float32Array): Float32Array =>
  // Never zero: it is divided by.
  most.map((each) => Math.max((each * room) / largest, 1e-6));
