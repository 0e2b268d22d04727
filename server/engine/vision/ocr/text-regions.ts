/**
 * From the detector's map to lines of text: the post-processing of DB (Liao et al., Real-time Scene Text Detection with
 * Differentiable Binarization, AAAI 2020). The map is cut at a threshold, each connected area becomes the smallest
 * rectangle around it, and the rectangle is grown, since the map shows text shrunk.
 */

import { convexHull, type Point, type Quad, smallestRectangle, toQuad } from '../geometry.ts';

export interface TextMap {
  width: number;
  height: number;
  /** Probability of text, row by row. */
  data: Float32Array;
}

export interface TextRegion {
  /** In pixels of the map. */
  quad: Quad;
  /** Mean probability inside. */
  score: number;
}

export interface RegionOptions {
  threshold: number;
  /** Areas with a lower mean are no text. */
  minScore: number;
  /** Growth: area × ratio ÷ perimeter on each side. */
  unclipRatio: number;
}

/** Rims around the grown rectangle, as shares of its height: the recognizer reads lines with a rim better. */
const alongMargin = 0.15;
const acrossMargin = 0.06;
const minPixels = 6;
const minSidePx = 2.5;

interface Area {
  /** Leftmost and rightmost pixel of each row: all that the hull needs. */
  edge: Point[];
  pixels: number;
  sum: number;
}

/** Connected areas (8 neighbours) above the threshold, by flood fill over a stack. */
function* areas({ width, height, data }: TextMap, threshold: number): Generator<Area> {
  const seen = new Uint8Array(width * height);
  const stack = new Int32Array(width * height);
  for (let start = 0; start < data.length; start++) {
    if (seen[start] || data[start]! < threshold) continue;
    const rows = new Map<number, [number, number]>();
    let [pixels, sum, top] = [0, 0, 0];
    stack[top++] = start;
    seen[start] = 1;
    while (top > 0) {
      const at = stack[--top]!;
      const y = Math.floor(at / width);
      const x = at - y * width;
      pixels++;
      sum += data[at]!;
      const row = rows.get(y);
      if (!row) rows.set(y, [x, x]);
      else if (x < row[0]) row[0] = x;
      else if (x > row[1]) row[1] = x;
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx;
          if (seen[next] || data[next]! < threshold) continue;
          seen[next] = 1;
          stack[top++] = next;
        }
      }
    }
    yield { edge: cornersOf(rows), pixels, sum };
  }
}

/** Corners of the pixels at both ends of each row. */
function cornersOf(rows: Map<number, [number, number]>): Point[] {
  const points: Point[] = [];
  for (const [y, [left, right]] of rows)
    points.push([left, y], [left, y + 1], [right + 1, y], [right + 1, y + 1]);
  return points;
}

export function findTextRegions(map: TextMap, options: RegionOptions): TextRegion[] {
  const regions: TextRegion[] = [];
  for (const area of areas(map, options.threshold)) {
    const score = area.sum / area.pixels;
    if (area.pixels < minPixels || score < options.minScore) continue;
    const rectangle = smallestRectangle(convexHull(area.edge));
    const { halfWidth, halfHeight } = rectangle;
    if (2 * Math.min(halfWidth, halfHeight) < minSidePx) continue;
    const grow = (options.unclipRatio * halfWidth * halfHeight) / (halfWidth + halfHeight);
    const margin = 2 * (Math.min(halfWidth, halfHeight) + grow);
    regions.push({
      quad: toQuad(rectangle, [grow + alongMargin * margin, grow + acrossMargin * margin]),
      score,
    });
  }
  return regions;
}
