/** Measured rather than learnt: darkness, blur, shape and colors of a picture. */
import type { Box } from '../vision/geometry.ts';
import type { Picture, Pixels } from './input/picture.ts';
import { roundScore } from './models/detectors/boxes.ts';
import { findMosaic } from './mosaic.ts';

export const colorNames = [
  'black',
  'grey',
  'white',
  'red',
  'orange',
  'brown',
  'yellow',
  'green',
  'cyan',
  'blue',
  'purple',
  'pink',
] as const;
export type ColorName = (typeof colorNames)[number];

export interface Attributes {
  /** Scores 0 to 1. */
  scene: {
    dark: number;
    overexposed: number;
    low_contrast: number;
    colorless: number;
    blurred: number;
    pixelated: number;
    portrait_shaped: number;
  };
  /** Around what was made unrecognizable with coarse squares. */
  mosaic?: Box;
  texture: Texture;
  /** Shares of the picture by named color, largest first; those above a twentieth. */
  colors: { name: ColorName; share: number }[];
}

/** Colors of neighbors: pictures of cameras and of programs differ in them. */
export interface Texture {
  /** Share of pixels that equal their neighbors. */
  flat: number;
  /** Share of the three commonest colors. */
  commonest: number;
}

/** Longest side at which everything is measured: blur is meant as a person sees it at this size. */
const measuredSidePx = 512;

/** Of a picture that nothing is asked of. */
export const noAttributes: Attributes = {
  scene: {
    dark: 0,
    overexposed: 0,
    low_contrast: 0,
    colorless: 0,
    blurred: 0,
    pixelated: 0,
    portrait_shaped: 0,
  },
  colors: [],
  texture: { flat: 0, commonest: 0 },
};

/** All but the squares, which take the whole picture (withMosaic). */
export async function measure(picture: Picture): Promise<Attributes> {
  const scale = Math.min(1, measuredSidePx / Math.max(picture.width, picture.height));
  const size = {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
  const pixels = await picture.resized(size, 'linear');
  const luma = toLuma(pixels);
  const levels = Float32Array.from(luma).sort();
  return {
    scene: {
      dark: roundScore(darkness(luma)),
      overexposed: roundScore(overexposure(pixels)),
      low_contrast: roundScore(lowContrast(levels)),
      colorless: roundScore(colorlessness(pixels)),
      blurred: roundScore(blur(luma, levels, pixels)),
      pixelated: 0,
      portrait_shaped: picture.height > picture.width * 1.05 ? 1 : 0,
    },
    colors: countColors(pixels),
    texture: textureOf(pixels),
  };
}

/** Rec. 601 luma, 0 to 255. */
export function toLuma({ data, width, height }: Pixels): Float32Array {
  const luma = new Float32Array(width * height);
  for (let at = 0, from = 0; at < luma.length; at++, from += 3) {
    luma[at] = 0.299 * data[from]! + 0.587 * data[from + 1]! + 0.114 * data[from + 2]!;
  }
  return luma;
}

const logistic = (value: number): number => 1 / (1 + Math.exp(-value));

/** One half where the mean brightness is a quarter of white. */
function darkness(luma: Float32Array): number {
  let sum = 0;
  for (const value of luma) sum += value;
  return logistic((0.25 - sum / luma.length / 255) * 30);
}

const quantile = (sorted: Float32Array, share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)]!;

/** One half where a third of the picture is white without any drawing. */
function overexposure({ data }: Pixels): number {
  let white = 0;
  for (let at = 0; at < data.length; at += 3)
    if (Math.min(data[at]!, data[at + 1]!, data[at + 2]!) >= 252) white++;
  return logistic((white / (data.length / 3) - 0.33) * 25);
}

/** One half where nine tenths of the picture lie within a fifth of the range. */
function lowContrast(levels: Float32Array): number {
  const range = quantile(levels, 0.95) - quantile(levels, 0.05);
  return logistic((51 - range) / 4);
}

/** One half where all but a fiftieth of the pixels are within ten levels of gray. */
function colorlessness({ data }: Pixels): number {
  const ranges = new Float32Array(data.length / 3);
  for (let at = 0; at < ranges.length; at++) {
    const [red, green, blue] = [data[at * 3]!, data[at * 3 + 1]!, data[at * 3 + 2]!];
    ranges[at] = Math.max(red, green, blue) - Math.min(red, green, blue);
  }
  return logistic((10 - quantile(ranges.sort(), 0.98)) * 0.8);
}

