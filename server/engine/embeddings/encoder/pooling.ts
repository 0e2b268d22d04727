import type { Pooling } from './encoder-config.ts';

/** Hidden states of a batch, row-major `[rows, length, width]`, and where in each row the real tokens lie. */
export interface HiddenStates {
  data: Float32Array;
  length: number;
  width: number;
  /** First real position and number of real ones, by row. */
  spans: readonly { start: number; count: number }[];
}

function meanOf(states: HiddenStates, row: number, vector: Float32Array): void {
  const { data, length, width, spans } = states;
  const { start, count } = spans[row]!;
  const sums = new Float64Array(width);
  for (let position = start; position < start + count; position++) {
    const offset = (row * length + position) * width;
    for (let column = 0; column < width; column++) sums[column]! += data[offset + column]!;
  }
  for (let column = 0; column < width; column++) vector[column] = sums[column]! / count;
}

/** One vector of `width` numbers for a row. Padding never takes part. */
export function poolRow(states: HiddenStates, row: number, pooling: Exclude<Pooling, 'none'>): Float32Array {
  const { data, length, width, spans } = states;
  const { start, count } = spans[row]!;
  if (pooling === 'mean') {
    const vector = new Float32Array(width);
    meanOf(states, row, vector);
    return vector;
  }
  const position = pooling === 'cls' ? start : start + count - 1;
  const offset = (row * length + position) * width;
  return data.slice(offset, offset + width);
}

/** Scales to length 1 in place. Returns false when there is no direction: all zeros, or not finite. */
export function normalize(vector: Float32Array): boolean {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  if (!(norm > 0 && Number.isFinite(norm))) return false;
  for (let index = 0; index < vector.length; index++) vector[index]! /= norm;
  return true;
}

/** float16 bits to numbers. */
export function widenHalf(bits: Uint16Array): Float32Array {
  const wide = new Float32Array(bits.length);
  for (let index = 0; index < bits.length; index++) {
    const half = bits[index]!;
    const sign = half & 0x8000 ? -1 : 1;
    const exponent = (half >> 10) & 0x1f;
    const fraction = half & 0x3ff;
    if (exponent === 0) wide[index] = sign * fraction * 2 ** -24;
    else if (exponent === 0x1f) wide[index] = fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
    else wide[index] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return wide;
}
