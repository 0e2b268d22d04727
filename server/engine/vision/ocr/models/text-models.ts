/**
 * The two networks of text recognition, behind what they compute: where text is, and what a crop of text says. Whoever
 * holds the sessions implements it (onnx-models.ts); the parsing thread reaches them through messages.
 */

/** Pixels as the networks take them: [count, 3, height, width], blue first. */
export interface PixelTensor {
  data: Float32Array;
  count: number;
  height: number;
  width: number;
}

/** Number of readings kept of each timestep, best first. */
export const topK = 5;

export interface TopKScores {
  /** Timesteps of each crop. */
  timesteps: number;
  /** Classes [count, timesteps, topK], best first; 0 is "no new character". */
  classes: Int32Array;
  /** Their probabilities. */
  scores: Float32Array;
  /** Probability of a blank [count, timesteps]. */
  blanks: Float32Array;
}

export interface TextModels {
  /** Class to text; the first is empty ("no new character"), the last is the blank. */
  readonly characters: readonly string[];
  /** Height of the crops that `read` takes. */
  readonly cropHeightPx: number;
  /** Probability of text for every pixel; height and width are multiples of 32, the count is 1. */
  findText(pixels: PixelTensor): Promise<Float32Array>;
  read(crops: PixelTensor): Promise<TopKScores>;
}
