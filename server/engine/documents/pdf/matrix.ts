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
  const [ax, bx, cy, dy] = [m[0] * x0, m[0] * x1, m[2] * y0, m[2] * y1];
  const [ay, by, cz, dz] = [m[1] * x0, m[1] * x1, m[3] * y0, m[3] * y1];
  return [
    Math.min(ax, bx) + Math.min(cy, dy) + m[4],
    Math.min(ay, by) + Math.min(cz, dz) + m[5],
    Math.max(ax, bx) + Math.max(cy, dy) + m[4],
    Math.max(ay, by) + Math.max(cz, dz) + m[5],
  ];
}
