/**
 * Parts of screens beside what the detector says of them. It sees a screen at a fraction of its size, where small buttons and
 * print are lost: buttons are told by the frame around a short line, blocks of text and headings by how lines lie.
 */
import type { Box } from '../../vision/geometry.ts';
import type { Picture } from '../input/picture.ts';
import { clip, intersection, iou, roundBox, roundScore } from '../models/detectors/boxes.ts';
import type { FoundObject } from '../types.ts';
import { type Framed, frameAround } from './framed-line.ts';
import { inkLine } from './ink-lines.ts';
import { type Passage, passagesOf } from './passages.ts';

/** Share of what is drawn like a button, a block or a heading that is one (drawn and real screens that were looked at). */
const confidences = {
  filled_button: 0.8,
  outlined_button: 0.6,
  text_field: 0.5,
  text_block: 0.65,
  heading: 0.55,
} as const;
/** Of two things at one place that say the same. */
const samePlace = 0.5;
/** Kinds whose text is no prose, and parts that hold their own. */
const ownText = new Set(['terminal', 'code_editor', 'spreadsheet']);
const holders = new Set([
  'code',
  'table',
  'keyboard',
  'bar_chart',
  'line_chart',
  'pie_chart',
  'scatter_chart',
]);
/** Cells of tables look like fields; what is likely a table may be a panel of fields. */
const [likelyHolding, surelyHolding] = [0.35, 0.8];
const likely = 0.5;

/** Finds the lines of a picture: boxes in its pixels. */
export type FindLines = () => Promise<readonly Box[]>;

export async function settleScreenParts(
  objects: readonly FoundObject[],
  scene: Record<string, number>,
  { picture, lines: find }: { picture: Picture; lines: FindLines },
): Promise<FoundObject[]> {
  const isScreen = (scene.screenshot ?? 0) >= likely;
  if (!isScreen && (scene.document ?? 0) < likely) return [...objects];
  const { width, height } = picture;
  const pixels = await picture.pixels();
  const lines = (await find()).flatMap((line) => inkLine(pixels, line) ?? []);
  // The edges of a picture close frames that were cut off.
  const place = ([x0, y0, x1, y1]: Box): Box =>
    roundBox([clip(x0 / width), clip(y0 / height), clip(x1 / width), clip(y1 / height)]);
  const holding = (least: number) =>
    objects.filter(({ label, confidence }) => holders.has(label) && confidence >= least);
  const isFree = (part: FoundObject, taken: readonly FoundObject[]) =>
    !taken.some(({ bbox }) => isWithin(part.bbox, bbox));
  const boxed = (isScreen ? lines : [])
    .flatMap((line) => frameAround(line, lines) ?? [])
    .map((framed) => toFramed(framed, place))
    .filter((part) => isFree(part, holding(surelyHolding)));
  const passages = isProse(scene) ? passagesOf(lines).map((passage) => toObject(passage, place)) : [];
  const free = passages.filter((passage) => isFree(passage, [...holding(likelyHolding), ...boxed]));
  return merge(objects, [...boxed, ...free]);
}

const isProse = (scene: Record<string, number>): boolean =>
  ![...ownText].some((kind) => (scene[kind] ?? 0) >= likely);

const toFramed = ({ box, filled, kind }: Framed, place: (box: Box) => Box): FoundObject => ({
  label: kind,
  confidence: confidences[kind === 'text_field' ? kind : filled ? 'filled_button' : 'outlined_button'],
  bbox: place(box),
});

const toObject = ({ kind, box }: Passage, place: (box: Box) => Box): FoundObject => ({
  label: kind,
  confidence: confidences[kind],
  bbox: place(box),
});

/** More than half of it. */
const isWithin = (inner: Box, outer: Box): boolean =>
  intersection(inner, outer) > 0.5 * (inner[2] - inner[0]) * (inner[3] - inner[1]);

/** Seen by both, a part is surer than by one; the frame that was followed is more exact than the detector's. */
function merge(objects: readonly FoundObject[], found: readonly FoundObject[]): FoundObject[] {
  const rest = new Set(objects);
  const merged = found.map((part) => {
    const twins = [...rest].filter(
      ({ label, bbox }) => label === part.label && iou(bbox, part.bbox) >= samePlace,
    );
    for (const twin of twins) rest.delete(twin);
    const doubt = twins.reduce((share, { confidence }) => share * (1 - confidence), 1 - part.confidence);
    return { ...part, confidence: roundScore(1 - doubt) };
  });
  return [...rest, ...merged].sort((a, b) => b.confidence - a.confidence);
}
