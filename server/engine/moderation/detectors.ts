import type { Steps } from '../steps.ts';
import type { Scores } from './categories.ts';
import type { TextWindow } from './classifiers/classifier.ts';
import { detectInjection, type InjectionMatch } from './injection/detect-injection.ts';
import type { PiiDetector } from './pii/detect-pii.ts';
import type { PiiMatch } from './pii/match.ts';
import type { SentenceRules } from './sentence-rules.ts';
import { splitSentences } from './sentences.ts';
import type { Simplified } from './text/simplified.ts';

/** Findings of the deterministic detectors in one text. */
export interface DetectorFindings {
  pii: PiiMatch[];
  injections: InjectionMatch[];
  sentences: TextWindow[];
  /** Scores that rules give each sentence. */
  ruled: Partial<Scores>[];
}

/** The detectors that know words of the pack. */
export interface PackDetectors {
  detectPii: PiiDetector;
  rules: SentenceRules;
  simplified: Simplified;
}

export function* detect(
  text: string,
  { detectPii, rules, simplified }: PackDetectors,
): Steps<DetectorFindings> {
  const pii = yield* detectPii(text);
  const injections = detectInjection(text, simplified);
  yield;
  const sentences = splitSentences(text);
  const ruled: Partial<Scores>[] = [];
  for (const { start, end } of sentences) {
    ruled.push(rules.scoresOf(text.slice(start, end)));
    yield;
  }
  return { pii, injections, sentences, ruled };
}
