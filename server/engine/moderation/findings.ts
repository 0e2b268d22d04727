import { childSafetyScores } from './child-safety.ts';
import type { Segment } from './classifier.ts';
import { detectInjection, type InjectionMatch } from './injection/detect.ts';
import { detectPii } from './pii/detect.ts';
import type { PiiMatch } from './pii/match.ts';
import { splitSentences } from './sentences.ts';

/** What the deterministic detectors say of a text. */
export interface Findings {
  pii: PiiMatch[];
  injections: InjectionMatch[];
  sentences: Segment[];
  /** One score a sentence. */
  childSafety: number[];
}

export function detect(text: string): Findings {
  const sentences = splitSentences(text);
  return {
    pii: detectPii(text),
    injections: detectInjection(text),
    sentences,
    childSafety: childSafetyScores(text, sentences),
  };
}
