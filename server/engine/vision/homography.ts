/** Projective maps between a quadrilateral and a rectangle, as a camera sees a flat page. */

import type { Point, Quad } from './geometry.ts';

/** Nine numbers of a 3 × 3 matrix, row by row. */
export type Homography = readonly number[];

/** Maps the unit square's corners (0,0), (1,0), (1,1), (0,1) to the quadrilateral (Heckbert 1989, section 2.2.3). */
export function fromUnitSquare([p0, p1, p2, p3]: Quad): Homography {
  const [dx1, dx2, sx] = [p1[0] - p2[0], p3[0] - p2[0], p0[0] - p1[0] + p2[0] - p3[0]];
  const [dy1, dy2, sy] = [p1[1] - p2[1], p3[1] - p2[1], p0[1] - p1[1] + p2[1] - p3[1]];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / divisor;
  const h = (dx1 * sy - sx * dy1) / divisor;
  return [
    p1[0] - p0[0] + g * p1[0],
    p3[0] - p0[0] + h * p3[0],
    p0[0],
    p1[1] - p0[1] + g * p1[1],
    p3[1] - p0[1] + h * p3[1],
    p0[1],
    g,
    h,
    1,
  ];
}

export function project(m: Homography, [x, y]: Point): Point {
  const w = m[6]! * x + m[7]! * y + m[8]!;
  return [(m[0]! * x + m[1]! * y + m[2]!) / w, (m[3]! * x + m[4]! * y + m[5]!) / w];
}

/** The inverse up to scale, which a projective map does not have: the adjugate. */
export function invert(m: Homography): Homography {
  const minor = (r0: number, c0: number, r1: number, c1: number): number =>
    m[3 * r0 + c0]! * m[3 * r1 + c1]! - m[3 * r0 + c1]! * m[3 * r1 + c0]!;
  return [
    minor(1, 1, 2, 2),
    -minor(0, 1, 2, 2),
    minor(0, 1, 1, 2),
    -minor(1, 0, 2, 2),
    minor(0, 0, 2, 2),
    -minor(0, 0, 1, 2),
    minor(1, 0, 2, 1),
    -minor(0, 0, 2, 1),
    minor(0, 0, 1, 1),
  ];
}
