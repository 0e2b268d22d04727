/** Row operators in plain numbers, which code for them is held against. */
import type { RowShape } from './row-layout.ts';

export function plainRows(
  shape: RowShape,
  { addend, weights, x }: Record<'x' | 'addend' | 'weights', Float32Array>,
): { y: Float32Array; sum?: Float32Array } {
  const { columns } = shape;
  if (shape.kind === 'gated') {
    const y = Float32Array.from({ length: x.length / 2 }, (_, at) => {
      const from = 2 * columns * Math.floor(at / columns) + (at % columns);
      const gate = x[from]!;
      return (gate / (1 + Math.exp(-gate))) * x[from + columns]!;
    });
    return { y };
  }
  const sum = x.map((number, at) => number + addend[at]!);
  const y = new Float32Array(sum.length);
  for (let row = 0; row < sum.length; row += columns) {
    let squares = 0;
    for (let column = 0; column < columns; column += 1) squares += sum[row + column]! ** 2;
    const factor = 1 / Math.sqrt(squares / columns + shape.epsilon);
    for (let column = 0; column < columns; column += 1)
      y[row + column] = sum[row + column]! * factor * weights[column]!;
  }
  return { y, sum };
}
