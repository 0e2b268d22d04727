/** Average precision of found boxes at an overlap of one half (all-point interpolation, as in Pascal VOC since 2010). */

import { iou } from '../../../server/engine/images/models/detectors/boxes.ts';
import type { Box } from '../../../server/engine/vision/geometry.ts';

export interface Judged {
  /** What is there, by label. */
  truth: { label: string; box: Box }[];
  found: { label: string; score: number; box: Box }[];
}

/** AP of one label over all pictures. Null: the label is nowhere to be found in the truth. */
export function averagePrecision(pictures: readonly Judged[], label: string, least = 0.5): number | null {
  const found = pictures
    .flatMap((picture, at) =>
      picture.found.filter((one) => one.label === label).map((one) => ({ ...one, at })),
    )
    .sort((a, b) => b.score - a.score);
  const truths = pictures.map(({ truth }) =>
    truth.filter((one) => one.label === label).map(({ box }) => ({ box, taken: false })),
  );
  const wanted = truths.reduce((sum, boxes) => sum + boxes.length, 0);
  if (wanted === 0) return null;
  let right = 0;
  const points: { recall: number; precision: number }[] = [];
  for (const [index, { box, at }] of found.entries()) {
    const rivals = truths[at]!.filter(({ taken }) => !taken).map((one) => ({
      one,
      iou: iou(one.box, box),
    }));
    const best = rivals.sort((a, b) => b.iou - a.iou)[0];
    if (best && best.iou >= least) {
      best.one.taken = true;
      right++;
    }
    points.push({ recall: right / wanted, precision: right / (index + 1) });
  }
  // From the back, precision never falls: the area under that hull.
  let [area, best, recall] = [0, 0, points.at(-1)?.recall ?? 0];
  for (const point of points.reverse()) {
    area += (recall - point.recall) * best;
    best = Math.max(best, point.precision);
    recall = point.recall;
  }
  return area + recall * best;
}

/** AP by label, for labels with at least `fewest` boxes. */
export function precisions(pictures: readonly Judged[], fewest = 1): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { truth } of pictures)
    for (const { label } of truth) counts.set(label, (counts.get(label) ?? 0) + 1);
  return Object.fromEntries(
    [...counts]
      .filter(([, count]) => count >= fewest)
      .map(([label]) => [label, averagePrecision(pictures, label) ?? 0] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );
}
