/**
 * The kind of chart that a part of a picture shows, from its shapes: equal bars on one baseline, a disc of sectors, a thin
 * stroke from left to right, many small dots. Only colored ink is looked at, so axes, grids and words do not matter.
 * What fits no shape clearly stays unnamed. Pure.
 */
import { findComponents } from '../vision/components.ts';
import type { Pixels } from './input/picture.ts';

export const chartKinds = ['bar_chart', 'line_chart', 'pie_chart', 'scatter_chart'] as const;
export type ChartKind = (typeof chartKinds)[number];

/** Channels of colored ink differ at least so much. */
const leastChroma = 50;
/** Sum of the differences of three channels below which two colors are one. */
const sameColor = 70;
const mostSeries = 8;
/** Of the picture; smaller blots are no data. */
const leastInk = 0.002;

/** Connected pixels of one mask: their bounding box, edges inclusive, and number. */
interface Blob {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  area: number;
}

const widthOf = ({ x0, x1 }: Blob): number => x1 - x0 + 1;
const heightOf = ({ y0, y1 }: Blob): number => y1 - y0 + 1;
const fillOf = (blob: Blob): number => blob.area / (widthOf(blob) * heightOf(blob));
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** @param pixels some 480 pixels along the longer side */
export function chartKindOf(pixels: Pixels): ChartKind | undefined {
  const { series, colors } = toSeries(pixels);
  const ink = sumOf(colors.map(({ count }) => count));
  if (ink < leastInk * pixels.width * pixels.height) return undefined;
  const any = series.map((value) => (value > 0 ? 1 : 0));
  const whole = blobsOf(any, pixels);
  if (isPie(whole, series, pixels)) return 'pie_chart';
  const blobs = colors.flatMap((_, index) =>
    blobsOf(
      series.map((value) => (value === index + 1 ? 1 : 0)),
      pixels,
    ),
  );
  if (areBars(blobs, ink)) return 'bar_chart';
  if (areDots(blobs, pixels, ink)) return 'scatter_chart';
  if (areStrokes(whole, any, pixels)) return 'line_chart';
  return undefined;
}

interface Color {
  red: number;
  green: number;
  blue: number;
  count: number;
}

/** For each pixel the number of its color among those that the ink has, from 1 on; 0: no colored ink. */
function toSeries({ data, width, height }: Pixels): { series: Uint8Array; colors: Color[] } {
  const found = new Map<number, Color>();
  for (let at = 0; at < data.length; at += 3) {
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) < leastChroma) continue;
    const key = ((red >> 5) << 6) | ((green >> 5) << 3) | (blue >> 5);
    const known = found.get(key) ?? { red: 0, green: 0, blue: 0, count: 0 };
    found.set(key, {
      red: known.red + red,
      green: known.green + green,
      blue: known.blue + blue,
      count: known.count + 1,
    });
  }
  const colors: Color[] = [];
  for (const { red, green, blue, count } of [...found.values()].sort((a, b) => b.count - a.count)) {
    const mean = { red: red / count, green: green / count, blue: blue / count, count };
    const like = colors.find((color) => differ(color, mean) < sameColor);
    if (like) like.count += count;
    else if (colors.length < mostSeries) colors.push(mean);
  }
  const series = new Uint8Array(width * height);
  for (let at = 0; at < series.length; at++) {
    const [red, green, blue] = [data[at * 3]!, data[at * 3 + 1]!, data[at * 3 + 2]!];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) < leastChroma) continue;
    series[at] = 1 + colors.findIndex((color) => differ(color, { red, green, blue }) < sameColor);
  }
  return { series, colors };
}

const differ = (a: Omit<Color, 'count'>, b: Omit<Color, 'count'>): number =>
  Math.abs(a.red - b.red) + Math.abs(a.green - b.green) + Math.abs(a.blue - b.blue);

function blobsOf(data: Uint8Array, { width, height }: Pixels): Blob[] {
  return findComponents({ width, height, data }).map(({ box: [x0, y0, x1, y1], area }) => ({
    x0,
    y0,
    x1: x1 - 1,
    y1: y1 - 1,
    area,
  }));
}

