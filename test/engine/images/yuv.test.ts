import { expect, it } from 'vitest';
import { orientPlanes, type Planes, toRgb } from '../../../server/engine/images/video/yuv.ts';
import { randomNumbers } from '../../support/onnx/random.ts';

const random = randomNumbers(5);
const [width, height] = [8, 6];

function makePlanes(changes: Partial<Planes>): Planes {
  const { chromaShiftX = 1, chromaShiftY = 1, depth = 8 } = changes;
  const bytes = depth > 8 ? 2 : 1;
  const [chromaWidth, chromaHeight] = [width >> chromaShiftX, height >> chromaShiftY];
  const sizes = [width * height, chromaWidth * chromaHeight, chromaWidth * chromaHeight];
  const samples = Array.from({ length: sizes[0]! + 2 * sizes[1]! }, () => Math.floor(random() * 2 ** depth));
  const memory = Uint8Array.from(
    samples.flatMap((value) => (bytes === 2 ? [value & 255, value >> 8] : [value])),
  );
  const strides = [width, chromaWidth, chromaWidth].map((stride) => stride * bytes);
  const planes = [0, sizes[0]! * bytes, (sizes[0]! + sizes[1]!) * bytes].map((offset, index) => ({
    offset,
    stride: strides[index]!,
  }));
  const usual = { depth, chromaShiftX, chromaShiftY, fullRange: false, matrix: 'bt601' as const };
  return { ...usual, width, height, memory, planes, ...changes };
}

/** The equations of ITU-T H.273, in floating point. */
function reference(source: Planes, x: number, y: number): number[] {
  const { matrix, fullRange, depth } = source;
  const [kr, kb] = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] }[matrix] as [
    number,
    number,
  ];
  const sample = (plane: number, column: number, row: number) => {
    const { offset, stride } = source.planes[plane]!;
    const at = offset + row * stride + column * (depth > 8 ? 2 : 1);
    const value = depth > 8 ? source.memory[at]! + 256 * source.memory[at + 1]! : source.memory[at]!;
    return Math.floor(value / 2 ** (depth - 8));
  };
  const [columns, rows] = [x >> source.chromaShiftX, y >> source.chromaShiftY];
  const light = fullRange ? sample(0, x, y) / 255 : (sample(0, x, y) - 16) / 219;
  const [cb, cr] = [1, 2].map((plane) => (sample(plane, columns, rows) - 128) / (fullRange ? 255 : 224)) as [
    number,
    number,
  ];
  const red = light + 2 * (1 - kr) * cr;
  const blue = light + 2 * (1 - kb) * cb;
  const green = (light - kr * red - kb * blue) / (1 - kr - kb);
  return [red, green, blue].map((value) => Math.min(255, Math.max(0, Math.round(value * 255))));
}

it.each<[string, Partial<Planes>]>([
  ['4:2:0', {}],
  ['4:2:0 of BT.709, full range', { matrix: 'bt709', fullRange: true }],
  ['4:2:2', { chromaShiftY: 0 }],
  ['4:4:4', { chromaShiftX: 0, chromaShiftY: 0 }],
  ['ten bits of BT.2020', { depth: 10, matrix: 'bt2020' }],
])('%s becomes RGB as the standard says, to one step', (_, changes) => {
  const source = makePlanes(changes);
  const { data } = toRgb(source);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const expected = reference(source, x, y);
      for (let channel = 0; channel < 3; channel++) {
        expect(Math.abs(data[(y * width + x) * 3 + channel]! - expected[channel]!)).toBeLessThanOrEqual(1);
      }
    }
  }
});

it('gray video has one plane', () => {
  const source = makePlanes({});
  const { data } = toRgb({ ...source, planes: source.planes.slice(0, 1) });
  expect(new Set(data.subarray(0, 3)).size).toBe(1);
});

it('turns clockwise, then mirrors', () => {
  const pixels = { width: 2, height: 1, data: Uint8Array.of(1, 1, 1, 2, 2, 2) };
  const firsts = (rotation: number, flip = false) => {
    const { width: columns, data } = orientPlanes(pixels, { rotation, flip });
    return [columns, data[0], data[3]];
  };
  expect(firsts(0)).toEqual([2, 1, 2]);
  expect(firsts(90)).toEqual([1, 1, 2]);
  expect(firsts(180)).toEqual([2, 2, 1]);
  expect(firsts(270)).toEqual([1, 2, 1]);
  expect(firsts(0, true)).toEqual([2, 2, 1]);
});
