import { createCanvas, loadImage } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { chartKindOf } from '../../../server/engine/images/charts.ts';
import { settleGraphics } from '../../../server/engine/images/graphics.ts';
import { type Pixels, pictureOf } from '../../../server/engine/images/input/picture.ts';
import type { FoundObject } from '../../../server/engine/images/types.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';

const [width, height] = [480, 360];

async function draw(shapes: string): Promise<Pixels> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${height}" fill="#fff"/>${shapes}</svg>`;
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(await loadImage(Buffer.from(svg)), 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, data: Uint8Array.from(data).filter((_, at) => at % 4 < 3) };
}

const axes =
  '<path d="M40 20v300h420" stroke="#333" fill="none"/><text x="20" y="350" font-size="14">2019 2020</text>';
const tones = ['#3a6ea5', '#d9822b', '#4c9a57'];
const levels = [120, 210, 60, 250, 170];
const bars = levels.map(
  (y, at) => `<rect x="${60 + at * 80}" y="${y}" width="48" height="${320 - y}" fill="${tones[0]}"/>`,
);
const lying = levels.map(
  (w, at) => `<rect x="41" y="${30 + at * 56}" width="${w}" height="30" fill="${tones[at % 2]}"/>`,
);
const stroke = (tone: string, shift: number) =>
  `<polyline fill="none" stroke-width="2" stroke="${tone}" points="${Array.from({ length: 40 }, (_, at) => `${45 + at * 10},${180 + shift + 70 * Math.sin(at / 4 + shift)}`).join(' ')}"/>`;
const zigzag = `<polyline fill="none" stroke-width="4" stroke="${tones[1]}" points="${Array.from({ length: 12 }, (_, at) => `${50 + at * 34},${at % 2 ? 300 : 40 + at * 6}`).join(' ')}"/>`;
const dots = Array.from(
  { length: 40 },
  (_, at) =>
    `<circle cx="${60 + ((at * 97) % 390)}" cy="${40 + ((at * 61) % 260)}" r="4" fill="${tones[at % 2]}"/>`,
);
const sector = (from: number, to: number, tone: string) => {
  const [x0, y0, x1, y1] = [from, to].flatMap((turn) => [
    240 + 120 * Math.cos(turn),
    180 + 120 * Math.sin(turn),
  ]);
  return `<path d="M240 180L${x0} ${y0}A120 120 0 ${to - from > Math.PI ? 1 : 0} 1 ${x1} ${y1}Z" fill="${tone}"/>`;
};
const pie = sector(0, 2, tones[0]!) + sector(2, 4.5, tones[1]!) + sector(4.5, 2 * Math.PI, tones[2]!);

describe('kinds of charts by their shapes', () => {
  it.each([
    ['bar_chart', axes + bars.join('')],
    ['bar_chart', axes + lying.join('')],
    ['line_chart', axes + stroke(tones[0]!, 0)],
    ['line_chart', axes + tones.map((tone, at) => stroke(tone, at * 20)).join('')],
    ['scatter_chart', axes + dots.join('')],
    ['pie_chart', pie],
    ['pie_chart', `${pie}<circle cx="240" cy="180" r="60" fill="#fff"/>`],
    ['line_chart', `${axes}${zigzag}`],
  ])('%s', async (kind, shapes) => {
    expect(chartKindOf(await draw(shapes))).toBe(kind);
  });

  it.each([
    ['axes alone', axes],
    ['nothing', ''],
    ['a disc of one color', '<circle cx="240" cy="180" r="120" fill="#3a6ea5"/>'],
    ['a filled picture', `<rect width="${width}" height="${height}" fill="#3a6ea5"/>`],
    [
      'boxes of many sizes',
      [0, 1, 2, 3]
        .map(
          (at) =>
            `<rect x="${20 + at * 110}" y="${20 + at * 40}" width="${30 + at * 20}" height="${90 - at * 15}" fill="${tones[at % 3]}"/>`,
        )
        .join(''),
    ],
    [
      'broad roads',
      [0, 1, 2]
        .map(
          (at) =>
            `<path d="M0 ${60 + at * 100}L480 ${120 + at * 80}" stroke="${tones[at]}" stroke-width="18"/>`,
        )
        .join(''),
    ],
  ])('none of %s', async (_, shapes) => {
    expect(chartKindOf(await draw(shapes))).toBeUndefined();
  });
});

describe('charts, diagrams and maps', () => {
  const found = (label: string, confidence: number, bbox: Box = [0.05, 0.03, 0.98, 0.98]): FoundObject => ({
    label,
    confidence,
    bbox,
  });
  const chart = async () => pictureOf(await draw(axes + bars.join('')));

  it('shapes correct the kind and one place holds one chart', async () => {
    const objects = [found('logo', 0.9), found('pie_chart', 0.6), found('bar_chart', 0.4)];
    const settled = await settleGraphics(objects, {}, await chart());
    expect(settled.map(({ label }) => label)).toEqual(['logo', 'bar_chart']);
    expect(settled[1]!.confidence).toBeGreaterThan(0.6);
  });

  it('a picture that is a chart or a map as a whole is boxed', async () => {
    const scene = { chart: 0.9, graphic: 0.95 };
    const [whole] = await settleGraphics([], scene, await chart());
    expect(whole).toMatchObject({ label: 'bar_chart', confidence: 0.9 });
    expect(whole!.bbox[0]).toBeCloseTo(20 / width, 1);
    expect(await settleGraphics([], { ...scene, graphic: 0.4 }, await chart())).toEqual([]);
    const map = pictureOf(await draw('<rect x="40" y="30" width="400" height="300" fill="#bdbdbd"/>'));
    const [only] = await settleGraphics([], { map: 0.8, graphic: 0.9 }, map);
    expect(only).toMatchObject({ label: 'map', confidence: 0.8 });
    expect(only!.bbox.map((edge) => Math.round(edge * 100))).toEqual([8, 8, 92, 92]);
  });

  it('an empty picture is none, whatever the scene says', async () => {
    const empty = pictureOf(await draw(''));
    expect(await settleGraphics([], { map: 0.9, chart: 0.9, graphic: 0.99 }, empty)).toEqual([]);
  });
});