/** A disc or a ring that holds several colors: ink all along its rim, none in the corners around it. */
function isPie(blobs: readonly Blob[], series: Uint8Array, { width, height }: Pixels): boolean {
  const largest = blobs.reduce<Blob | undefined>(
    (best, blob) => (blob.area > (best?.area ?? 0) ? blob : best),
    undefined,
  );
  if (!largest || largest.area < leastDisc * width * height) return false;
  if (largest.area < 0.6 * sumOf(blobs.map(({ area }) => area))) return false;
  if (Math.abs(widthOf(largest) / heightOf(largest) - 1) > 0.12) return false;
  const [x, y] = [(largest.x0 + largest.x1) / 2, (largest.y0 + largest.y1) / 2];
  const rim = { pixels: 0, ink: 0 };
  const corners = { pixels: 0, ink: 0 };
  const shares = new Map<number, number>();
  for (let row = largest.y0; row <= largest.y1; row++)
    for (let column = largest.x0; column <= largest.x1; column++) {
      const color = series[row * width + column]!;
      const reach = Math.hypot((2 * (column - x)) / widthOf(largest), (2 * (row - y)) / heightOf(largest));
      const part = reach > 1.04 ? corners : reach > 0.8 && reach < 0.96 ? rim : undefined;
      if (part) {
        part.pixels++;
        part.ink += color > 0 ? 1 : 0;
      }
      if (color > 0) shares.set(color, (shares.get(color) ?? 0) + 1 / largest.area);
    }
  const severalColors = [...shares.values()].filter((share) => share > 0.04).length >= 2;
  return severalColors && rim.ink > 0.85 * rim.pixels && corners.ink < 0.1 * corners.pixels;
}
/** Of the picture. */
const leastDisc = 0.04;

/** Full rectangles of one thickness that stand on one line, upright or lying. */
function areBars(blobs: readonly Blob[], ink: number): boolean {
  const full = blobs.filter((blob) => blob.area > 0.01 * ink && fillOf(blob) > 0.88);
  if (full.length < 3 || sumOf(full.map(({ area }) => area)) < 0.8 * ink) return false;
  const stand = (thick: (blob: Blob) => number, foot: (blob: Blob) => number) => {
    const sorted = full.map(thick).sort((a, b) => a - b);
    const usual = sorted[Math.floor(sorted.length / 2)]!;
    const alike = full.filter((blob) => Math.abs(thick(blob) - usual) <= Math.max(2, 0.15 * usual));
    const feet = alike.map(foot).sort((a, b) => a - b);
    const line = feet[Math.floor(feet.length / 2)]!;
    return alike.filter((blob) => Math.abs(foot(blob) - line) <= 3).length >= Math.max(3, 0.75 * full.length);
  };
  return stand(widthOf, ({ y1 }) => y1) || stand(heightOf, ({ x0 }) => x0);
}

/** Many round blots, small and of like size. */
function areDots(blobs: readonly Blob[], { width, height }: Pixels, ink: number): boolean {
  const most = 0.05 * Math.max(width, height);
  const dots = blobs.filter(
    (blob) =>
      blob.area >= 4 &&
      Math.max(widthOf(blob), heightOf(blob)) <= most &&
      Math.max(widthOf(blob), heightOf(blob)) <= 2 * Math.min(widthOf(blob), heightOf(blob)) &&
      fillOf(blob) > 0.5,
  );
  return dots.length >= 15 && sumOf(dots.map(({ area }) => area)) > 0.5 * ink;
}

/**
 * Long and thin, rising and falling, over much of the width. Whatever their colors: where strokes cross and where they
 * are drawn smooth they change it.
 */
function areStrokes(blobs: readonly Blob[], mask: Uint8Array, { width, height }: Pixels): boolean {
  const strokes = blobs.filter((blob) => widthOf(blob) > 0.05 * width && heightOf(blob) > 3);
  const covered = new Set(
    strokes.flatMap(({ x0, x1 }) => Array.from({ length: x1 - x0 + 1 }, (_, at) => x0 + at)),
  );
  const ink = sumOf(blobs.map(({ area }) => area));
  return (
    covered.size > 0.5 * width &&
    ink < 0.08 * width * height &&
    sumOf(strokes.map(({ area }) => area)) > 0.6 * ink &&
    usualRun(mask, { width, height }) <= thickestStroke * Math.max(width, height)
  );
}
const thickestStroke = 0.01;

/** The median length of ink downwards or, where strokes are steep, across. */
function usualRun(mask: Uint8Array, { width, height }: Pick<Pixels, 'width' | 'height'>): number {
  const down = runsOf((x, y) => mask[y * width + x]!, width, height);
  const across = runsOf((y, x) => mask[y * width + x]!, height, width);
  return Math.min(...[down, across].map((runs) => runs.sort((a, b) => a - b)[runs.length >> 1] ?? 0));
}

function runsOf(ink: (line: number, at: number) => number, lines: number, length: number): number[] {
  const runs: number[] = [];
  for (let line = 0; line < lines; line++)
    for (let at = 0, run = 0; at <= length; at++) {
      if (at < length && ink(line, at)) run++;
      else if (run > 0) {
        runs.push(run);
        run = 0;
      }
    }
  return runs;
}
