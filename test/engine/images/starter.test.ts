import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { landscape } from '../../support/images/landscape.ts';
import { type Analyzer, openAnalyzer } from '../../support/images/open-starter.ts';
import { drawBarcode } from '../../support/media/draw-barcode.ts';

let starter: Analyzer;
const told: [done: number, frames: number][] = [];
beforeAll(async () => {
  starter = await openAnalyzer(undefined, 1, (...progress) => told.push(progress));
});
afterAll(() => starter.close());

/** A white page with a QR code whose upper left corner lies at (60, 40). */
async function pageWithCode(text: string): Promise<Buffer> {
  const { width, height, data } = await drawBarcode(text, 'QRCode');
  const code = await sharp(Uint8Array.from(data), { raw: { width, height, channels: 1 } })
    .resize(width * 4, height * 4, { kernel: 'nearest' })
    .png()
    .toBuffer();
  const page = sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff' } });
  return page
    .composite([{ input: code, left: 60, top: 40 }])
    .png()
    .toBuffer();
}

it('passes its own smoke test', async () => {
  expect(await starter.check()).toBeNull();
});

it('a code is decoded, boxed and told', async () => {
  const { results, images, frames } = await starter.analyze(await pageWithCode('https://lokal.example/1'));
  const code = results[0]!.objects.find(({ label }) => label === 'qr_code');
  expect(code?.confidence).toBeGreaterThan(0.9);
  expect(code?.bbox[0]).toBeCloseTo(0.15, 1);
  expect(code?.bbox[1]).toBeCloseTo(0.13, 1);
  expect(results[0]!.caption).toContain('https://lokal.example/1');
  expect([images, frames]).toEqual([1, 0]);
});

it('answers the tasks that were asked and no others', async () => {
  const page = await pageWithCode('x');
  const objects = await starter.analyze(page, { tasks: ['objects'] });
  expect(objects.results[0]).toMatchObject({ caption: '', scene: {} });
  expect(objects.results[0]!.relations).toBeUndefined();
  const caption = await starter.analyze(page, { tasks: ['caption'], language: 'ms' });
  expect(caption.results[0]).toMatchObject({ language: 'ms', objects: [], scene: {} });
  const graph = await starter.analyze(page, { tasks: ['scene_graph'] });
  expect(graph.results[0]!.relations).toBeDefined();
  const { scene } = graph.results[0]!;
  expect(Object.values(scene).every((score) => score >= 0 && score <= 1)).toBe(true);
  expect(Object.keys(scene)).toEqual(
    expect.arrayContaining(['terminal', 'photograph', 'screenshot', 'outdoors', 'dark', 'portrait_shaped']),
  );
});

it('claims of a photograph no more than it knows', async () => {
  const { results, warnings } = await starter.analyze(await landscape());
  const { caption, scene } = results[0]!;
  expect(warnings.join()).toContain('Import a detector');
  expect(caption).toMatch(/^A photograph\b/);
  expect(caption).not.toMatch(/door|day|night/);
  for (const guess of ['indoors', 'outdoors', 'day', 'night']) expect(scene[guess]).toBeLessThan(0.75);
});

it('frames of an animation keep their order and times', async () => {
  const pages = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff', '#ffffff', '#000000'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const bytes = await sharp(pages, { join: { animated: true } })
    .gif({ delay: [100, 100, 100, 100, 100] })
    .toBuffer();
  const { results, images, frames } = await starter.analyze(bytes, { tasks: ['caption'] });
  expect(results.map(({ timestampMs }) => timestampMs)).toEqual([0, 100, 200, 300, 400]);
  expect(results.map(({ caption }) => /red|green|blue|white|black/.exec(caption)?.[0])).toEqual([
    'red',
    'green',
    'blue',
    'white',
    'black',
  ]);
  expect([images, frames]).toEqual([0, 5]);
  expect(told).toEqual([
    [4, 5],
    [5, 5],
  ]);
});
