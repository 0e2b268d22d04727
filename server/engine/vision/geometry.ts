/** Places on pages and pictures: boxes, quadrilaterals at any angle, straight lines. A field's name or doc says the unit. */

/** Left, upper, right and lower edge. */
export type Box = [x0: number, y0: number, x1: number, y1: number];

export interface Ruling {
  /** Constant coordinate: y of a horizontal ruling, x of a vertical one. */
  at: number;
  from: number;
  to: number;
}

export type Point = readonly [x: number, y: number];

/** Corners as a reader sees them: upper left, upper right, lower right, lower left. */
export type Quad = readonly [Point, Point, Point, Point];

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Length along the writing direction. */
export const quadWidth = ([a, b, c, d]: Quad): number => (distance(a, b) + distance(d, c)) / 2;
export const quadHeight = ([a, b, c, d]: Quad): number => (distance(a, d) + distance(b, c)) / 2;

/** Angle of the writing direction in radians, clockwise from rightwards. */
export const quadAngle = ([a, b, c, d]: Quad): number =>
  Math.atan2(b[1] + c[1] - a[1] - d[1], b[0] + c[0] - a[0] - d[0]);

/** The level box around it. */
export const quadBox = (quad: Quad): Box => {
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

const between = (a: Point, b: Point, share: number): Point => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
];

/** The part of a line from one share of its width to another. */
export const sliceQuad = ([a, b, c, d]: Quad, from: number, to: number): Quad => [
  between(a, b, from),
  between(a, b, to),
  between(d, c, to),
  between(d, c, from),
];

/** The quadrilateral grown by shares of its height at both ends and at both sides; negative shares shrink it. */
export function growQuad(quad: Quad, [ends, sides]: readonly [number, number]): Quad {
  const [along, across] = [ends * quadHeight(quad), sides * quadHeight(quad)];
  const angle = quadAngle(quad);
  const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
  const move = ([x, y]: Point, right: number, down: number): Point => [
    x + right * along * ux - down * across * uy,
    y + right * along * uy + down * across * ux,
  ];
  return [move(quad[0], -1, -1), move(quad[1], 1, -1), move(quad[2], 1, 1), move(quad[3], -1, 1)];
}

export const widthOf = (box: Box): number => box[2] - box[0];
export const heightOf = (box: Box): number => box[3] - box[1];
export const centreX = (box: Box): number => (box[0] + box[2]) / 2;
export const centreY = (box: Box): number => (box[1] + box[3]) / 2;

export const contains = (outer: Box, inner: Box, tolerance = 0): boolean =>
  centreX(inner) >= outer[0] - tolerance &&
  centreX(inner) <= outer[2] + tolerance &&
  centreY(inner) >= outer[1] - tolerance &&
  centreY(inner) <= outer[3] + tolerance;

/** Length that two intervals share; negative is the gap between them. */
export const overlap = (a0: number, a1: number, b0: number, b1: number): number =>
  Math.min(a1, b1) - Math.max(a0, b0);

/** The part that two boxes share; null: none. */
export function intersectBoxes(a: Box, b: Box): Box | null {
  const x0 = Math.max(a[0], b[0]);
  const y0 = Math.max(a[1], b[1]);
  const x1 = Math.min(a[2], b[2]);
  const y1 = Math.min(a[3], b[3]);
  return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : null;
}

export function unionBox(boxes: Iterable<Box>): Box {
  const union: Box = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const box of boxes) {
    if (box[0] < union[0]) union[0] = box[0];
    if (box[1] < union[1]) union[1] = box[1];
    if (box[2] > union[2]) union[2] = box[2];
    if (box[3] > union[3]) union[3] = box[3];
  }
  return union;
}

/** Convex hull, clockwise on a picture whose y runs down (Andrew's monotone chain). */
export function convexHull(points: Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.toReversed())];
}

const cross = (o: Point, a: Point, b: Point): number =>
  (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

/** A rectangle at an angle: centre, unit vector along its first side, half lengths of both sides. */
export interface TurnedRectangle {
  centre: Point;
  along: Point;
  halfWidth: number;
  halfHeight: number;
}

/** Smallest rectangle around a convex hull; one of its sides lies on a side of the hull (Freeman and Shapira 1975). */
export function smallestRectangle(hull: Point[]): TurnedRectangle {
  let best: TurnedRectangle | null = null;
  for (const [index, start] of hull.entries()) {
    const end = hull[(index + 1) % hull.length]!;
    const length = distance(start, end);
    if (length === 0) continue;
    const along: Point = [(end[0] - start[0]) / length, (end[1] - start[1]) / length];
    const rectangle = rectangleAlong(hull, along);
    if (!best || rectangle.halfWidth * rectangle.halfHeight < best.halfWidth * best.halfHeight)
      best = rectangle;
  }
  return best ?? rectangleAlong(hull, [1, 0]);
}

function rectangleAlong(points: Point[], along: Point): TurnedRectangle {
  const [ux, uy] = along;
  let [minU, maxU, minV, maxV] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of points) {
    const u = x * ux + y * uy;
    const v = y * ux - x * uy;
    if (u < minU) minU = u;
    if (u > maxU) maxU = u;
    if (v < minV) minV = v;
    if (v > maxV) maxV = v;
  }
  const [u, v] = [(minU + maxU) / 2, (minV + maxV) / 2];
  return {
    centre: [u * ux - v * uy, u * uy + v * ux],
    along,
    halfWidth: (maxU - minU) / 2,
    halfHeight: (maxV - minV) / 2,
  };
}

/**
 * Corners of a rectangle grown at the ends of its longer side and at those of its shorter one; the first side of the
 * quadrilateral is the one nearest to level.
 */
export function toQuad(
  { centre, along, halfWidth, halfHeight }: TurnedRectangle,
  [longer, shorter]: readonly [number, number],
): Quad {
  let [ux, uy] = along;
  const wide = halfWidth >= halfHeight;
  let [w, h] = [halfWidth + (wide ? longer : shorter), halfHeight + (wide ? shorter : longer)];
  if (Math.abs(ux) < Math.abs(uy)) {
    [ux, uy] = [-uy, ux];
    [w, h] = [h, w];
  }
  if (ux < 0) [ux, uy] = [-ux, -uy];
  const corner = (sideways: number, down: number): Point => [
    centre[0] + sideways * w * ux - down * h * uy,
    centre[1] + sideways * w * uy + down * h * ux,
  ];
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
}
