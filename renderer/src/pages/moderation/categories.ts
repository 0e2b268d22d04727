/** The fourteen categories, and what the page derives from an answer. The type says when one is missing. */
import type { ModerationCategory, SafetyResult } from '../../../../server/api/services/moderations.ts';
import type { TextPart } from '../../../../server/api/services/text-pieces.ts';
import { moderation } from '../../strings/en/moderation.ts';

const order = {
  violence: true,
  hate_speech: true,
  harassment: true,
  adult_content: true,
  child_safety: true,
  self_harm: true,
  extremism: true,
  weapons: true,
  illicit_activity: true,
  fraud_deception: true,
  cyber_abuse: true,
  prompt_injection: true,
  pii_exposure: true,
  misinformation: true,
} satisfies Record<ModerationCategory, true>;
export const categories = Object.keys(order) as ModerationCategory[];

/** Kinds of personal data that have a name in every language. */
export const isPiiKind = (kind: string): kind is keyof typeof moderation.kinds => kind in moderation.kinds;

export type Thresholds = Partial<Record<ModerationCategory, number>>;
export type SafetyOutcome = SafetyResult['results'][number];
export type FlaggedSpan = SafetyOutcome['spans'][number];

export interface Segment {
  text: string;
  /** Spans that cover it; none: plain text. */
  spans: FlaggedSpan[];
  /** Those of them that are named behind it, the innermost first: each once. */
  named: FlaggedSpan[];
  /** A shorter span lies over a longer one here. */
  inner: boolean;
}

/** The text cut wherever a span begins or ends, so that overlapping spans can each be shown. */
export function toSegments(text: string, spans: readonly FlaggedSpan[]): Segment[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of spans) {
    cuts.add(Math.min(start, text.length));
    cuts.add(Math.min(end, text.length));
  }
  const points = [...cuts].sort((a, b) => a - b);
  const segments = points.slice(0, -1).map((start, index): Segment => {
    const end = points[index + 1] as number;
    const covering = spans.filter((span) => span.start <= start && span.end >= end);
    return {
      text: text.slice(start, end),
      spans: covering,
      named: [],
      inner: covering.some((span) => span.start !== covering[0]?.start || span.end !== covering[0].end),
    };
  });
  for (const span of spans.toSorted((a, b) => lengthOf(a) - lengthOf(b)))
    lastOwn(segments, span)?.named.push(span);
  return segments;
}

const lengthOf = ({ start, end }: FlaggedSpan): number => end - start;

/** The last words of a span that no shorter one covers: behind those its name is not taken for the shorter one's. */
const lastOwn = (segments: readonly Segment[], span: FlaggedSpan): Segment | undefined =>
  segments.findLast(
    ({ text, spans }) =>
      spans.includes(span) &&
      spans.every((other) => lengthOf(other) >= lengthOf(span)) &&
      /[\p{L}\p{N}]/u.test(text),
  ) ?? segments.findLast(({ spans }) => spans.includes(span));

/** One outcome of a text's pieces: the highest score of each category, and all spans where they lie in the whole text. */
export function joinOutcomes(outcomes: readonly SafetyOutcome[], pieces: readonly TextPart[]): SafetyOutcome {
  const joined: SafetyOutcome = { flagged: false, categories: {}, category_scores: {}, spans: [] };
  for (const [index, outcome] of outcomes.entries()) {
    const { start } = pieces[index]!;
    joined.flagged ||= outcome.flagged;
    for (const name of categories) {
      const found = outcome.categories[name];
      if (!found) continue;
      const known = joined.categories[name] ?? { flagged: false, score: 0 };
      const score = Math.max(found.score, known.score);
      joined.categories[name] = { flagged: found.flagged || known.flagged, score };
      joined.category_scores[name] = Math.max(
        outcome.category_scores[name] ?? 0,
        joined.category_scores[name] ?? 0,
      );
    }
    joined.spans.push(
      ...outcome.spans.map((span) => ({ ...span, start: span.start + start, end: span.end + start })),
    );
  }
  return joined;
}
