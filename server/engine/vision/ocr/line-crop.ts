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
      let [r, g, b] = [0, 0, 0];
      for (let j = 0; j < rowWeights.length; j++) {
        const line = (rowAt + j) * image.width;
        for (let i = 0; i < weights.length; i++) {
          const weight = rowWeights[j]! * weights[i]!;
          const source = 3 * (line + at + i);
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
  weights: number[];
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
    return { at: first, weights: weights.map((weight) => weight / sum) };
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

/** Samples a quadrilateral bilinearly; lines higher than the crop are averaged over several samples a pixel. */
export function cropLine(image: RgbImage, quad: Quad, size: { width: number; height: number }): LineCrop {
  const { width, height } = size;
  const plane = width * height;
  const data = new Float32Array(3 * plane);
  const [a, b, c, d] = quad;
  const per = Math.min(4, Math.max(1, Math.round(quadHeight(quad) / height)));
  const scale = 1 / (127.5 * per * per);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [red, green, blue] = [0, 0, 0];
      for (let sample = 0; sample < per * per; sample++) {
        const u = (x + ((sample % per) + 0.5) / per) / width;
        const v = (y + (Math.floor(sample / per) + 0.5) / per) / height;
        const px = (1 - v) * (a[0] + (b[0] - a[0]) * u) + v * (d[0] + (c[0] - d[0]) * u) - 0.5;
        const py = (1 - v) * (a[1] + (b[1] - a[1]) * u) + v * (d[1] + (c[1] - d[1]) * u) - 0.5;
        const x0 = Math.min(image.width - 1, Math.max(0, Math.floor(px)));
        const y0 = Math.min(image.height - 1, Math.max(0, Math.floor(py)));
        const x1 = Math.min(image.width - 1, x0 + 1);
        const y1 = Math.min(image.height - 1, y0 + 1);
        const fx = Math.min(1, Math.max(0, px - x0));
        const fy = Math.min(1, Math.max(0, py - y0));
        const [w00, w10, w01, w11] = [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy];
        const [i00, i10] = [3 * (y0 * image.width + x0), 3 * (y0 * image.width + x1)];
        const [i01, i11] = [3 * (y1 * image.width + x0), 3 * (y1 * image.width + x1)];
        const p = image.data;
        red += w00 * p[i00]! + w10 * p[i10]! + w01 * p[i01]! + w11 * p[i11]!;
        green += w00 * p[i00 + 1]! + w10 * p[i10 + 1]! + w01 * p[i01 + 1]! + w11 * p[i11 + 1]!;
        blue += w00 * p[i00 + 2]! + w10 * p[i10 + 2]! + w01 * p[i01 + 2]! + w11 * p[i11 + 2]!;
      }
      const target = y * width + x;
      data[target] = blue * scale - 1;
      data[plane + target] = green * scale - 1;
      data[2 * plane + target] = red * scale - 1;
    }
  }
  return { width, height, data };
}
