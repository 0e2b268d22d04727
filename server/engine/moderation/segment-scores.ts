import type { Scores } from './categories.ts';
import type { Classifier, Segment } from './classifier.ts';

/** What the model said of the pieces of one text: each is asked about once. */
export interface Heard {
  windows: readonly Segment[];
  windowScores: readonly Scores[];
  /** Scores of the sentences with these indices. */
  sentences(indices: readonly number[]): Promise<Scores[]>;
}

export async function hear(
  classifier: Classifier,
  { text, sentences, signal }: { text: string; sentences: readonly Segment[]; signal: AbortSignal },
): Promise<Heard> {
  const windows = classifier.windows(text);
  const windowScores = await classifier.score(text, windows, signal);
  const known = new Map<number, Scores>();
  return {
    windows,
    windowScores,
    async sentences(indices) {
      const missing = indices.filter((index) => !known.has(index));
      const segments = missing.map((index) => sentences[index] as Segment);
      const scored = missing.length === 0 ? [] : await classifier.score(text, segments, signal);
      for (const [at, index] of missing.entries()) known.set(index, scored[at] as Scores);
      return indices.map((index) => known.get(index) as Scores);
    },
  };
}
