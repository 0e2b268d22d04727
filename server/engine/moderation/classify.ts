import { EngineError } from '../engine.ts';
import { inTurns } from '../steps.ts';
import {
  type Category,
  categories,
  chosenCategories,
  chosenThresholds,
  type Scores,
  zeroScores,
} from './categories.ts';
import type { Classifier, TextWindow } from './classifiers/classifier.ts';
import { type DetectorFindings, detect, type PackDetectors } from './detectors.ts';
import { type SegmentScores, scoreSegments } from './segment-scores.ts';
import { locate, piiSpans } from './spans.ts';
import type { ClassifyParams, ClassifyResult } from './types.ts';

/** Input the contract allows, in bytes of UTF-8. */
const longestBytes = 32_768;

function highest(values: readonly { score: number }[]): number {
  return values.reduce((most, { score }) => Math.max(most, score), 0);
}

/** Over the windows and the detectors the maximum wins. */
function combine(windows: Scores[], findings: DetectorFindings): Scores {
  const scores = zeroScores();
  for (const each of [...windows, ...findings.ruled]) {
    for (const category of categories) scores[category] = Math.max(scores[category], each[category] ?? 0);
  }
  scores.pii_exposure = Math.max(scores.pii_exposure, highest(findings.pii));
  scores.prompt_injection = Math.max(scores.prompt_injection, highest(findings.injections));
  return scores;
}

/**
 * A window that is in doubt may hold one bad sentence that calm ones around it hide; a sentence by itself counts where it is `sure`. A text
 * of one window is seldom in doubt, and single sentences of calm texts are often misjudged: with these bounds 13 instead of 3 of 37
 * harmful sentences between three calm ones are flagged, of 383 and 225 calm texts 12 and 1 instead of 11 and 1.
 */
const oneWindow = { doubtful: 0.05, sure: 0.95 };
const manyWindows = { doubtful: 0.2, sure: 0 };

/** Scores of the windows and, for the categories a window is in doubt of, of its sentences by themselves. */
async function scoreText(
  segments: SegmentScores,
  sentences: readonly TextWindow[],
  isSlow: boolean,
): Promise<Scores[]> {
  const { windows, windowScores } = segments;
  if (isSlow || sentences.length < 2) return [...windowScores];
  const { doubtful, sure } = windows.length === 1 ? oneWindow : manyWindows;
  const doubts = sentences.map(() => new Set<Category>());
  for (const [at, { start, end }] of windows.entries()) {
    const inDoubt = categories.filter((category) => (windowScores[at]?.[category] ?? 0) >= doubtful);
    if (inDoubt.length === 0) continue;
    for (const [i, sentence] of sentences.entries())
      if (sentence.start < end && start < sentence.end) for (const each of inDoubt) doubts[i]?.add(each);
  }
  const doubted = [...doubts.keys()].filter((index) => doubts[index]?.size);
  const scored = await segments.sentences(doubted);
  const alone = doubted.map((index, at) => {
    const scores = zeroScores();
    for (const category of doubts[index] ?? []) {
      const score = scored[at]?.[category] ?? 0;
      if (score >= sure) scores[category] = score;
    }
    return scores;
  });
  return [...windowScores, ...alone];
}

/** A classifier, and the detectors beside it that know words of the pack. */
export interface Moderator extends PackDetectors {
  classifier: Classifier;
}

/** Scores, flags and spans of one text. @throws EngineError for names and numbers that are none, and for too long a text */
export async function classify(
  { classifier, ...detectors }: Moderator,
  params: ClassifyParams,
  signal: AbortSignal,
): Promise<ClassifyResult> {
  const { text } = params;
  if (Buffer.byteLength(text) > longestBytes) {
    throw new EngineError(
      'input_too_long',
      `The text is longer than ${longestBytes} bytes of UTF-8.`,
      'input',
    );
  }
  const chosen = chosenCategories(params.categories);
  const thresholds = chosenThresholds(classifier.thresholds, params.thresholds);
  const findings = await inTurns(detect(text, detectors), signal);
  const segments = await scoreSegments(classifier, { text, sentences: findings.sentences, signal });
  const isSlow = classifier.slow === true;
  const scores = combine(await scoreText(segments, findings.sentences, isSlow), findings);
  const flagged = chosen.filter((category) => scores[category] >= thresholds[category]);
  const located = await locate(segments, { findings, scores, flagged, isSlow });
  const exposed = chosen.includes('pii_exposure') ? piiSpans(findings) : [];
  return {
    flagged: flagged.length > 0,
    scores: Object.fromEntries(chosen.map((category) => [category, scores[category]])),
    flaggedCategories: Object.fromEntries(chosen.map((category) => [category, flagged.includes(category)])),
    spans: [...exposed, ...located]
      .sort((a, b) => a.start - b.start || a.end - b.end)
      .map(({ score: _score, ...span }) => span),
  };
}
