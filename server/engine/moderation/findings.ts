import type { Scores } from './categories.ts';
import { childSafetyScore } from './child-safety.ts';
import type { Segment } from './classifier.ts';
import { detectInjection, type InjectionMatch } from './injection/detect.ts';
import { detectPii } from './pii/detect.ts';
import type { PiiMatch } from './pii/match.ts';
import { urgedSelfHarmScore } from './self-harm.ts';
import { splitSentences } from './sentences.ts';

/** What the deterministic detectors say of a text. */
export interface Findings {
  pii: PiiMatch[];
  injections: InjectionMatch[];
  sentences: Segment[];
  /** What rules say of each sentence. */
  ruled: Partial<Scores>[];
}

export function detect(text: string): Findings {
  const sentences = splitSentences(text);
  return {
    pii: detectPii(text),
    injections: detectInjection(text),
    sentences,
    ruled: sentences.map(({ start, end }) => ruledScores(text.slice(start, end))),
  };
}

function ruledScores(sentence: string): Partial<Scores> {
  const urged = urgedSelfHarmScore(sentence);
  return { child_safety: childSafetyScore(sentence), self_harm: urged, harassment: urged };
}
