import type { Steps } from '../steps.ts';
import type { Scores } from './categories.ts';
import { childSafetyScore } from './child-safety.ts';
import type { TextWindow } from './classifiers/classifier.ts';
import { detectInjection, type InjectionMatch } from './injection/detect-injection.ts';
import { openThreatScore } from './open-threat.ts';
import type { PiiDetector } from './pii/detect-pii.ts';
import type { PiiMatch } from './pii/match.ts';
import { urgedSelfHarmScore } from './self-harm.ts';
import { splitSentences } from './sentences.ts';

/** Findings of the deterministic detectors in one text. */
export interface DetectorFindings {
  pii: PiiMatch[];
  injections: InjectionMatch[];
  sentences: TextWindow[];
  /** Scores that rules give each sentence. */
  ruled: Partial<Scores>[];
}

export function* detect(text: string, detectPii: PiiDetector): Steps<DetectorFindings> {
  const pii = yield* detectPii(text);
  const injections = detectInjection(text);
  yield;
  const sentences = splitSentences(text);
  const ruled: Partial<Scores>[] = [];
  for (const { start, end } of sentences) {
    ruled.push(ruledScores(text.slice(start, end)));
    yield;
  }
  return { pii, injections, sentences, ruled };
}

function ruledScores(sentence: string): Partial<Scores> {
  const urged = urgedSelfHarmScore(sentence);
  return {
    child_safety: childSafetyScore(sentence),
    self_harm: urged,
    harassment: urged,
    violence: openThreatScore(sentence),
  };
}
