/**
 * The two networks of text recognition, behind what they compute: where text is, and what a strip of text says. Whoever
 * holds the sessions implements it (onnx-models.ts); the parsing thread reaches them through messages.
 */

/** Pixels as the networks take them: [count, 3, height, width], blue first. */
export interface PixelTensor {
  data: Float32Array;
  count: number;
  height: number;
  width: number;
}

/** How many readings of each step are kept, best first. */
export const readingsPerStep = 5;

export interface StripReadings {
  /** Steps of each strip. */
  steps: number;
  /** Classes [count, steps, readingsPerStep], best first; 0 is "no new character". */
  classes: Int32Array;
  /** Their probabilities. */
  scores: Float32Array;
  /** Probability of a blank [count, steps]. */
  blanks: Float32Array;
}

export interface TextModels {
  /** Class to text; the first is empty ("no new character"), the last is the blank. */
  readonly characters: readonly string[];
  /** Height of the strips that `read` takes. */
  readonly stripHeight: number;
  /** Probability of text for every pixel; height and width are multiples of 32, the count is 1. */
  findText(pixels: PixelTensor): Promise<Float32Array>;
  read(strips: PixelTensor): Promise<StripReadings>;
}
