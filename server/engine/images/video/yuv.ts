/** Decoded planes to 8-bit RGB. Pure. */
import type { Pixels } from '../input/picture.ts';

export interface Planes {
  width: number;
  height: number;
  /** Where the decoder's memory is: planes are read in place. */
  memory: Uint8Array;
  /** Y, U, V; only Y for grey video. */
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

interface Tables {
  luma: Int32Array;
  redV: Int32Array;
  greenU: Int32Array;
  greenV: Int32Array;
  blueU: Int32Array;
}

const one = 1 << 16;
const half = 1 << 15;
const built = new Map<string, Tables>();

/** Contributions of each sample value in 16.16 fixed point. */
function tablesFor(matrix: Planes['matrix'], fullRange: boolean): Tables {
  const key = `${matrix} ${fullRange}`;
  const kept = built.get(key);
  if (kept) return kept;
  const [kr, kb] = weights[matrix];
  const kg = 1 - kr - kb;
  const lumaScale = fullRange ? 1 : 255 / 219;
  const chromaScale = fullRange ? 1 : 255 / 224;
  const table = (contribution: (value: number) => number) =>
    Int32Array.from({ length: 256 }, (_, value) => Math.round(contribution(value) * one));
  const chroma = (factor: number) => table((value) => (value - 128) * chromaScale * factor);
  const tables = {
    luma: table((value) => (value - (fullRange ? 0 : 16)) * lumaScale + half / one),
    redV: chroma(2 * (1 - kr)),
    greenU: chroma((-2 * kb * (1 - kb)) / kg),
    greenV: chroma((-2 * kr * (1 - kr)) / kg),
    blueU: chroma(2 * (1 - kb)),
  };
  built.set(key, tables);
  return tables;
}

export function toRgb(source: Planes): Pixels {
  const { width, height } = source;
  const data = new Uint8ClampedArray(width * height * 3);
  if (source.planes.length < 3) fillGrey(source, data);
  else fillColour(source, data);
  return { width, height, data: new Uint8Array(data.buffer) };
}

function fillColour(source: Planes, data: Uint8ClampedArray): void {
  const { width, height, memory, planes, depth, chromaShiftX, chromaShiftY } = source;
  const { luma, redV, greenU, greenV, blueU } = tablesFor(source.matrix, source.fullRange);
  const [y, u, v] = planes as [Planes['planes'][0], Planes['planes'][0], Planes['planes'][0]];
  const read = depth === 8 ? undefined : wideReader(memory, depth);
  let to = 0;
  for (let row = 0; row < height; row++) {
    const yRow = y.offset + row * y.stride;
    const uRow = u.offset + (row >> chromaShiftY) * u.stride;
    const vRow = v.offset + (row >> chromaShiftY) * v.stride;
    for (let column = 0; column < width; column++, to += 3) {
      const chroma = column >> chromaShiftX;
      const light = luma[read ? read(yRow, column) : memory[yRow + column]!]!;
      const blue = read ? read(uRow, chroma) : memory[uRow + chroma]!;
      const red = read ? read(vRow, chroma) : memory[vRow + chroma]!;
      data[to] = (light + redV[red]!) >> 16;
      data[to + 1] = (light + greenU[blue]! + greenV[red]!) >> 16;
      data[to + 2] = (light + blueU[blue]!) >> 16;
    }
  }
}

function fillGrey(source: Planes, data: Uint8ClampedArray): void {
  const { width, height, memory, depth } = source;
  const { luma } = tablesFor(source.matrix, source.fullRange);
  const { offset, stride } = source.planes[0]!;
  const read =
    depth === 8 ? (row: number, column: number) => memory[row + column]! : wideReader(memory, depth);
  let to = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 3) {
      data.fill(luma[read(offset + row * stride, column)]! >> 16, to, to + 3);
    }
  }
}

/** The upper 8 bits of samples of two bytes. */
const wideReader = (memory: Uint8Array, depth: number) => (row: number, column: number) => {
  const at = row + column * 2;
  return Math.min(255, (memory[at]! | (memory[at + 1]! << 8)) >> (depth - 8));
};

/** Turned clockwise by a multiple of 90°, then mirrored left to right where asked. */
export function orient(pixels: Pixels, { rotation, flip }: { rotation: number; flip: boolean }): Pixels {
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
