import type { Category, Scores } from './categories.ts';
import type { DetectorFindings } from './detectors.ts';
import type { SegmentScores } from './segment-scores.ts';
import type { TextSpan } from './types.ts';

export interface Span extends TextSpan {
  score: number;
}

/** Personal data is listed from this certainty on, also where the category as a whole stays below its threshold. */
const listedPiiScore = 0.3;

/** More sentences than a slow model is asked about one by one. */
const slowSentences = 8;

/** A sentence names a flagged category from this share of the score of the whole text on. */
const namingShare = 0.8;

export function piiSpans(findings: DetectorFindings): Span[] {
  return findings.pii
    .filter(({ score }) => score >= listedPiiScore)
    .map(({ kind, start, end, score }) => ({ category: 'pii_exposure', start, end, kind, score }));
}

/** Spans that overlap become one: a sentence and the order inside it. */
function merged(spans: Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last && span.start < last.end) {
      last.end = Math.max(last.end, span.end);
      last.score = Math.max(last.score, span.score);
    } else kept.push({ ...span });
  }
  return kept;
}

export interface SpanRequest {
  findings: DetectorFindings;
  scores: Scores;
  flagged: readonly Category[];
  /** A slow model is located by windows where there are many sentences. */
  isSlow: boolean;
}

/** Spans of the flagged categories other than pii_exposure: the sentences nearly as sure as the whole text. */
export async function locate(segments: SegmentScores, request: SpanRequest): Promise<Span[]> {
  const { findings, scores } = request;
  const wanted = request.flagged.filter((category) => category !== 'pii_exposure');
  if (wanted.length === 0) return [];
  const coarse = request.isSlow && findings.sentences.length > slowSentences;
  const pieces = coarse ? segments.windows : findings.sentences;
  const scored = coarse ? segments.windowScores : await segments.sentences([...findings.sentences.keys()]);
  return wanted.flatMap((category) => {
    const spans: Span[] = pieces.flatMap(({ start, end }, index) => {
      const rule = coarse ? 0 : (findings.ruled[index]?.[category] ?? 0);
      const score = Math.max(scored[index]?.[category] ?? 0, rule);
      return score >= scores[category] * namingShare ? [{ category, start, end, score }] : [];
    });
    if (category === 'prompt_injection') {
      for (const { start, end, score } of findings.injections) spans.push({ category, start, end, score });
    }
    return merged(spans);
  });
}
