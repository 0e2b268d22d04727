/** A product of quantized weights in plain numbers: what every kernel's is held to. */
import type { MatMulShape } from '../../../server/engine/onnx/kernels/matmul-layout.ts';
import { layoutOf } from '../../../server/engine/onnx/kernels/matmul-layout.ts';

export interface Weights {
  codes: Uint8Array;
  scales: Float32Array;
  /** Null: each is the middle. */
  zeros: Uint8Array | null;
}

export interface Product {
  shape: MatMulShape;
  rows: number;
  x: Float32Array;
  weights: Weights;
}

const { fround } = Math;

/** To the nearest whole number, of two the even one. */
function round(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

/** A block's bytes and scale. */
function quantizeBlock(x: Float32Array): { bytes: number[]; scale: number } {
  const largest = x.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const inverse = fround(127 / Math.max(largest, fround(1e-30)));
  const bytes = Array.from(x, (each) => Math.max(-128, Math.min(127, round(fround(each * inverse)))));
  return { bytes, scale: fround(largest * fround(1 / 127)) };
}

/**
 * Numbers of one row of y, each with the sum of the magnitudes that it was added up from.
 *
 * @param x a row
 */
function plainRow(shape: MatMulShape, x: Float32Array, { codes, scales, zeros }: Weights) {
  const { bits, block, outputs } = shape;
  const { blocks, codeRow, zeroRow } = layoutOf(shape);
  const half = (bytes: Uint8Array, row: number, at: number) =>
    bits === 8 ? bytes[row + at]! : (bytes[row + (at >> 1)]! >> (4 * (at & 1))) & 15;
  const quantized = Array.from({ length: blocks }, (_, at) =>
    quantizeBlock(x.subarray(at * block, (at + 1) * block)),
  );
  return Array.from({ length: outputs }, (_, output) => {
    let [value, magnitude] = [0, 0];
    for (const [at, { bytes, scale }] of quantized.entries()) {
      const factor = scales[output * blocks + at]! * scale;
      const zero = zeros ? half(zeros, output * zeroRow, at) : 2 ** (bits - 1);
      let [sum, size] = [0, 0];
      for (const [index, byte] of bytes.entries()) {
        const code = half(codes, output * codeRow, at * block + index);
        sum += (code - zero) * byte;
        size += (code + zero) * Math.abs(byte);
      }
      value += factor * sum;
      magnitude += Math.abs(factor) * size;
    }
    return { value, magnitude };
  });
}

/** Largest difference of some rows of y from plain numbers, as a part of the magnitudes that were added up. */
export function worstDifference(
  { shape, weights, x }: Product,
  y: Float32Array,
  rows: readonly number[],
): number {
  const { columns, outputs } = shape;
  const differences = [...new Set(rows)].flatMap((row) =>
    plainRow(shape, x.subarray(row * columns, (row + 1) * columns), weights).map(
      ({ magnitude, value }, at) => Math.abs(y[row * outputs + at]! - value) / Math.max(magnitude, 1e-20),
    ),
  );
  // No number is as wrong as can be.
  return differences.reduce(
    (worst, each) => Math.max(worst, Number.isNaN(each) ? Number.MAX_VALUE : each),
    0,
  );
}
