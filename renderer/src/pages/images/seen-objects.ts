/** Which of the found objects are shown, and in which color. Pure. */
import type { ImagesResult } from '../../../../server/api/services/images.ts';
import { images } from '../../strings/en/images.ts';
import { t } from '../../strings/t.ts';

export type FrameResult = ImagesResult['results'][number];
export type FoundObject = FrameResult['objects'][number];

export interface ObjectFilter {
  minConfidence: number;
  hidden: ReadonlySet<string>;
}

/** Detectors list what they doubt as well; shown from the start, it hides what is certain. */
export const usualFilter: ObjectFilter = { minConfidence: 0.3, hidden: new Set() };

/** An object with its index in the answer, which relations and marks name it by. */
export interface ShownObject extends FoundObject {
  index: number;
}

export function shownObjects(objects: readonly FoundObject[], filter: ObjectFilter): ShownObject[] {
  return objects
    .map((object, index) => ({ ...object, index }))
    .filter(({ label, confidence }) => confidence >= filter.minConfidence && !filter.hidden.has(label));
}

export interface LabelCount {
  label: string;
  count: number;
}

/** Labels of all frames, the most frequent first. */
export function countLabels(results: readonly FrameResult[]): LabelCount[] {
  const counts = new Map<string, number>();
  for (const { objects } of results) {
    for (const { label } of objects) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
}

/** A hue for each label, the same in every picture: dark enough for white text on it. */
export function labelColor(label: string): string {
  let hash = 2_166_136_261;
  for (const char of label) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
  return `hsl(${(hash >>> 0) % 360} 65% 33%)`;
}

const isKnown = (label: string): label is keyof typeof images.labels => label in images.labels;

/** The starter's labels in the language of the page; those of other packs, such as `traffic_light`, as words. */
export const labelWords = (label: string): string =>
  isKnown(label) ? t(`images.labels.${label}`) : label.replaceAll('_', ' ');
