/** Precision and recall of spans: one of ours stands for one of theirs of its kind where they share at least half of what both cover. */
import type { PiiKind, PiiMatch } from '../../../server/engine/moderation/pii/match.ts';

export interface LabelledSpan {
  start: number;
  end: number;
  kind: PiiKind;
}

export interface SpanTally {
  right: number;
  said: number;
  wanted: number;
}

const iou = (a: { start: number; end: number }, b: { start: number; end: number }): number => {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared <= 0 ? 0 : shared / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
};

/** `ignored`: places where a span of this kind is neither right nor wrong. */
export function tallySpans(
  ours: readonly Pick<PiiMatch, 'start' | 'end'>[],
  gold: readonly LabelledSpan[],
  ignored: readonly { start: number; end: number }[] = [],
): SpanTally {
  const open = new Set(gold);
  let [right, said] = [0, 0];
  for (const match of ours) {
    const found = [...open].find((each) => iou(each, match) >= 0.5);
    if (found) open.delete(found);
    if (found) right++;
    if (found || !ignored.some(({ start, end }) => match.start < end && match.end > start)) said++;
  }
  return { right, said, wanted: gold.length };
}

export const addTallies = (a: SpanTally, b: SpanTally): SpanTally => ({
  right: a.right + b.right,
  said: a.said + b.said,
  wanted: a.wanted + b.wanted,
});

export const spanRates = ({ right, said, wanted }: SpanTally) => ({
  recall: Math.round((right / Math.max(1, wanted)) * 1e3) / 1e3,
  precision: Math.round((right / Math.max(1, said)) * 1e3) / 1e3,
  wanted,
});
