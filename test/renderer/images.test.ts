import { describe, expect, it } from 'vitest';
import { cocoJson, objectsCsv } from '../../renderer/src/pages/images/image-exports.ts';
import { countLabels, labelColor, shownObjects } from '../../renderer/src/pages/images/seen-objects.ts';
import type { ImagesResult } from '../../server/api/services/images.ts';

const answer: ImagesResult = {
  id: 'req_vis_0',
  model: 'svc-vision-pro',
  created: 1,
  results: [
    {
      caption: 'Two cats.',
      language: 'en',
      objects: [
        { label: 'cat', confidence: 0.9, bbox: [0.1, 0.2, 0.5, 0.6] },
        { label: 'sofa', confidence: 0.4, bbox: [0, 0.5, 1, 1] },
        { label: 'cat', confidence: 0.6, bbox: [0.5, 0.2, 0.9, 0.6] },
      ],
      scene: {},
      timestamp_ms: 40,
    },
  ],
  usage: { images: 0, frames_sampled: 1 },
};
const objects = answer.results[0]!.objects;

describe('shown objects', () => {
  it('pass the confidence and the labels, and keep their index', () => {
    expect(
      shownObjects(objects, { minConfidence: 0.5, hidden: new Set() }).map(({ index }) => index),
    ).toEqual([0, 2]);
    expect(
      shownObjects(objects, { minConfidence: 0, hidden: new Set(['cat']) }).map(({ index }) => index),
    ).toEqual([1]);
  });

  it('labels are counted over all frames and have a color each', () => {
    expect(countLabels(answer.results)).toEqual([
      { label: 'cat', count: 2 },
      { label: 'sofa', count: 1 },
    ]);
    expect(labelColor('cat')).toBe(labelColor('cat'));
    expect(labelColor('cat')).not.toBe(labelColor('sofa'));
  });
});

describe('exports', () => {
  const files = [{ name: 'clip.mp4', width: 200, height: 100, answer }];

  it('CSV has a row for each object', () => {
    expect(objectsCsv(files).trim().split('\r\n')).toEqual([
      'file,frame,timestamp_ms,label,confidence,x0,y0,x1,y1',
      'clip.mp4,0,40,cat,0.9,0.1,0.2,0.5,0.6',
      'clip.mp4,0,40,sofa,0.4,0,0.5,1,1',
      'clip.mp4,0,40,cat,0.6,0.5,0.2,0.9,0.6',
    ]);
  });

  it('COCO has boxes in pixels and a category for each label', () => {
    const coco = JSON.parse(cocoJson(files));
    expect(coco.categories).toEqual([
      { id: 1, name: 'cat' },
      { id: 2, name: 'sofa' },
    ]);
    expect(coco.images).toEqual([
      { id: 1, file_name: 'clip.mp4', width: 200, height: 100, timestamp_ms: 40, caption: 'Two cats.' },
    ]);
    expect(coco.annotations[0]).toEqual({
      id: 1,
      image_id: 1,
      category_id: 1,
      bbox: [20, 20, 80, 40],
      area: 3200,
      iscrowd: 0,
      score: 0.9,
    });
    expect(coco.annotations).toHaveLength(3);
  });
});
