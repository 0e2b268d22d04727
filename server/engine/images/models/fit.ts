/** Bringing pictures to the size a network takes, and its answers back. Pure but for the resizing itself. */
import type { Kernel, Picture, Pixels, Size } from '../input/picture.ts';

/** The picture's place on the network's canvas: canvas = picture × scale + offset, in pixels. */
export interface Placement {
  canvas: Size;
  scaleX: number;
  scaleY: number;
  left: number;
  top: number;
}

/** @param grid sides of the canvas are multiples of it; `square`: the whole square is padded, else only up to the grid */
export interface LetterboxOptions {
  side: number;
  grid: number;
  square: boolean;
  /** `middle` pads on both sides, `corner` right and bottom. */
  at: 'middle' | 'corner';
  pad: readonly [number, number, number];
  kernel: Kernel;
}

export interface Fitted {
  pixels: Pixels;
  placement: Placement;
}

const roundUp = (value: number, grid: number): number => Math.ceil(value / grid) * grid;

/** Keeps the aspect: the longer side becomes `side`, the rest is padding. */
export async function letterbox(picture: Picture, options: LetterboxOptions): Promise<Fitted> {
  const { side, grid, square } = options;
  const scale = side / Math.max(picture.width, picture.height);
  const inner = {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
  const canvas = square
    ? { width: roundUp(side, grid), height: roundUp(side, grid) }
    : { width: roundUp(inner.width, grid), height: roundUp(inner.height, grid) };
  const middle = options.at === 'middle' ? 0.5 : 0;
  // Half pixels go to the right and the bottom, as Ultralytics rounds them.
  const left = Math.round((canvas.width - inner.width) * middle - 0.1) || 0;
  const top = Math.round((canvas.height - inner.height) * middle - 0.1) || 0;
  const pixels = place(await picture.resized(inner, options.kernel), { canvas, left, top }, options.pad);
  const placement = {
    canvas,
    scaleX: inner.width / picture.width,
    scaleY: inner.height / picture.height,
    left,
    top,
  };
  return { pixels, placement };
}

function place(
  inner: Pixels,
  { canvas, left, top }: { canvas: Size; left: number; top: number },
  pad: readonly [number, number, number],
): Pixels {
  if (inner.width === canvas.width && inner.height === canvas.height) return inner;
  const data = new Uint8Array(canvas.width * canvas.height * 3);
  if (pad[0] === pad[1] && pad[1] === pad[2]) data.fill(pad[0]);
  else for (let at = 0; at < data.length; at += 3) data.set(pad, at);
  const rowBytes = inner.width * 3;
  for (let row = 0; row < inner.height; row++) {
    const from = row * rowBytes;
    data.set(inner.data.subarray(from, from + rowBytes), ((row + top) * canvas.width + left) * 3);
  }
  return { ...canvas, data };
}

/** Stretched to the canvas, the aspect lost: what DETR-like networks are trained with. */
export async function stretch(picture: Picture, canvas: Size, kernel: Kernel): Promise<Fitted> {
  const pixels = await picture.resized(canvas, kernel);
  const placement = {
    canvas,
    scaleX: canvas.width / picture.width,
    scaleY: canvas.height / picture.height,
    left: 0,
    top: 0,
  };
  return { pixels, placement };
}

/** The shorter side becomes `side`, then the middle is cut out: what CLIP sees. */
export async function cropMiddle(
  picture: Picture,
  options: { shortest: number; crop: Size; kernel: Kernel },
): Promise<Pixels> {
  const { shortest, crop, kernel } = options;
  const scale = shortest / Math.min(picture.width, picture.height);
  const size = {
    width: Math.max(crop.width, Math.trunc(picture.width * scale)),
    height: Math.max(crop.height, Math.trunc(picture.height * scale)),
  };
  const whole = await picture.resized(size, kernel);
  const left = Math.floor((size.width - crop.width) / 2);
  const top = Math.floor((size.height - crop.height) / 2);
  const data = new Uint8Array(crop.width * crop.height * 3);
  for (let row = 0; row < crop.height; row++) {
    const from = ((row + top) * size.width + left) * 3;
    data.set(whole.data.subarray(from, from + crop.width * 3), row * crop.width * 3);
  }
  return { ...crop, data };
}

export interface Normalization {
  /** Multiplies the bytes first; 1/255 brings them to 0..1. */
  scale: number;
  mean: readonly [number, number, number];
  std: readonly [number, number, number];
}

/**
 * RGB rows to planes, `[3, height, width]` at `offset` of `target`: (byte × scale − mean) / std, folded into one
 * look-up table a channel.
 */
export function toPlanes(
  pixels: Pixels,
  normalization: Normalization,
  target: Float32Array,
  offset = 0,
): void {
  const { data, width, height } = pixels;
  const area = width * height;
  for (let channel = 0; channel < 3; channel++) {
    const table = new Float32Array(256);
    const mean = normalization.mean[channel]!;
    const std = normalization.std[channel]!;
    for (let value = 0; value < 256; value++) table[value] = (value * normalization.scale - mean) / std;
    let to = offset + channel * area;
    for (let from = channel; from < data.length; from += 3) target[to++] = table[data[from]!]!;
  }
}

/** Consecutive pictures of one size run together. */
export function sameSize(fitted: readonly Fitted[]): Fitted[][] {
  const groups: Fitted[][] = [];
  for (const each of fitted) {
    const last = groups.at(-1);
    const { width, height } = each.placement.canvas;
    const same = last?.[0]?.placement.canvas;
    if (last && same?.width === width && same.height === height) last.push(each);
    else groups.push([each]);
  }
  return groups;
}
