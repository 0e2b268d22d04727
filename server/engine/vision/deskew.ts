/** The skew of a page by its lines, and the page as brightness, turned so that its text reads upright. */
import { type Quad, quadAngle, quadHeight, quadWidth } from './geometry.ts';
import type { GrayImage, RgbImage } from './images.ts';
import type { PageTransform } from './page-transform.ts';

const white = 255;

/** The angle less its nearest quarter turn. */
const withinQuarter = (angle: number): number => angle - Math.round(angle / (Math.PI / 2)) * (Math.PI / 2);

/**
 * Angle of the lines to their quarter turn, clockwise in radians: the median by the square of their length, 0 where none
 * is long enough. A short line seems to fall where its last letter reaches down, and a table has many of one word.
 */
export function skewOf(quads: Quad[]): number {
  const long = quads
    .filter((quad) => quadWidth(quad) > 4 * quadHeight(quad))
    .map((quad) => ({ angle: withinQuarter(quadAngle(quad)), weight: quadWidth(quad) ** 2 }))
    .sort((a, b) => a.angle - b.angle);
  const half = long.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  for (const { angle, weight } of long) {
    passed += weight;
    if (passed >= half) return angle;
  }
  return 0;
}

/** ITU-R BT.601. */
export function toGray({ width, height, data }: RgbImage): GrayImage {
  const gray = new Uint8Array(width * height);
  for (let index = 0, from = 0; index < gray.length; index++, from += 3)
    gray[index] = (299 * data[from]! + 587 * data[from + 1]! + 114 * data[from + 2]!) / 1000;
  return { width, height, data: gray };
}

/** Bilinear; what lies outside of the picture is white. */
export function deskewGray(gray: GrayImage, frame: PageTransform, angle: number): GrayImage {
  if (angle === 0) return gray;
  const [width, height] = [Math.round(frame.width), Math.round(frame.height)];
  const data = new Uint8Array(width * height).fill(white);
  const { data: source, width: stride } = gray;
  // The map is affine: one step to the right moves the source by the same amount everywhere.
  const [ox, oy] = frame.toPicture([0.5, 0.5]);
  const [ax, ay] = frame.toPicture([1.5, 0.5]);
  const [dx, dy] = [ax - ox, ay - oy];
  for (let y = 0; y < height; y++) {
    const [sx, sy] = frame.toPicture([0.5, y + 0.5]);
    for (let x = 0; x < width; x++) {
      const px = sx + x * dx - 0.5;
      const py = sy + x * dy - 0.5;
      if (px < 0 || py < 0) continue;
      const x0 = Math.trunc(px);
      const y0 = Math.trunc(py);
      if (x0 + 1 >= stride || y0 + 1 >= gray.height) continue;
      const fx = px - x0;
      const fy = py - y0;
      const at = y0 * stride + x0;
      const top = source[at]! * (1 - fx) + source[at + 1]! * fx;
      const bottom = source[at + stride]! * (1 - fx) + source[at + stride + 1]! * fx;
      data[y * width + x] = top * (1 - fy) + bottom * fy;
    }
  }
  return { width, height, data };
}
