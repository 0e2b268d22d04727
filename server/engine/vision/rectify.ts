/** A photographed page laid flat: the quadrilateral of its contour becomes the whole picture. */

import { distance, type Point, type Quad } from './geometry.ts';
import { fromUnitSquare, invert, project } from './homography.ts';
import type { RgbImage } from './images.ts';

export interface RectifiedPage {
  image: RgbImage;
  /** Between pixels of the flat page and pixels of the picture it was taken from. */
  toSource(point: Point): Point;
  fromSource(point: Point): Point;
}

/** Edges found in a small picture are a pixel of it off: a rim of this share of the page stays. */
const rim = 0.008;

function grow(quad: Quad): Quad {
  const centre: Point = [
    quad.reduce((sum, [x]) => sum + x, 0) / 4,
    quad.reduce((sum, [, y]) => sum + y, 0) / 4,
  ];
  const out = ([x, y]: Point): Point => [x + 2 * rim * (x - centre[0]), y + 2 * rim * (y - centre[1])];
  return [out(quad[0]), out(quad[1]), out(quad[2]), out(quad[3])];
}

/** Sides of the flat page: the longer of opposite ones, so that no detail is lost. */
function flatSize([a, b, c, d]: Quad, maxAreaPx: number): { width: number; height: number } {
  const width = Math.max(distance(a, b), distance(d, c));
  const height = Math.max(distance(a, d), distance(b, c));
  const shrink = Math.min(1, Math.sqrt(maxAreaPx / (width * height)));
  return { width: Math.max(1, Math.round(width * shrink)), height: Math.max(1, Math.round(height * shrink)) };
}

/**
 * The page inside `contour` (pixels of `image`), at most `maxAreaPx` pixels of it. Bilinear; beyond the picture its rim goes on.
 */
export function rectifyPage(image: RgbImage, contour: Quad, maxAreaPx: number): RectifiedPage {
  const quad = grow(contour);
  const { width, height } = flatSize(quad, maxAreaPx);
  const map = fromUnitSquare(quad);
  const back = invert(map);
  const data = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sx, sy] = project(map, [(x + 0.5) / width, (y + 0.5) / height]);
      const px = Math.min(image.width - 1, Math.max(0, sx - 0.5));
      const py = Math.min(image.height - 1, Math.max(0, sy - 0.5));
      const [x0, y0] = [Math.floor(px), Math.floor(py)];
      const [fx, fy] = [px - x0, py - y0];
      const right = x0 + 1 < image.width ? 3 : 0;
      const below = y0 + 1 < image.height ? 3 * image.width : 0;
      const from = 3 * (y0 * image.width + x0);
      const to = 3 * (y * width + x);
      for (let channel = 0; channel < 3; channel++) {
        const at = from + channel;
        const top = image.data[at]! * (1 - fx) + image.data[at + right]! * fx;
        const bottom = image.data[at + below]! * (1 - fx) + image.data[at + below + right]! * fx;
        data[to + channel] = top * (1 - fy) + bottom * fy;
      }
    }
  }
  return {
    image: { width, height, data },
    toSource: ([x, y]) => project(map, [x / width, y / height]),
    fromSource: (point) => {
      const [u, v] = project(back, point);
      return [u * width, v * height];
    },
  };
}
