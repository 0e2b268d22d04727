/** The converter's questions and answers. Its pack is the folder it writes to. */

/**
 * `quality`: four bits in blocks as long as each matrix bears, eight for embeddings and head. `speed`: four bits for these
 * too. `exact`: Q4_0 taken over bit by bit, else as `quality`; `float32`: as it is, for measuring.
 */
export type Preset = 'quality' | 'speed' | 'exact' | 'float32';

export interface ConvertParams {
  /** A folder with config.json and safetensors, a .gguf file, or a folder with an ONNX decoder. */
  source: string;
  preset: Preset;
  /** The largest context to serve; null: the model's own, up to 8,192. */
  context: number | null;
}

/** Weights done so far, of all. */
export interface ConvertProgress {
  done: number;
  total: number;
}

export interface EstimateParams {
  source: string;
}

/** A model's size as a pack, from its header alone. Snake case, as it goes to the console. */
export interface ModelEstimate {
  name: string | null;
  format: string;
  architecture: string;
  /** null where it is not told. */
  weights: number | null;
  context: number;
  /** `preset` null: taken as it is. */
  options: { preset: Preset | null; pack_bytes: number; disk_bytes: number; memory_mb: number }[];
}
