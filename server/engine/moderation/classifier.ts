import type { Scores } from './categories.ts';

/** A piece of the input a classifier scores at once; offsets are UTF-16 of the whole text. */
export interface Segment {
  start: number;
  end: number;
}

/** What the moderation engine asks of a model: probabilities for pieces of one text. */
export interface Classifier {
  /** Windows that cover the text, overlapping, none longer than the model reads. */
  windows(text: string): Segment[];
  /** Calibrated probabilities, one record a segment, in order. */
  score(text: string, segments: Segment[], signal: AbortSignal): Promise<Scores[]>;
  /** Default thresholds of this model. */
  thresholds: Scores;
  /** The execution provider that serves. */
  provider: string;
  /** Seconds a piece: long texts are then located by windows, not sentence by sentence. */
  slow?: boolean;
  /** What only this kind of model can be wrong in. @throws EngineError that says so */
  check?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
