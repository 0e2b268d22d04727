/** The way between a picture as it came and the frame its text reads upright in. */

import type { Point, Quad } from './geometry.ts';

export interface PageTransform {
  /** Sides of the upright frame, in pixels of the picture. */
  width: number;
  height: number;
  toFrame(point: Point): Point;
  toPicture(point: Point): Point;
}

/** The frame of a picture whose text runs `angle` radians clockwise of rightwards; it holds the whole picture. */
export function turnedTransform(picture: { width: number; height: number }, angle: number): PageTransform {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = Math.abs(picture.width * cos) + Math.abs(picture.height * sin);
  const height = Math.abs(picture.width * sin) + Math.abs(picture.height * cos);
  const [px, py, fx, fy] = [picture.width / 2, picture.height / 2, width / 2, height / 2];
  return {
    width,
    height,
    toFrame: ([x, y]) => [fx + (x - px) * cos + (y - py) * sin, fy - (x - px) * sin + (y - py) * cos],
    toPicture: ([x, y]) => [px + (x - fx) * cos - (y - fy) * sin, py + (x - fx) * sin + (y - fy) * cos],
  };
}

/** The same place with its corners named from the corner that a reader of text turned by `quarters` starts at. */
export function turnQuad(quad: Quad, quarters: number): Quad {
  const at = (index: number): Point => quad[(index + quarters + 4) % 4]!;
  return [at(0), at(1), at(2), at(3)];
}
