import { expect, test } from 'vitest';
import { zeroScores } from '../../../server/engine/moderation/categories.ts';
import type { Classifier, TextWindow } from '../../../server/engine/moderation/classifiers/classifier.ts';
import { classify } from '../../../server/engine/moderation/classify.ts';
import type { PiiDetector } from '../../../server/engine/moderation/pii/detect-pii.ts';
import type { SentenceRules } from '../../../server/engine/moderation/sentence-rules.ts';

/** Two windows; whatever holds "bad" is violent. */
function countingClassifier(isSlow: boolean) {
  const asked: string[] = [];
  const classifier: Classifier = {
    windows: (text): TextWindow[] => [
      { start: 0, end: text.length >> 1 },
      { start: text.length >> 1, end: text.length },
    ],
    score: async (text, segments) =>
      segments.map(({ start, end }) => {
        const piece = text.slice(start, end);
        asked.push(piece);
        return { ...zeroScores(), violence: piece.includes('bad') ? 0.9 : 0 };
      }),
    thresholds: Object.fromEntries(Object.keys(zeroScores()).map((name) => [name, 0.5])) as never,
    provider: 'cpu',
    slow: isSlow,
    close: async () => {},
  };
  return { asked, classifier };
}

const nothing: PiiDetector = function* () {
  yield;
  return [];
};

const rules: SentenceRules = { scoresOf: () => ({}), calmed: (_, scores) => scores };

test.each([false, true])('the model is asked about each piece once, slow: %s', async (isSlow) => {
  const { asked, classifier } = countingClassifier(isSlow);
  const text = `${'A calm line. '.repeat(12)}A bad line. ${'Another calm line. '.repeat(12)}`;
  const { spans } = await classify(
    { classifier, detectPii: nothing, rules, simplified: new Map() },
    { text },
    new AbortController().signal,
  );
  expect(spans.filter(({ category }) => category === 'violence')).not.toEqual([]);
  const windows = classifier.windows(text).map(({ start, end }) => text.slice(start, end));
  for (const window of windows) expect(asked.filter((piece) => piece === window)).toHaveLength(1);
  expect(asked.filter((piece) => piece === 'A bad line.')).toHaveLength(isSlow ? 0 : 1);
});
