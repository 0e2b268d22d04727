/** Turns painted paths into what tables and checkboxes are drawn with: straight rulings and filled rectangles. */

import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Box, Point } from '../../vision/geometry.ts';

import { apply, type Matrix } from './matrix.ts';

/** A drawn straight line or rectangle, in page points from the upper left corner. */
export interface PathShape {
  /** `slant`: a stroke that is neither horizontal nor vertical, as charts and drawings have. */
  kind: 'line' | 'fill' | 'frame' | 'slant';
  box: Box;
}

/** Filled rectangles this thin are lines: most office programs draw their table rules so. */
const maxRuleThickness = 3.2;
/** Vector drawings and maps have many thousands of segments and no tables worth them. */
const maxShapes = 40_000;
const alignedTolerance = 0.8;

/** pdf.js packs a path as numbers: 0 moveTo, 1 lineTo, 2 curveTo, 3 quadraticCurveTo, 4 closePath. */
function* subpaths(data: ArrayLike<number>, ctm: Matrix): Generator<{ points: Point[]; straight: boolean }> {
  let points: Point[] = [];
  let straight = true;
  const at = (index: number): Point => apply(ctm, data[index]!, data[index + 1]!);
  for (let index = 0; index < data.length; ) {
    switch (data[index++]) {
      case 0:
        if (points.length > 1) yield { points, straight };
        points = [at(index)];
        straight = true;
        index += 2;
        break;
      case 1:
        points.push(at(index));
        index += 2;
        break;
      case 2:
        straight = false;
        points.push(at(index + 4));
        index += 6;
        break;
      case 3:
        straight = false;
        points.push(at(index + 2));
        index += 4;
        break;
      default:
        if (points.length > 0) points.push(points[0]!);
    }
  }
  if (points.length > 1) yield { points, straight };
}

function boundsOf(points: Point[]): Box {
  const box: Box = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  for (const [x, y] of points) {
    if (x < box[0]) box[0] = x;
    if (y < box[1]) box[1] = y;
    if (x > box[2]) box[2] = x;
    if (y > box[3]) box[3] = y;
  }
  return box;
}

const isAligned = ([ax, ay]: Point, [bx, by]: Point): boolean =>
  Math.abs(ax - bx) < alignedTolerance || Math.abs(ay - by) < alignedTolerance;

const isRectangle = (points: Point[]): boolean =>
  points.length >= 4 &&
  points.length <= 6 &&
  points.every((point, index) => index === 0 || isAligned(points[index - 1]!, point));

/** Smaller drawings are marks; larger ones with curves are pictures, whose strokes say nothing. */
const maxMarkSize = 26;
const isSmall = (box: Box): boolean => box[2] - box[0] < maxMarkSize && box[3] - box[1] < maxMarkSize;

/** A small circle, or a square with round corners: closed curves, as wide as high, that keep to their outline. */
function isRoundFrame({ points, straight, box }: Subpath): boolean {
  const [width, height] = [box[2] - box[0], box[3] - box[1]];
  if (straight || points.length < 4 || !isSmall(box) || Math.abs(width - height) > 0.15 * width) return false;
  const [first, last] = [points[0]!, points.at(-1)!];
  if (Math.hypot(first[0] - last[0], first[1] - last[1]) > 1) return false;
  const [x, y, radius] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, width / 2];
  const slack = 0.06 * width + 0.2;
  const onCircle = ([px, py]: Point): boolean => Math.abs(Math.hypot(px - x, py - y) - radius) < slack;
  const onEdge = ([px, py]: Point): boolean => radius - Math.max(Math.abs(px - x), Math.abs(py - y)) < slack;
  return points.every(onCircle) || points.every(onEdge);
}

interface Subpath {
  points: Point[];
  straight: boolean;
  box: Box;
}

const strokes: readonly number[] = [
  OPS.stroke,
  OPS.closeStroke,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
];

const fills: readonly number[] = [
  OPS.fill,
  OPS.eoFill,
  OPS.fillStroke,
  OPS.eoFillStroke,
  OPS.closeFillStroke,
  OPS.closeEOFillStroke,
];

/** Upright rectangles that a path paints, in page points. */
export function* filledRectangles(args: unknown[], ctm: Matrix): Generator<Box> {
  const [op, packed] = args as [number, [ArrayLike<number> | null]];
  if (!packed?.[0] || !fills.includes(op)) return;
  for (const { points, straight } of subpaths(packed[0], ctm))
    if (straight && isRectangle(points)) yield boundsOf(points);
}

export interface Painting {
  ctm: Matrix;
  lineWidth: number;
  fillsWhite: boolean;
}

export class PathCollector {
  readonly shapes: PathShape[] = [];
  /** True once a path was more than rulings, frames and filled rectangles. */
  isDrawing = false;

  /** `args` as pdf.js gives them for constructPath: the painting operator, the packed path, its bounds. */
  add(args: unknown[], { ctm, lineWidth, fillsWhite }: Painting): void {
    const [op, packed, bounds] = args as [number, [ArrayLike<number> | null], unknown];
    if (!bounds || !packed?.[0] || op === OPS.endPath) return;
    if (this.shapes.length >= maxShapes) this.isDrawing = true;
    const stroked = strokes.includes(op);
    const thickness = lineWidth * Math.hypot(ctm[0], ctm[1]);
    for (const { points, straight } of subpaths(packed[0], ctm)) {
      if (this.shapes.length >= maxShapes) return;
      const path = { points, straight, box: boundsOf(points) };
      if (stroked) this.#stroke(path, thickness);
      else this.#fill(path, fillsWhite);
    }
  }

  #stroke(path: Subpath, thickness: number): void {
    const { points, straight, box } = path;
    if (thickness > 3 * maxRuleThickness) {
      this.isDrawing = true;
      return;
    }
    if (isRoundFrame(path)) {
      this.#push('frame', box);
      return;
    }
    if (straight && isRectangle(points) && points.length >= 5) this.#push('frame', box);
    for (let index = 1; index < points.length; index++) {
      const [from, to] = [points[index - 1]!, points[index]!];
      if (isAligned(from, to) && (straight || Math.hypot(to[0] - from[0], to[1] - from[1]) > 8))
        this.#push('line', boundsOf([from, to]));
      else this.#draw(from, to, straight || isSmall(box));
    }
  }

  #fill(path: Subpath, white: boolean): void {
    const { points, straight, box } = path;
    if (isRoundFrame(path)) {
      if (!white) this.#push('fill', box);
    } else if (straight && isRectangle(points)) {
      const [width, height] = [box[2] - box[0], box[3] - box[1]];
      const thin =
        Math.min(width, height) <= maxRuleThickness && Math.max(width, height) > 2 * Math.min(width, height);
      if (thin) this.#push('line', box);
      else if (!white) this.#push('fill', box);
    } else if (!white) {
      // A small one may be a tick, cut out as an area.
      for (let index = 1; index < points.length; index++)
        this.#draw(points[index - 1]!, points[index]!, isSmall(box));
    }
  }

  #draw(from: Point, to: Point, isMark: boolean): void {
    this.isDrawing = true;
    if (isMark && !isAligned(from, to)) this.#push('slant', boundsOf([from, to]));
  }

  #push(kind: PathShape['kind'], box: Box): void {
    if (Number.isFinite(box[0] + box[1] + box[2] + box[3])) this.shapes.push({ kind, box });
  }
}
