/** Attention as its operator does it, in plain numbers: what it must come to. Slow; for checks. */
import { fromFloat16 } from '../float16.ts';
import { type AttentionShape, keyBlock } from './attention-layout.ts';

export interface AttentionInputs {
  /** [rows, tokens, heads · headDim], keys and values of kvHeads; packed: side by side in `query`. */
  query: Float32Array;
  key?: Float32Array;
  value?: Float32Array;
  /** Halves, [rows, kvHeads, positions, headDim]; changed by what is new. */
  keys: Uint16Array;
  values: Uint16Array;
  /** Of each row, its length less one. */
  seqlens: Int32Array;
  cosines?: Float32Array;
  sines?: Float32Array;
  positions: number;
  tokens: number;
}

/** Numbers from the start of a head's keys. */
export const keyPlace = (position: number, number: number, headDim: number): number => {
  const within = position % keyBlock;
  return (position - within) * headDim + number * keyBlock + within;
};

/** [rows, tokens, heads · headDim] */
export function plainAttention(shape: AttentionShape, inputs: AttentionInputs): Float32Array {
  const { headDim, heads, kvHeads } = shape;
  const { positions, seqlens, tokens } = inputs;
  const group = heads / kvHeads;
  const y = new Float32Array(seqlens.length * tokens * heads * headDim);
  for (const [row, last] of seqlens.entries()) {
    const placed = Array.from({ length: tokens }, (_, token): Taken => {
      return { row, at: row * tokens + token, position: last + 1 - tokens + token };
    });
    for (const token of placed) takeIn(shape, inputs, token);
    for (let kvHead = 0; kvHead < kvHeads; kvHead += 1) {
      const start = (row * kvHeads + kvHead) * positions * headDim;
      const read = (cache: Uint16Array) => fromFloat16(cache.subarray(start, start + positions * headDim));
      const cache = { keys: read(inputs.keys), values: read(inputs.values) };
      for (const { at, position } of placed)
        for (let head = kvHead * group; head < (kvHead + 1) * group; head += 1) {
          const query = turned(shape, inputs, headOf(shape, inputs, at, head), position);
          y.set(attendOne(shape, query, position, cache), (at * heads + head) * headDim);
        }
    }
  }
  return y;
}

/** One query over the keys and values of its head. */
function attendOne(
  { headDim, scale, window }: AttentionShape,
  query: number[],
  position: number,
  { keys, values }: Record<'keys' | 'values', Float32Array>,
): Float64Array {
  const first = window > 0 ? Math.max(0, position + 1 - window) : 0;
  const scores = Array.from({ length: position + 1 - first }, (_, index) => {
    const from = keyPlace(first + index, 0, headDim);
    let sum = 0;
    for (let number = 0; number < headDim; number += 1)
      sum += query[number]! * keys[from + number * keyBlock]!;
    return sum * scale;
  });
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const result = new Float64Array(headDim);
  for (const [index, weight] of weights.entries()) {
    const from = (first + index) * headDim;
    for (let number = 0; number < headDim; number += 1)
      result[number]! += (weight / all) * values[from + number]!;
  }
  return result;
}

interface Taken {
  row: number;
  /** The token, counted over all rows. */
  at: number;
  position: number;
}

function takeIn(shape: AttentionShape, inputs: AttentionInputs, { at, position, row }: Taken): void {
  const { headDim, heads, kvHeads } = shape;
  for (let head = 0; head < kvHeads; head += 1) {
    const cache = (row * kvHeads + head) * inputs.positions * headDim;
    const key = turned(shape, inputs, headOf(shape, inputs, at, heads + head), position);
    const value = headOf(shape, inputs, at, heads + kvHeads + head);
    for (let number = 0; number < headDim; number += 1) {
      inputs.keys[cache + keyPlace(position, number, headDim)] = encodeHalf(key[number]!);
      inputs.values[cache + position * headDim + number] = encodeHalf(value[number]!);
    }
  }
}

/** A head of a token, counted over queries, keys and values. */
function headOf(
  { headDim, heads, kvHeads, packed }: AttentionShape,
  { key, query, value }: AttentionInputs,
  at: number,
  head: number,
): number[] {
  const [tensor, all, own] = packed
    ? [query, heads + 2 * kvHeads, head]
    : head < heads
      ? [query, heads, head]
      : head < heads + kvHeads
        ? [key!, kvHeads, head - heads]
        : [value!, kvHeads, head - heads - kvHeads];
  return [...tensor.subarray((at * all + own) * headDim, (at * all + own + 1) * headDim)];
}

function turned(
  { rotaryDims }: AttentionShape,
  { cosines, sines }: AttentionInputs,
  head: number[],
  position: number,
): number[] {
  const half = rotaryDims / 2;
  const result = [...head];
  for (let number = 0; number < half; number += 1) {
    const [a, b] = [head[number]!, head[half + number]!];
    const [cosine, sine] = [cosines![position * half + number]!, sines![position * half + number]!];
    result[number] = a * cosine - b * sine;
    result[half + number] = b * cosine + a * sine;
  }
  return result;
}

const largestHalf = 65_504;

/** The nearest half; the largest one beyond it. */
export function encodeHalf(number: number): number {
  const size = Math.min(Math.abs(number), largestHalf);
  const sign = number < 0 ? 0x8000 : 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  // Halves of one power of two are 1,024 equal steps; what rounds up to the next power is that power's first.
  const steps = roundToEven((size / 2 ** exponent) * 1024);
  return sign | (steps + (exponent + 14) * 1024);
}

function roundToEven(number: number): number {
  const below = Math.floor(number);
  const rest = number - below;
  if (rest !== 0.5) return Math.round(number);
  return below + (below % 2);
}
