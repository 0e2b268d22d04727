import { describe, expect, it } from 'vitest';
import { findMosaic } from '../../../server/engine/images/mosaic.ts';

const [width, height] = [384, 256];
/** Noise with the look of a photograph, the same each time. */
function noisy(): Float32Array {
  let state = 7;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  return Float32Array.from(
    { length: width * height },
    (_, at) => 120 + 60 * Math.sin((at % width) / 17) * Math.cos(at / width / 23) + 30 * random(),
  );
}

function squares(luma: Float32Array, side: number): Float32Array {
  const copy = luma.slice();
  for (let y = 64; y < 224; y++)
    for (let x = 32; x < 192; x++)
      copy[y * width + x] = luma[(y - (y % side)) * width + x - (x % side)]! + ((x * 7 + y) % 3);
  return copy;
}

describe('squares over a part of a photograph', () => {
  it.each([8, 11, 16])('of %i pixels are found, about where they are', (side) => {
    const box = findMosaic({ width, height, data: squares(noisy(), side) });
    expect(box).toBeDefined();
    expect(box![0] * width).toBeGreaterThanOrEqual(0);
    expect(box![2] * width).toBeLessThanOrEqual(224);
    expect(box![3] * height).toBeLessThanOrEqual(256);
  });

  it('are not borders, frames or signs on a smooth ground', () => {
    const framed = (edges: readonly number[]) =>
      Float32Array.from({ length: width * height }, (_, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        const inside = edges.filter((edge) => Math.min(x, width - 1 - x, y, height - 1 - y) >= edge).length;
        return inside === edges.length ? 150 + y / 8 : 255 - 200 * (inside % 2);
      });
    for (const edges of [[12], [40], [12, 22], [40, 52]])
      expect(findMosaic({ width, height, data: framed(edges) })).toBeUndefined();
  });

  it('are not found in noise, nor in a flat picture', () => {
    expect(findMosaic({ width, height, data: noisy() })).toBeUndefined();
    expect(findMosaic({ width, height, data: new Float32Array(width * height).fill(90) })).toBeUndefined();
    expect(findMosaic({ width: 20, height: 20, data: new Float32Array(400) })).toBeUndefined();
  });
});
