/**
 * Charts, diagrams and maps beside what the detector says of them: a chart's kind is told by its shapes, one place holds one
 * graphic, and a picture that is a graphic as a whole, which the detector seldom boxes, is one.
 */
import type { Box } from '../vision/geometry.ts';
import { chartKindOf, chartKinds } from './charts.ts';
import { type Picture, type Pixels, resizePixels } from './input/picture.ts';
import { iou, roundBox, roundScore } from './models/detectors/boxes.ts';
import type { FoundObject } from './types.ts';

const graphicLabels = new Set<string>([...chartKinds, 'diagram', 'map']);
/** Shapes are judged at so many pixels along the longer side. */
const judgedSidePx = 480;
/** Share of clear shapes that are right, whatever was thought before. */
const shapeConfidence = 0.7;
const samePlace = 0.6;
/** Scores of the scene from which the whole picture may be one graphic. */
const likely = 0.5;
/** Of the picture; less is no picture of a graphic alone. */
const leastContent = 0.2;

export async function settleGraphics(
  objects: readonly FoundObject[],
  scene: Record<string, number>,
  picture: Picture,
): Promise<FoundObject[]> {
  const graphics: FoundObject[] = [];
  for (const object of objects)
    if (graphicLabels.has(object.label)) graphics.push(await named(object, picture));
  const alone = await graphicAlone(scene, picture);
  if (alone && !graphics.some((graphic) => holds(graphic, alone))) graphics.push(alone);
  const kept: FoundObject[] = [];
  for (const graphic of graphics.sort((a, b) => b.confidence - a.confidence))
    if (kept.every(({ bbox }) => iou(bbox, graphic.bbox) < samePlace)) kept.push(graphic);
  const others = objects.filter(({ label }) => !graphicLabels.has(label));
  return [...others, ...kept].sort((a, b) => b.confidence - a.confidence);
}

async function named(object: FoundObject, picture: Picture): Promise<FoundObject> {
  const kind = chartKindOf(await look(picture, object.bbox));
  if (!kind) return object;
  const confidence = roundScore(1 - (1 - object.confidence) * (1 - shapeConfidence));
  return { ...object, label: kind, confidence };
}

/** Claimed already, surely enough, as what fills the picture. */
const holds = (graphic: FoundObject, alone: FoundObject): boolean =>
  graphic.label === alone.label &&
  graphic.confidence >= alone.confidence &&
  iou(graphic.bbox, alone.bbox) >= samePlace;

async function graphicAlone(
  scene: Record<string, number>,
  picture: Picture,
): Promise<FoundObject | undefined> {
  if ((scene.graphic ?? 0) < likely) return undefined;
  const pixels = await look(picture, [0, 0, 1, 1]);
  const bbox = contentOf(pixels);
  if ((bbox[2] - bbox[0]) * (bbox[3] - bbox[1]) < leastContent) return undefined;
  const chart = chartKindOf(pixels);
  for (const label of ['diagram', 'map'])
    if ((scene[label] ?? 0) >= likely)
      return { label: chart ?? label, confidence: chart ? shapeConfidence : scene[label]!, bbox };
  return chart && { label: chart, confidence: roundScore(Math.max(shapeConfidence, scene.chart ?? 0)), bbox };
}

/** A part of the picture, small enough to be judged. */
async function look(picture: Picture, [x0, y0, x1, y1]: Box): Promise<Pixels> {
  const { width, height, data } = await picture.pixels();
  const [left, top] = [Math.floor(x0 * width), Math.floor(y0 * height)];
  const wide = Math.max(1, Math.min(width, Math.ceil(x1 * width)) - left);
  const tall = Math.max(1, Math.min(height, Math.ceil(y1 * height)) - top);
  const part = new Uint8Array(wide * tall * 3);
  for (let row = 0; row < tall; row++) {
    const from = ((top + row) * width + left) * 3;
    part.set(data.subarray(from, from + wide * 3), row * wide * 3);
  }
  const scale = Math.min(1, judgedSidePx / Math.max(wide, tall));
  const size = {
    width: Math.max(1, Math.round(wide * scale)),
    height: Math.max(1, Math.round(tall * scale)),
  };
  return scale === 1
    ? { width: wide, height: tall, data: part }
    : resizePixels({ width: wide, height: tall, data: part }, size, 'linear');
}

/** Sum of the differences of three channels from the ground. */
const leastDifference = 36;

/** The smallest box around what differs from the upper left corner. */
function contentOf({ data, width, height }: Pixels): Box {
  const box = [width, height, 0, 0];
  for (let at = 0; at < width * height; at++) {
    const difference =
      Math.abs(data[at * 3]! - data[0]!) +
      Math.abs(data[at * 3 + 1]! - data[1]!) +
      Math.abs(data[at * 3 + 2]! - data[2]!);
    if (difference < leastDifference) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    box[0] = Math.min(box[0]!, x);
    box[1] = Math.min(box[1]!, y);
    box[2] = Math.max(box[2]!, x + 1);
    box[3] = Math.max(box[3]!, y + 1);
  }
  if (box[2]! <= box[0]!) return [0, 0, 0, 0];
  return roundBox([box[0]! / width, box[1]! / height, box[2]! / width, box[3]! / height]);
}
