/**
 * The contour of a page or card that was photographed: the quadrilateral that stands out from what lies around it.
 *
 * What lies around is known from the rim of the picture. Pixels unlike the rim make up the page; its convex hull is
 * taken for a page when four straight sides describe it. Scans have no such contour and stay as they are.
 */

import { convexHull, distance, type Point, type Quad } from './geometry.ts';
import type { RgbImage } from './images.ts';
import { otsuLevel } from './ocr/line-ink.ts';

const workingSidePx = 320;
const rimShare = 0.025;
/** Share of the picture that a page covers. */
const [minShare, maxShare] = [0.08, 0.93];
/** A page fills its hull, and the hull its four sides. */
const minFill = 0.9;
const minQuadFill = 0.94;
/** Difference in color between page and rim, of 441 at most. */
const minContrast = 36;
const maxHullPoints = 28;

/** Mean colors of blocks: smaller, and without noise. */
function shrink(image: RgbImage): { small: RgbImage; step: number } {
  const step = Math.max(1, Math.ceil(Math.max(image.width, image.height) / workingSidePx));
  const [width, height] = [Math.floor(image.width / step), Math.floor(image.height / step)];
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0];
      for (let j = 0; j < step; j++) {
        const from = 3 * ((y * step + j) * image.width + x * step);
        for (let at = from; at < from + 3 * step; at += 3) {
          red += image.data[at]!;
          green += image.data[at + 1]!;
          blue += image.data[at + 2]!;
        }
      }
      const target = 3 * (y * width + x);
      data[target] = red / (step * step);
      data[target + 1] = green / (step * step);
      data[target + 2] = blue / (step * step);
    }
  return { small: { width, height, data }, step };
}

/** Median color of the rim. */
function rimColor({ width, height, data }: RgbImage): number[] {
  const rim = Math.max(1, Math.round(rimShare * Math.min(width, height)));
  const values: number[][] = [[], [], []];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if (x >= rim && y >= rim && x < width - rim && y < height - rim) continue;
      for (let channel = 0; channel < 3; channel++)
        values[channel]!.push(data[3 * (y * width + x) + channel]!);
    }
  return values.map((channel) => channel.sort((a, b) => a - b)[channel.length >> 1]!);
}

/** The largest connected area of pixels unlike the rim; null where nothing stands out. */
function largestArea(image: RgbImage): { points: Point[]; pixels: number } | null {
  const { width, height, data } = image;
  const rim = rimColor(image);
  const difference = new Uint16Array(width * height);
  const histogram = new Uint32Array(448);
  for (let at = 0; at < difference.length; at++) {
    difference[at] = Math.hypot(...rim.map((value, channel) => data[3 * at + channel]! - value));
    histogram[difference[at]!]!++;
  }
  const level = Math.max(minContrast, otsuLevel(histogram));
  const seen = new Uint8Array(width * height);
  let best: { points: Point[]; pixels: number } | null = null;
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || difference[start]! <= level) continue;
    const stack = [start];
    const points: Point[] = [];
    let pixels = 0;
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const [x, y] = [at % width, Math.floor(at / width)];
      pixels++;
      let inside = 0;
      for (const [dx, dy] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ] as const) {
        const [nx, ny] = [x + dx, y + dy];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
        const next = ny * width + nx;
        if (difference[next]! <= level) continue;
        inside++;
        if (!seen[next]) {
          seen[next] = 1;
          stack.push(next);
        }
      }
      if (inside < 4) points.push([x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]);
    }
    if (!best || pixels > best.pixels) best = { points, pixels };
  }
  return best;
}

function polygonArea(points: readonly Point[]): number {
  let twice = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nx, ny] = points[(index + 1) % points.length]!;
    twice += x * ny - nx * y;
  }
  return Math.abs(twice) / 2;
}

/** Leaves out the corners of a hull that take the least area with them. */
function thin(hull: Point[]): Point[] {
  const points = [...hull];
  while (points.length > maxHullPoints) {
    let [least, at] = [Number.POSITIVE_INFINITY, 0];
    for (const [index, point] of points.entries()) {
      const area = polygonArea([points.at(index - 1)!, point, points[(index + 1) % points.length]!]);
      if (area < least) [least, at] = [area, index];
    }
    points.splice(at, 1);
  }
  return points;
}

/** The largest quadrilateral whose corners are corners of the hull. */
function largestQuad(hull: Point[]): Point[] {
  let [best, corners]: [number, Point[]] = [0, []];
  for (let a = 0; a < hull.length; a++)
    for (let b = a + 1; b < hull.length; b++)
      for (let c = b + 1; c < hull.length; c++)
        for (let d = c + 1; d < hull.length; d++) {
          const quad = [hull[a]!, hull[b]!, hull[c]!, hull[d]!];
          const area = polygonArea(quad);
          if (area > best) [best, corners] = [area, quad];
        }
  return corners;
}

/** Clockwise from the corner nearest to the upper left. */
function toReadingOrder(corners: Point[]): Quad {
  const first = corners.reduce(
    (best, [x, y], index) => (x + y < corners[best]![0] + corners[best]![1] ? index : best),
    0,
  );
  const at = (index: number): Point => corners[(first + index) % 4]!;
  const quad = [at(0), at(1), at(2), at(3)] as const;
  const turn =
    (quad[1][0] - quad[0][0]) * (quad[2][1] - quad[0][1]) -
    (quad[1][1] - quad[0][1]) * (quad[2][0] - quad[0][0]);
  return turn > 0 ? quad : [quad[0], quad[3], quad[2], quad[1]];
}

/** Corners of the page in pixels; null where the picture is a scan, or shows no page with four straight sides. */
export function findPageContour(image: RgbImage): Quad | null {
  const { small, step } = shrink(image);
  if (small.width < 40 || small.height < 40) return null;
  const area = largestArea(small);
  const all = small.width * small.height;
  if (!area || area.pixels < minShare * all || area.pixels > maxShare * all) return null;
  const hull = convexHull(area.points);
  const hullArea = polygonArea(hull);
  if (area.pixels < minFill * hullArea) return null;
  const corners = largestQuad(thin(hull));
  if (corners.length < 4 || polygonArea(corners) < minQuadFill * hullArea) return null;
  const quad = toReadingOrder(corners);
  const sides = quad.map((corner, index) => distance(corner, quad[(index + 1) % 4]!));
  if (Math.min(...sides) < 0.15 * Math.max(...sides)) return null;
  const scaled = ([x, y]: Point): Point => [x * step, y * step];
  return [scaled(quad[0]), scaled(quad[1]), scaled(quad[2]), scaled(quad[3])];
}
