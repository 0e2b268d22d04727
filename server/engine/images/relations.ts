/** Relations of objects: what contains what, and what stands beside what inside the same container. Pure. */
import type { Box } from '../vision/geometry.ts';
import { intersection } from './models/detectors/boxes.ts';
import type { FoundObject, Relation } from './types.ts';

/** Pairs grow with the square of the objects; beyond these nobody reads them. */
const mostObjects = 40;
const mostRelations = 120;

const area = ([x0, y0, x1, y1]: Box): number => (x1 - x0) * (y1 - y0);

/** `inside` from nine tenths of the smaller one's area. */
const insideShare = 0.9;
const overlapShare = 0.1;

export function relate(objects: readonly FoundObject[]): Relation[] {
  const boxes = objects.slice(0, mostObjects).map(({ bbox }) => bbox);
  const containers = boxes.map((box, index) => containerOf(box, index, boxes));
  const relations: Relation[] = containers.flatMap((object, subject) =>
    object === undefined ? [] : [{ subject, predicate: 'inside', object }],
  );
  for (const [subject, box] of boxes.entries()) {
    for (let object = subject + 1; object < boxes.length; object++) {
      if (containers[subject] !== containers[object]) continue;
      const predicate = between(box, boxes[object]!);
      if (predicate) relations.push({ subject, predicate, object });
    }
  }
  return relations.slice(0, mostRelations);
}

/** The smallest box that holds this one. */
function containerOf(box: Box, index: number, boxes: readonly Box[]): number | undefined {
  let best: number | undefined;
  for (const [other, candidate] of boxes.entries()) {
    if (other === index || area(candidate) <= area(box) * 1.05) continue;
    if (intersection(box, candidate) < insideShare * area(box)) continue;
    if (best === undefined || area(candidate) < area(boxes[best]!)) best = other;
  }
  return best;
}

function between(a: Box, b: Box): string | undefined {
  const shared = intersection(a, b);
  if (shared > overlapShare * Math.min(area(a), area(b))) return 'overlaps';
  const acrossGap = Math.max(b[0] - a[2], a[0] - b[2]);
  const downGap = Math.max(b[1] - a[3], a[1] - b[3]);
  // Side by side means that the other axis overlaps; boxes far off on both axes have no simple relation.
  if (acrossGap > downGap && downGap < 0) return a[2] <= b[0] + 1e-6 ? 'left_of' : 'right_of';
  if (downGap >= acrossGap && acrossGap < 0) return a[3] <= b[1] + 1e-6 ? 'above' : 'below';
  return undefined;
}
