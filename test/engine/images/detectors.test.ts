import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { pictureOf } from '../../../server/engine/images/input/picture.ts';
import { iou, type ScoredBox, suppress } from '../../../server/engine/images/models/detectors/boxes.ts';
import { readQueries } from '../../../server/engine/images/models/detectors/detr.ts';
import { readYolo } from '../../../server/engine/images/models/detectors/yolo.ts';
import { letterbox, stretch, toPlanes } from '../../../server/engine/images/models/fit.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';

import { openAnalyzer } from '../../support/images/open-starter.ts';
import { detrGraph, type TinyPack, writePack, yoloGraph } from '../../support/images/tiny-packs.ts';
import { randomNumbers } from '../../support/onnx/random.ts';

const random = randomNumbers(3);
const randomPicture = (width: number, height: number) =>
  pictureOf({ width, height, data: Uint8Array.from({ length: width * height * 3 }, () => random() * 256) });
const flat = (color: string, width = 200, height = 100): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();

describe('preparation', () => {
  it('shrinks nearly as Pillow does: a triangle over everything that a pixel covers', async () => {
    const picture = randomPicture(90, 60);
    const source = await picture.pixels();
    const [width, height] = [20, 15];
    const { pixels } = await stretch(picture, { width, height }, 'linear');
    /** Pillow's ImagingResample with its bilinear filter, one axis at a time, straight from its definition. */
    const filter = (values: number[], to: number): number[] => {
      const scale = values.length / to;
      return Array.from({ length: to }, (_, index) => {
        const centre = (index + 0.5) * scale;
        let [sum, weights] = [0, 0];
        for (const [at, value] of values.entries()) {
          const weight = Math.max(0, 1 - Math.abs((at + 0.5 - centre) / scale));
          sum += weight * value;
          weights += weight;
        }
        return sum / weights;
      });
    };
    let [difference, worst] = [0, 0];
    for (let channel = 0; channel < 3; channel++) {
      const rows = Array.from({ length: 60 }, (_, y) =>
        filter(
          Array.from({ length: 90 }, (_, x) => source.data[(y * 90 + x) * 3 + channel]!),
          width,
        ),
      );
      for (let x = 0; x < width; x++) {
        const column = filter(
          rows.map((row) => row[x]!),
          height,
        );
        for (let y = 0; y < height; y++) {
          const off = Math.abs(column[y]! - pixels.data[(y * width + x) * 3 + channel]!);
          difference += off / (width * height * 3);
          worst = Math.max(worst, off);
        }
      }
    }
    // Noise is the hardest case: the library halves with a box first, then weighs what is left.
    expect(difference).toBeLessThan(4);
    expect(worst).toBeLessThan(20);
  });

  it('letterboxes in the middle or the corner, and knows where', async () => {
    const white = pictureOf({ width: 200, height: 100, data: new Uint8Array(200 * 100 * 3).fill(255) });
    const options = { side: 64, grid: 32, square: true, pad: [114, 114, 114], kernel: 'linear' } as const;
    const middle = await letterbox(white, { ...options, at: 'middle' });
    expect(middle.placement).toMatchObject({ left: 0, top: 16, scaleX: 0.32, scaleY: 0.32 });
    const row = (data: Uint8Array, y: number) => data[y * 64 * 3];
    expect([15, 16, 47, 48].map((y) => row(middle.pixels.data, y))).toEqual([114, 255, 255, 114]);
    const corner = await letterbox(white, { ...options, square: false, at: 'corner' });
    expect(corner.placement.canvas).toEqual({ width: 64, height: 32 });
  });

  it('normalizes plane by plane', () => {
    const pixels = { width: 2, height: 1, data: Uint8Array.of(0, 128, 255, 10, 20, 30) };
    const planes = new Float32Array(6);
    toPlanes(pixels, { scale: 1 / 255, mean: [0.5, 0.4, 0.3], std: [0.2, 0.3, 0.4] }, planes);
    const expected = [0, 10, 128, 20, 255, 30].map((byte, index) => {
      const channel = Math.floor(index / 2);
      return (byte / 255 - [0.5, 0.4, 0.3][channel]!) / [0.2, 0.3, 0.4][channel]!;
    });
    for (const [index, value] of expected.entries()) expect(planes[index]).toBeCloseTo(value, 5);
  });
});

