/** Boxes of detectors: formats, clipping, suppression of doubles. Pure. */
import type { Box } from '../../../vision/geometry.ts';
import { maxObjects } from '../../limits.ts';
import type { FoundObject } from '../../types.ts';
import type { Placement } from '../fit.ts';

/** A detection on the canvas of the network, x0 y0 x1 y1 in its pixels. */
export interface ScoredBox {
  label: number;
  score: number;
  box: Box;
}

/** Centre and size to corners. */
export const fromCentre = (x: number, y: number, width: number, height: number): Box => [
  x - width / 2,
  y - height / 2,
  x + width / 2,
  y + height / 2,
];

const area = ([x0, y0, x1, y1]: Box): number => Math.max(0, x1 - x0) * Math.max(0, y1 - y0);

export function intersection(a: Box, b: Box): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Intersection over union, 0 to 1. */
export function iou(a: Box, b: Box): number {
  const shared = intersection(a, b);
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared);
}

/** Greedy non-maximum suppression within each label: of boxes that overlap by more than `maxIou` the best one stays. */
export function suppress(candidates: ScoredBox[], maxIou: number, most = maxObjects): ScoredBox[] {
  const kept: ScoredBox[] = [];
  const byLabel = new Map<number, ScoredBox[]>();
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const rivals = byLabel.get(candidate.label) ?? [];
    if (rivals.some((rival) => iou(rival.box, candidate.box) > maxIou)) continue;
    rivals.push(candidate);
    byLabel.set(candidate.label, rivals);
    kept.push(candidate);
    if (kept.length === most) break;
  }
  return kept;
}

export const clip = (value: number): number => Math.min(1, Math.max(0, Number.isFinite(value) ? value : 0));

/** From the canvas to 0..1 of the picture, clipped to it. Undefined for what lies outside or has no area. */
export function toPicture(
  box: Box,
  picture: { width: number; height: number },
  on: Placement,
): Box | undefined {
  const x = (value: number) => clip((value - on.left) / on.scaleX / picture.width);
  const y = (value: number) => clip((value - on.top) / on.scaleY / picture.height);
  const placed: Box = [x(box[0]), y(box[1]), x(box[2]), y(box[3])];
  return placed[2] > placed[0] && placed[3] > placed[1] ? placed : undefined;
}

/** Six digits are finer than a pixel of the largest picture. */
export const roundBox = (box: Box): Box => box.map((value) => Math.round(value * 1e6) / 1e6) as Box;

export const roundScore = (score: number): number => Math.round(clip(score) * 1e4) / 1e4;

export function toObjects(
  candidates: ScoredBox[],
  labels: readonly string[],
  where: { picture: { width: number; height: number }; placement: Placement },
): FoundObject[] {
  return candidates.flatMap(({ label, score, box }) => {
    const bbox = toPicture(box, where.picture, where.placement);
    return bbox
      ? [{ label: labels[label] ?? `label_${label}`, confidence: roundScore(score), bbox: roundBox(bbox) }]
      : [];
  });
}