/** Squares are looked for in the pixels as they are; what was shrunk has lost its grid. */
export async function withMosaic(attributes: Attributes, picture: Picture): Promise<Attributes> {
  const pixels = await picture.pixels();
  const mosaic = findMosaic({ width: pixels.width, height: pixels.height, data: toLuma(pixels) });
  return mosaic ? { ...attributes, scene: { ...attributes.scene, pixelated: 1 }, mosaic } : attributes;
}

/** Differences of all channels together that nobody sees. */
const unseen = 3;

/** Speaks neither for a camera nor for a program. */
const unknownTexture: Texture = { flat: 1, commonest: 0 };

function textureOf({ data, width, height }: Pixels): Texture {
  if (width < 2 || height < 2) return unknownTexture;
  const counts = new Map<number, number>();
  let flat = 0;
  const differs = (at: number, from: number) =>
    Math.abs(data[at]! - data[from]!) +
      Math.abs(data[at + 1]! - data[from + 1]!) +
      Math.abs(data[at + 2]! - data[from + 2]!) >
    unseen;
  for (let y = 1; y < height; y++)
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * 3;
      if (!differs(at, at - 3) && !differs(at, at - width * 3)) flat++;
      const color = ((data[at]! >> 3) << 10) | ((data[at + 1]! >> 3) << 5) | (data[at + 2]! >> 3);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  const all = (width - 1) * (height - 1);
  const largest = [...counts.values()].sort((a, b) => b - a).slice(0, 3);
  return { flat: flat / all, commonest: largest.reduce((sum, count) => sum + count, 0) / all };
}

/**
 * The sharpest edges against the contrast there is. At a sharp edge the Laplacian comes near the step itself; after a
 * Gaussian blur of σ pixels its peak falls to 0.24/σ² of the step, so one half is met at about σ = 1.3. A flat picture
 * has no edges to judge and is not called blurred.
 */
function blur(
  luma: Float32Array,
  levels: Float32Array,
  { width, height }: { width: number; height: number },
): number {
  if (width < 8 || height < 8) return 0;
  const contrast = quantile(levels, 0.99) - quantile(levels, 0.01);
  if (contrast < 12) return 0;
  const edges = new Float32Array((width - 2) * (height - 2));
  for (let y = 1, to = 0; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++, to++) {
      const at = y * width + x;
      const across = luma[at - 1]! + luma[at + 1]! - 2 * luma[at]!;
      const down = luma[at - width]! + luma[at + width]! - 2 * luma[at]!;
      edges[to] = Math.max(Math.abs(across), Math.abs(down));
    }
  }
  edges.sort();
  const sharpest = edges[Math.floor((edges.length - 1) * 0.998)]!;
  return logistic((0.14 - sharpest / contrast) * 45);
}

/** Hue, saturation and value to one of twelve names. */
export function nameColor(red: number, green: number, blue: number): ColorName {
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  if (most < 64) return 'black';
  if (range < 18 || range / most < 0.14) return grayName(most);
  const hue = hueOf(red, green, blue, most, range);
  if (hue < 14 || hue >= 345) return most > 200 && range / most < 0.5 ? 'pink' : 'red';
  if (hue < 42) return most < 170 ? 'brown' : 'orange';
  if (hue < 68) return most < 110 ? 'brown' : 'yellow';
  if (hue < 165) return 'green';
  if (hue < 198) return 'cyan';
  if (hue < 258) return 'blue';
  if (hue < 300) return 'purple';
  return 'pink';
}

function grayName(value: number): ColorName {
  return value > 215 ? 'white' : 'grey';
}

function hueOf(red: number, green: number, blue: number, most: number, range: number): number {
  const sixth =
    most === red
      ? (green - blue) / range
      : most === green
        ? 2 + (blue - red) / range
        : 4 + (red - green) / range;
  return (sixth * 60 + 360) % 360;
}

function countColors({ data }: Pixels): Attributes['colors'] {
  const counts = new Map<ColorName, number>();
  const pixels = data.length / 3;
  for (let at = 0; at < data.length; at += 3) {
    const name = nameColor(data[at]!, data[at + 1]!, data[at + 2]!);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, share: count / pixels }))
    .filter(({ share }) => share >= 0.05)
    .sort((a, b) => b.share - a.share);
}