describe('suppression', () => {
  it('keeps what a plain quadratic search keeps', () => {
    const candidates: ScoredBox[] = Array.from({ length: 200 }, () => {
      const [x, y] = [random() * 80, random() * 80];
      return { label: Math.floor(random() * 3), score: random(), box: [x, y, x + 20, y + 20] };
    });
    const order = [...candidates].sort((a, b) => b.score - a.score);
    const gone = new Set<ScoredBox>();
    for (const [index, one] of order.entries()) {
      if (gone.has(one)) continue;
      for (const other of order.slice(index + 1)) {
        if (other.label === one.label && iou(one.box, other.box) > 0.5) gone.add(other);
      }
    }
    expect(suppress(candidates, 0.5)).toEqual(order.filter((candidate) => !gone.has(candidate)));
  });

  it('overlap is intersection over union', () => {
    expect(iou([0, 0, 2, 2], [1, 1, 3, 3])).toBeCloseTo(1 / 7, 9);
    expect(iou([0, 0, 1, 1], [1, 0, 2, 1])).toBe(0);
    expect(iou([0, 0, 4, 4], [0, 0, 4, 4])).toBe(1);
  });
});

describe('reading queries', () => {
  const [queries, classes] = [30, 5];
  const logits = Float32Array.from({ length: queries * classes }, () => random() * 8 - 4);
  const boxes = Float32Array.from({ length: queries * 4 }, () => random());

  it('sigmoid: the best pairs of query and class', () => {
    const found = readQueries(logits, boxes, { activation: 'sigmoid', threshold: 0.6 });
    const pairs = Array.from(logits, (logit, at) => ({ score: 1 / (1 + Math.exp(-logit)), at }))
      .sort((a, b) => b.score - a.score)
      .slice(0, queries)
      .filter(({ score }) => score >= 0.6);
    expect(found.map(({ label, score }) => [label, score])).toEqual(
      pairs.map(({ at, score }) => [at % classes, score]),
    );
    const [x, y, width, height] = boxes.subarray(Math.floor(pairs[0]!.at / classes) * 4);
    expect(found[0]!.box).toEqual([x! - width! / 2, y! - height! / 2, x! + width! / 2, y! + height! / 2]);
  });

  it('softmax: one class a query, none where the last one wins', () => {
    const found = readQueries(logits, boxes, { activation: 'softmax', threshold: 0 });
    let expected = 0;
    for (let query = 0; query < queries; query++) {
      const row = [...logits.subarray(query * classes, (query + 1) * classes)];
      if (row.indexOf(Math.max(...row)) < classes - 1) expected++;
    }
    expect(found.length).toBe(expected);
    expect(found.every(({ label, score }) => label < classes - 1 && score > 1 / classes)).toBe(true);
  });
});

