/** Products of random shapes and numbers, to hold kernels to plain ones. */
import { layoutOf, type MatMulShape } from '../../../server/engine/onnx/kernels/matmul-layout.ts';
import type { Product } from './plain-matmul.ts';

export function randomProduct(random: () => number): Product {
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  const one = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const shape: MatMulShape = {
    columns: upTo(one([40, 300, 1300, 5000])),
    outputs: 3 + upTo(one([6, 70])),
    bits: one([4, 4, 8]),
    block: one([32, 64, 128, 256]),
    zeroPoints: random() < 0.7,
  };
  const rows = upTo(one([3, 9, 24]));
  const { blocks, codeRow, zeroRow } = layoutOf(shape);
  const bytes = (length: number) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  // Now and then a block of nothing, or of very large numbers.
  const size = () => (random() < 0.02 ? 0 : random() < 0.02 ? 1e6 : 1);
  return {
    shape,
    rows,
    x: Float32Array.from({ length: rows * shape.columns }, () => (random() - 0.5) * size()),
    weights: {
      codes: bytes(shape.outputs * codeRow),
      scales: Float32Array.from({ length: shape.outputs * blocks }, () => (random() - 0.3) * 0.02),
      zeros: shape.zeroPoints ? bytes(shape.outputs * zeroRow) : null,
    },
  };
}
