/** Affine transforms [a, b, c, d, e, f] as PDF writes them: x' = a·x + c·y + e, y' = b·x + d·y + f. */
import type { Box, Point } from '../../vision/geometry.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: ArrayLike<number>): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [ia, ib, ic, id, ie, jf] = [inner[0]!, inner[1]!, inner[2]!, inner[3]!, inner[4]!, inner[5]!];
  return [
    a * ia + c * ib,
    b * ia + d * ib,
    a * ic + c * id,
    b * ic + d * id,
    a * ie + c * jf + e,
    b * ie + d * jf + f,
  ];
}

export const apply = (m: Matrix, x: number, y: number): Point => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** The axis-aligned box of a transformed rectangle. */
export function applyToBox(m: Matrix, [x0, y0, x1, y1]: readonly [number, number, number, number]): Box {
  const corners = [apply(m, x0, y0), apply(m, x1, y0), apply(m, x0, y1), apply(m, x1, y1)];
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
