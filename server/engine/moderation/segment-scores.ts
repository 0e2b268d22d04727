import type { Scores } from './categories.ts';
import type { Classifier, TextWindow } from './classifiers/classifier.ts';

/** The model's scores for the segments of one text: each is asked about once. */
export interface SegmentScores {
  windows: readonly TextWindow[];
  windowScores: readonly Scores[];
  /** Scores of the sentences with these indices. */
  sentences(indices: readonly number[]): Promise<Scores[]>;
}

export async function scoreSegments(
  classifier: Classifier,
  { text, sentences, signal }: { text: string; sentences: readonly TextWindow[]; signal: AbortSignal },
): Promise<SegmentScores> {
  const windows = classifier.windows(text);
  const windowScores = await classifier.score(text, windows, signal);
  const known = new Map<number, Scores>();
  return {
    windows,
    windowScores,
    async sentences(indices) {
      const missing = indices.filter((index) => !known.has(index));
      const segments = missing.map((index) => sentences[index] as TextWindow);
      const scored = missing.length === 0 ? [] : await classifier.score(text, segments, signal);
      for (const [at, index] of missing.entries()) known.set(index, scored[at] as Scores);
      return indices.map((index) => known.get(index) as Scores);
    },
  };
}
