import { describe, expect, test } from 'vitest';
import { findRasterCheckboxes } from '../../../../server/engine/documents/elements/checkboxes-raster.ts';
import { findDrawings } from '../../../../server/engine/documents/elements/drawings.ts';
import { findInkSignatures } from '../../../../server/engine/documents/elements/ink-signatures.ts';
import { findStamps } from '../../../../server/engine/documents/elements/stamps.ts';
import { withoutLetters } from '../../../../server/engine/documents/layout/letter-strokes.ts';
import { mergeRulings } from '../../../../server/engine/documents/layout/rulings.ts';
import { drawForm, type FormTruth } from '../../../support/documents/forms/form-maker.ts';
import type { Pen } from '../../../support/documents/forms/surface.ts';
import { scanOf } from './pixels.ts';

const black: Pen = { width: 0.7, color: [0, 0, 0] };

describe('a scanned form', () => {
  test.each([1, 2, 3])('boxes with label and state, and who signed: seed %i', async (seed) => {
    let truth: FormTruth = { checkboxes: [], signatures: [] };
    const page = await scanOf((surface) => {
      truth = drawForm(surface, seed, 'en');
    }, seed);
    const { boxes } = findRasterCheckboxes(page);
    const byPlace = <T extends { box: number[] }>(items: T[]): T[] =>
      items.toSorted(
        (a, b) => Math.round(a.box[1]! / 6) - Math.round(b.box[1]! / 6) || a.box[0]! - b.box[0]!,
      );
    const say = ({ label, checked }: { label: string; checked: boolean }) => [label, checked];
    expect(byPlace(boxes).map(say)).toEqual(byPlace(truth.checkboxes).map(say));
    const signatures = findInkSignatures({ ...page, rulings: page.strokes });
    expect(signatures).toHaveLength(truth.signatures.length);
    for (const [index, { box }] of byPlace(signatures).entries())
      for (const [side, value] of byPlace(truth.signatures)[index]!.box.entries())
        expect(Math.abs(box[side]! - value)).toBeLessThan(12);
  });
});

describe('lines on a scan', () => {
  test('a ruled table, a broken and a shaded line; print has none', async () => {
    const page = await scanOf((surface) => {
      surface.rectangle([60, 100, 400, 125], { fill: [0.75, 0.75, 0.75] });
      for (const y of [100, 125, 150])
        surface.stroke(
          [
            [60, y],
            [400, y],
          ],
          black,
        );
      for (const x of [60, 230, 400])
        surface.stroke(
          [
            [x, 100],
            [x, 150],
          ],
          black,
        );
      for (let x = 60; x < 400; x += 34)
        surface.stroke(
          [
            [x, 300],
            [x + 29, 300],
          ],
          black,
        );
      surface.text('Millimetres of minimum illumination', [66, 118], 10);
      surface.text('HEADING IN LARGE LETTERS ILL', [60, 220], 20);
    }, 5);
    const lines = withoutLetters(page.strokes, page.words);
    const [horizontal, vertical] = [mergeRulings(lines.horizontal), mergeRulings(lines.vertical)];
    expect(horizontal.map(({ at }) => Math.round(at)).sort((a, b) => a - b)).toEqual([
      expect.closeTo(100, -0.5),
      expect.closeTo(125, -0.5),
      expect.closeTo(150, -0.5),
      expect.closeTo(300, -0.5),
    ]);
    expect(vertical).toHaveLength(3);
    for (const { from, to } of horizontal) {
      expect(Math.abs(from - 60)).toBeLessThan(4);
      expect(Math.abs(to - 399)).toBeLessThan(5);
    }
  });

  test('curves are drawings, words and rules are not', async () => {
    const page = await scanOf((surface) => {
      surface.text('Some words on a line', [60, 100], 11);
      surface.stroke(
        [
          [60, 120],
          [300, 120],
        ],
        black,
      );
      surface.stroke(
        Array.from({ length: 60 }, (_, step) => [60 + step * 4, 300 + 40 * Math.sin(step / 6)]),
        black,
      );
    }, 6);
    const { width, height } = page.image;
    const tiles = findDrawings(page.strokes, page, { width, height, scale: page.scale });
    expect(tiles.length).toBeGreaterThan(20);
    expect(tiles.every(([, y0, , y1]) => y0 > 240 && y1 < 360)).toBe(true);
  });
});

test('stamps have a frame; a colored disc and a line of colored text are none', () => {
  const [width, height, scale] = [600, 400, 1.5];
  const data = new Uint8Array(width * height).fill(250);
  const paint = (x: number, y: number): void => {
    data[Math.round(y) * width + Math.round(x)] = 60;
  };
  for (let angle = 0; angle < 2 * Math.PI; angle += 0.004)
    for (let radius = 58; radius < 61; radius++)
      paint(120 + radius * Math.cos(angle), 120 + radius * Math.sin(angle));
  for (let x = 90; x < 150; x += 1) for (let y = 116; y < 122; y++) if (x % 9 < 6) paint(x, y);
  for (let x = -45; x < 45; x++)
    for (let y = -45; y < 45; y++) if (x * x + y * y < 2000) paint(420 + x, 120 + y);
  for (let x = 60; x < 300; x++) for (let y = 300; y < 312; y++) if (x % 8 < 4) paint(x, y);
  const stamps = findStamps({ width, height, data }, scale);
  expect(stamps).toHaveLength(1);
  for (const [side, value] of [40, 40, 120, 120].entries())
    expect(Math.abs(stamps[0]!.box[side]! - value)).toBeLessThan(3);
});
