/** Decoded planes to 8-bit RGB. Pure. */
import type { Pixels } from '../input/picture.ts';

export interface Planes {
  width: number;
  height: number;
  /** The decoder's memory: planes are read in place. */
  memory: Uint8Array;
  /** Y, U, V; only Y for gray video. */
  planes: { offset: number; stride: number }[];
  /** Bits of a sample; above 8 they come as two bytes, low one first. */
  depth: number;
  /** Chroma samples are fewer by these powers of two. */
  chromaShiftX: number;
  chromaShiftY: number;
  fullRange: boolean;
  matrix: 'bt601' | 'bt709' | 'bt2020';
}

/** Kr and Kb of ITU-R BT.601, BT.709 and BT.2020. */
const weights = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] } as const;

/** In 16.16 fixed point: light = y × luma − dark; red = light + v × redV, and so on, u and v about 128. */
interface Coefficients {
  luma: number;
  dark: number;
  redV: number;
  greenU: number;
  greenV: number;
  blueU: number;
}

const one = 1 << 16;
const half = 1 << 15;

function coefficients({ matrix, fullRange }: Planes): Coefficients {
  const [kr, kb] = weights[matrix];
  const kg = 1 - kr - kb;
  const luma = Math.round((fullRange ? 1 : 255 / 219) * one);
  const chroma = (factor: number) => Math.round((fullRange ? 1 : 255 / 224) * factor * one);
  return {
    luma,
    dark: (fullRange ? 0 : 16) * luma - half,
    redV: chroma(2 * (1 - kr)),
    greenU: chroma((2 * kb * (1 - kb)) / kg),
    greenV: chroma((2 * kr * (1 - kr)) / kg),
    blueU: chroma(2 * (1 - kb)),
  };
}

/** The planes alone, out of the decoder's memory. */
export function copyPlanes(source: Planes): Planes {
  const rows = (plane: number) => (plane === 0 ? source.height : -(-source.height >> source.chromaShiftY));
  const sizes = source.planes.map(({ stride }, plane) => stride * rows(plane));
  const memory = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let to = 0;
  const planes = source.planes.map(({ offset, stride }, plane) => {
    const at = to;
    memory.set(source.memory.subarray(offset, offset + sizes[plane]!), at);
    to += sizes[plane]!;
    return { offset: at, stride };
  });
  return { ...source, memory, planes };
}

export function toRgb(source: Planes): Pixels {
  const { width, height } = source;
  const data = new Uint8ClampedArray(width * height * 3);
  if (source.planes.length < 3) fillGray(source, data);
  else if (source.depth === 8 && source.chromaShiftX === 1 && width % 2 === 0) fillPairs(source, data);
  else fillColor(source, data);
  return { width, height, data: new Uint8Array(data.buffer) };
}

type Plane = Planes['planes'][number];

/** The form of nearly all video: two pixels of a row share a chroma sample, whose part is worked out once. */
function fillPairs(source: Planes, data: Uint8ClampedArray): void {
  const { width, height, memory, planes, chromaShiftY } = source;
  const { luma, dark, redV, greenU, greenV, blueU } = coefficients(source);
  const [y, u, v] = planes as [Plane, Plane, Plane];
  let to = 0;
  for (let row = 0; row < height; row++) {
    let yAt = y.offset + row * y.stride;
    let uAt = u.offset + (row >> chromaShiftY) * u.stride;
    let vAt = v.offset + (row >> chromaShiftY) * v.stride;
    for (const end = yAt + width; yAt < end; yAt += 2, to += 6) {
      const cb = memory[uAt++]! - 128;
      const cr = memory[vAt++]! - 128;
      const red = Math.imul(cr, redV);
      const green = Math.imul(cb, greenU) + Math.imul(cr, greenV);
      const blue = Math.imul(cb, blueU);
      const left = Math.imul(memory[yAt]!, luma) - dark;
      const right = Math.imul(memory[yAt + 1]!, luma) - dark;
      data[to] = (left + red) >> 16;
      data[to + 1] = (left - green) >> 16;
      data[to + 2] = (left + blue) >> 16;
      data[to + 3] = (right + red) >> 16;
      data[to + 4] = (right - green) >> 16;
      data[to + 5] = (right + blue) >> 16;
    }
  }
}

function fillColor(source: Planes, data: Uint8ClampedArray): void {
  const { width, height, planes, chromaShiftX, chromaShiftY } = source;
  const { luma, dark, redV, greenU, greenV, blueU } = coefficients(source);
  const [y, u, v] = planes as [Plane, Plane, Plane];
  const read = sampleReader(source);
  let to = 0;
  for (let row = 0; row < height; row++) {
    const yRow = y.offset + row * y.stride;
    const uRow = u.offset + (row >> chromaShiftY) * u.stride;
    const vRow = v.offset + (row >> chromaShiftY) * v.stride;
    for (let column = 0; column < width; column++, to += 3) {
      const light = Math.imul(read(yRow, column), luma) - dark;
      const cb = read(uRow, column >> chromaShiftX) - 128;
      const cr = read(vRow, column >> chromaShiftX) - 128;
      data[to] = (light + Math.imul(cr, redV)) >> 16;
      data[to + 1] = (light - Math.imul(cb, greenU) - Math.imul(cr, greenV)) >> 16;
      data[to + 2] = (light + Math.imul(cb, blueU)) >> 16;
    }
  }
}

function fillGray(source: Planes, data: Uint8ClampedArray): void {
  const { width, height } = source;
  const { luma, dark } = coefficients(source);
  const { offset, stride } = source.planes[0]!;
  const read = sampleReader(source);
  let to = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 3) {
      data.fill((Math.imul(read(offset + row * stride, column), luma) - dark) >> 16, to, to + 3);
    }
  }
}

/** Samples as 8 bits; of those of two bytes the upper ones. */
export function sampleReader({
  memory,
  depth,
}: Pick<Planes, 'memory' | 'depth'>): (row: number, column: number) => number {
  if (depth === 8) return (row, column) => memory[row + column]!;
  return (row, column) => {
    const at = row + column * 2;
    return Math.min(255, (memory[at]! | (memory[at + 1]! << 8)) >> (depth - 8));
  };
}

export interface Turn {
  /** Clockwise degrees, a multiple of 90. */
  rotation: number;
  /** Mirrored left to right, after the turn. */
  flip: boolean;
}

export function orientPlanes(pixels: Pixels, { rotation, flip }: Turn): Pixels {
  if (rotation === 0 && !flip) return pixels;
  const { width, height, data } = pixels;
  const turned = rotation === 90 || rotation === 270;
  const [outWidth, outHeight] = turned ? [height, width] : [width, height];
  const out = new Uint8Array(data.length);
  for (let y = 0, to = 0; y < outHeight; y++) {
    for (let column = 0; column < outWidth; column++, to += 3) {
      const x = flip ? outWidth - 1 - column : column;
      const [fromX, fromY] = sourceOf(x, y, { rotation, width, height });
      const from = (fromY * width + fromX) * 3;
      out[to] = data[from]!;
      out[to + 1] = data[from + 1]!;
      out[to + 2] = data[from + 2]!;
    }
  }
  return { width: outWidth, height: outHeight, data: out };
}

function sourceOf(
  x: number,
  y: number,
  { rotation, width, height }: { rotation: number; width: number; height: number },
): [number, number] {
  if (rotation === 90) return [y, height - 1 - x];
  if (rotation === 180) return [width - 1 - x, height - 1 - y];
  if (rotation === 270) return [width - 1 - y, x];
  return [x, y];
}
