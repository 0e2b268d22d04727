/** Pictures as the networks take them: resized, blue first, scaled to what they were trained on. */

import { type Quad, quadHeight, quadWidth } from '../geometry.ts';
import type { RgbImage } from '../images.ts';

/** PP-OCR's detector was trained with ImageNet's figures, applied to blue, green, red in this order. */
const mean = [0.485, 0.456, 0.406];
const deviation = [0.229, 0.224, 0.225];

/**
 * The picture at another size, averaged over what each new pixel covers (bilinear when it grows), as the detector's
 * tensor [3, height, width].
 */
export function toDetectorPixels(image: RgbImage, width: number, height: number): Float32Array {
  const out = new Float32Array(3 * width * height);
  const plane = width * height;
  const [stepX, stepY] = [image.width / width, image.height / height];
  const columns = samplesOf(width, stepX, image.width);
  const rows = samplesOf(height, stepY, image.height);
  const { data } = image;
  for (let y = 0; y < height; y++) {
    const { at: rowAt, weights: rowWeights } = rows[y]!;
    for (let x = 0; x < width; x++) {
      const { at, weights } = columns[x]!;
      let r = 0;
      let g = 0;
      let b = 0;
      for (let j = 0; j < rowWeights.length; j++) {
        const rowWeight = rowWeights[j]!;
        let source = 3 * ((rowAt + j) * image.width + at);
        for (let i = 0; i < weights.length; i++, source += 3) {
          const weight = rowWeight * weights[i]!;
          r += weight * data[source]!;
          g += weight * data[source + 1]!;
          b += weight * data[source + 2]!;
        }
      }
      const target = y * width + x;
      out[target] = (b / 255 - mean[0]!) / deviation[0]!;
      out[plane + target] = (g / 255 - mean[1]!) / deviation[1]!;
      out[2 * plane + target] = (r / 255 - mean[2]!) / deviation[2]!;
    }
  }
  return out;
}

interface Samples {
  at: number;
  weights: Float64Array;
}

/** Triangle filter: neighbouring source pixels and their weights, which add up to 1. */
function samplesOf(count: number, step: number, limit: number): Samples[] {
  const radius = Math.max(1, step);
  return Array.from({ length: count }, (_, index) => {
    const centre = (index + 0.5) * step - 0.5;
    const first = Math.max(0, Math.ceil(centre - radius));
    const last = Math.min(limit - 1, Math.floor(centre + radius));
    const weights: number[] = [];
    for (let at = first; at <= last; at++) weights.push(Math.max(1e-6, 1 - Math.abs(at - centre) / radius));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { at: first, weights: Float64Array.from(weights, (weight) => weight / sum) };
  });
}

/** A line cut out of the picture and laid level: brightness of red, green, blue in -1..1, planes blue first. */
export interface LineCrop {
  width: number;
  height: number;
  data: Float32Array;
}

/** Width that a line has when it is `height` high. */
export const cropWidth = (quad: Quad, height: number): number =>
  Math.max(8, Math.round((height * quadWidth(quad)) / Math.max(1, quadHeight(quad))));

/** Points along both long edges of a line, `count` of them, in pixels of the picture. */
function edgePoints(
  [a, b, c, d]: Quad,
  count: number,
  axis: 0 | 1,
): { top: Float64Array; bottom: Float64Array } {
  const [top, bottom] = [new Float64Array(count), new Float64Array(count)];
  for (let at = 0; at < count; at++) {
    const u = (at + 0.5) / count;
    top[at] = a[axis] + (b[axis] - a[axis]) * u;
    bottom[at] = d[axis] + (c[axis] - d[axis]) * u;
  }
  return { top, bottom };
}

/** Samples a quadrilateral bilinearly; lines higher than the crop are averaged over several samples a pixel. */
export function cropLine(image: RgbImage, quad: Quad, size: { width: number; height: number }): LineCrop {
  const { width, height } = size;
  const plane = width * height;
  const data = new Float32Array(3 * plane);
  const per = Math.min(4, Math.max(1, Math.round(quadHeight(quad) / height)));
  const scale = 1 / (127.5 * per * per);
  const { data: source, width: stride } = image;
  const [maxX, maxY] = [stride - 1, image.height - 1];
  const across = edgePoints(quad, width * per, 0);
  const down = edgePoints(quad, width * per, 1);
  const sums = new Float64Array(3 * width);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let row = y * per; row < (y + 1) * per; row++) {
      const v = (row + 0.5) / (height * per);
      const rest = 1 - v;
      for (let at = 0; at < width * per; at++) {
        const px = rest * across.top[at]! + v * across.bottom[at]! - 0.5;
        const py = rest * down.top[at]! + v * down.bottom[at]! - 0.5;
        const x0 = Math.min(maxX, Math.max(0, Math.floor(px)));
        const y0 = Math.min(maxY, Math.max(0, Math.floor(py)));
        const fx = Math.min(1, Math.max(0, px - x0));
        const fy = Math.min(1, Math.max(0, py - y0));
        const right = x0 < maxX ? 3 : 0;
        const i00 = 3 * (y0 * stride + x0);
        const i01 = y0 < maxY ? i00 + 3 * stride : i00;
        const w00 = (1 - fx) * (1 - fy);
        const w10 = fx * (1 - fy);
        const w01 = (1 - fx) * fy;
        const w11 = fx * fy;
        const target = 3 * Math.floor(at / per);
        for (let channel = 0; channel < 3; channel++)
          sums[target + channel]! +=
            w00 * source[i00 + channel]! +
            w10 * source[i00 + right + channel]! +
            w01 * source[i01 + channel]! +
            w11 * source[i01 + right + channel]!;
      }
    }
    for (let x = 0; x < width; x++) {
      const target = y * width + x;
      data[target] = sums[3 * x + 2]! * scale - 1;
      data[plane + target] = sums[3 * x + 1]! * scale - 1;
      data[2 * plane + target] = sums[3 * x]! * scale - 1;
    }
  }
  return { width, height, data };
}
