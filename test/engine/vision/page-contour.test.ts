import { describe, expect, test } from 'vitest';
import { despeckle } from '../../../server/engine/vision/despeckle.ts';
import type { Quad } from '../../../server/engine/vision/geometry.ts';
import { fromUnitSquare, invert, project } from '../../../server/engine/vision/homography.ts';
import type { RgbImage } from '../../../server/engine/vision/images.ts';
import { findPageContour } from '../../../server/engine/vision/page-contour.ts';
import { photographed } from '../../support/documents/scans.ts';

const quad: Quad = [
  [120, 60],
  [520, 100],
  [560, 700],
  [60, 740],
];

function paper(width: number, height: number, value: number): RgbImage {
  return { width, height, data: new Uint8Array(3 * width * height).fill(value) };
}

describe('outline of a photographed page', () => {
  test('its corners, in reading order', () => {
    const found = findPageContour(photographed(paper(300, 420, 225), quad, { width: 640, height: 800 }));
    for (const [index, [x, y]] of quad.entries()) {
      expect(Math.abs(found![index]![0] - x)).toBeLessThan(8);
      expect(Math.abs(found![index]![1] - y)).toBeLessThan(8);
    }
  });

  test('a scan has none', () => {
    const scan = paper(600, 800, 250);
    for (let y = 100; y < 700; y += 30)
      for (let x = 80; x < 520; x++) scan.data.fill(20, 3 * (y * 600 + x), 3 * (y * 600 + x) + 3);
    expect(findPageContour(scan)).toBeNull();
    expect(findPageContour(paper(600, 800, 128))).toBeNull();
    expect(findPageContour(paper(20, 20, 128))).toBeNull();
  });

  test('a map and its inverse', () => {
    const map = fromUnitSquare(quad);
    for (const [index, corner] of (
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ] as const
    ).entries())
      for (const axis of [0, 1] as const) expect(project(map, corner)[axis]).toBeCloseTo(quad[index]![axis]);
    const back = project(invert(map), project(map, [0.3, 0.7]));
    expect(back[0]).toBeCloseTo(0.3);
    expect(back[1]).toBeCloseTo(0.7);
  });
});

describe('specks', () => {
  test('are taken out of a noisy scan, and a clean one is left alone', () => {
    const clean = paper(200, 200, 255);
    clean.data.fill(0, 3 * 200 * 50, 3 * 200 * 54);
    expect(despeckle(clean)).toBe(clean);
    const noisy = { ...clean, data: Uint8Array.from(clean.data) };
    for (let at = 203; at < 200 * 199; at += 37)
      noisy.data.fill(255 - noisy.data[3 * at]!, 3 * at, 3 * at + 3);
    const different = (image: RgbImage): number =>
      image.data.reduce((count, value, index) => count + (value === clean.data[index] ? 0 : 1), 0);
    expect(different(despeckle(noisy))).toBeLessThan(0.05 * different(noisy));
  });
});
