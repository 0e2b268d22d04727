import type { Scores } from '../categories.ts';

/** A piece of the input a classifier scores at once; offsets are UTF-16 of the whole text. */
export interface TextWindow {
  start: number;
  end: number;
}

/** A model as the moderation engine sees it: probabilities for segments of one text. */
export interface Classifier {
  /** Windows that cover the text, overlapping, none longer than the model reads. */
  windows(text: string): TextWindow[];
  /** Calibrated probabilities, one record a segment, in order. */
  score(text: string, segments: TextWindow[], signal: AbortSignal): Promise<Scores[]>;
  /** Default thresholds of this model. */
  thresholds: Scores;
  /** The execution provider that serves. */
  provider: string;
  /** Seconds a piece: long texts are then located by windows, not sentence by sentence. */
  slow?: boolean;
  /** Checks that only this kind of model needs. @throws EngineError that names what is wrong */
  check?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}