describe('reading YOLO outputs', () => {
  /** Two things of three classes among fillers that score nothing. */
  const things = [
    { box: [10, 20, 50, 60] as Box, label: 2, score: 0.9 },
    { box: [100, 100, 130, 180] as Box, label: 0, score: 0.7 },
  ];
  const cells = 12;
  const expected = things.map(({ label, score, box }) => [
    label,
    Math.round(score * 1e4),
    box.map(Math.round),
  ]);
  const shown = (found: ScoredBox[]) =>
    found.map(({ label, score, box }) => [label, Math.round(score * 1e4), box.map(Math.round)]);
  const cell = (index: number, objectness: boolean): number[] => {
    const thing = things[index];
    const classes = [0, 0, 0].map((_, label) => (thing?.label === label ? thing.score : 0.01));
    const [x0, y0, x1, y1] = thing?.box ?? [0, 0, 4, 4];
    return [(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, ...(objectness ? [1] : []), ...classes];
  };
  const options = { threshold: 0.25, iou: 0.5 };

  it('columns of cells, without objectness', () => {
    const rows = Array.from({ length: cells }, (_, index) => cell(index, false));
    const data = Float32Array.from(
      { length: 7 * cells },
      (_, at) => rows[at % cells]![Math.floor(at / cells)]!,
    );
    expect(shown(readYolo(data, [7, cells], options))).toEqual(expected);
  });

  it('rows of cells, with objectness', () => {
    const data = Float32Array.from(Array.from({ length: cells }, (_, index) => cell(index, true)).flat());
    expect(shown(readYolo(data, [cells, 8], options))).toEqual(expected);
  });

  it('corners, score and class', () => {
    const rows = [...things.map(({ box, score, label }) => [...box, score, label]), [0, 0, 1, 1, 0.01, 1]];
    expect(shown(readYolo(Float32Array.from(rows.flat()), [3, 6], options))).toEqual(expected);
  });
});

describe('detector packs', () => {
  let pack: TinyPack | undefined;
  afterEach(() => pack?.remove());

  async function detect(bytes: Uint8Array) {
    const analyzer = await openAnalyzer(pack!);
    try {
      await analyzer.check();
      return (await analyzer.analyze(bytes, { tasks: ['objects'] })).results[0]!.objects;
    } finally {
      await analyzer.close();
    }
  }

  it('D-FINE: picture in, boxes of the whole picture out, clipped', async () => {
    const queries = [
      { logits: [-4, -4], box: [0.5, 0.5, 0.2, 0.4] },
      { logits: [-4, 2], box: [0.95, 0.5, 0.3, 0.4] },
    ];
    pack = await writePack(
      { family: 'detr', threshold: 0.3 },
      {
        'onnx/model.onnx': detrGraph(queries, 32),
        'config.json': { model_type: 'd_fine', id2label: { 0: 'cat', 1: 'tennis racket' } },
        'preprocessor_config.json': {
          size: { width: 32, height: 32 },
          do_normalize: true,
          image_mean: [0.5, 0.5, 0.5],
          image_std: [0.125, 0.125, 0.125],
        },
      },
    );
    const white = await detect(await flat('#ffffff'));
    // White is (1 − 0.5) / 0.125 = 4 after preparation, which lifts the first logit to 0.
    expect(white.map(({ label, bbox }) => [label, ...bbox])).toEqual([
      ['tennis racket', 0.8, 0.3, 1, 0.7],
      ['cat', 0.4, 0.3, 0.6, 0.7],
    ]);
    expect(white[1]!.confidence).toBeCloseTo(0.5, 3);
    expect((await detect(await flat('#000000'))).map(({ label }) => label)).toEqual(['tennis racket']);
  });

  it('YOLO: boxes come back from the letterbox', async () => {
    const rows = [
      [16, 24, 48, 40, 0.8, 1],
      [0, 0, 64, 20, 0.6, 0],
    ];
    pack = await writePack(
      { family: 'yolo', labels: ['sky', 'boat'], threshold: 0.5 },
      { 'model.onnx': yoloGraph(rows.flat(), [2, 6], 64) },
    );
    // 200 × 100 lies on 64 × 64 at scale 0.32 with 16 rows of gray above and below.
    expect(await detect(await flat('#336699'))).toEqual([
      { label: 'boat', confidence: 0.8, bbox: [0.25, 0.25, 0.75, 0.75] },
      { label: 'sky', confidence: 0.6, bbox: [0, 0, 1, 0.125] },
    ]);
  });

  it('refuses packs that name no family or lack their files', async () => {
    pack = await writePack({ family: 'telepathy' }, {});
    await expect(openAnalyzer(pack)).rejects.toThrow(/families/);
    await pack.remove();
    pack = await writePack({ family: 'yolo' }, {});
    await expect(openAnalyzer(pack)).rejects.toThrow(/onnx\/model\.onnx/);
  });
});
