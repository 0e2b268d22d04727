/** Affine transforms [a, b, c, d, e, f] as PDF writes them: x' = a·x + c·y + e, y' = b·x + d·y + f. */
import type { Box, Point } from '../../vision/geometry.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: ArrayLike<number>): Matrix {
  return [
    outer[0] * inner[0]! + outer[2] * inner[1]!,
    outer[1] * inner[0]! + outer[3] * inner[1]!,
    outer[0] * inner[2]! + outer[2] * inner[3]!,
    outer[1] * inner[2]! + outer[3] * inner[3]!,
    outer[0] * inner[4]! + outer[2] * inner[5]! + outer[4],
    outer[1] * inner[4]! + outer[3] * inner[5]! + outer[5],
  ];
}

export const apply = (m: Matrix, x: number, y: number): Point => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

/** The axis-aligned box of a transformed rectangle. */
export function applyToBox(m: Matrix, box: readonly [number, number, number, number]): Box {
  const ax = m[0] * box[0];
  const bx = m[0] * box[2];
  const cx = m[2] * box[1];
  const dx = m[2] * box[3];
  const ay = m[1] * box[0];
  const by = m[1] * box[2];
  const cy = m[3] * box[1];
  const dy = m[3] * box[3];
  return [
    Math.min(ax, bx) + Math.min(cx, dx) + m[4],
    Math.min(ay, by) + Math.min(cy, dy) + m[5],
    Math.max(ax, bx) + Math.max(cx, dx) + m[4],
    Math.max(ay, by) + Math.max(cy, dy) + m[5],
  ];
}
