/**
 * What a model will take as a pack, from its header alone. Sizes follow from the shape and from the bits that each preset
 * gives a weight on average; norms, biases and rotary tables are too small to count.
 */
import type { ModelShape } from '../graph/model-shape.ts';
import type { Preset } from './convert.ts';
import type { ModelFiles } from './model-files.ts';
import { memoryMb } from './pack-files.ts';

/** Snake case, as it goes to the console. */
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

/** Bits a weight takes, scale and zero point included: in the layers, and in embeddings and head. */
const bitsOf: Record<Preset, { layers: number; tables: number }> = {
  quality: { layers: 4 + 36 / 64, tables: 8 + 40 / 64 },
  speed: { layers: 4 + 36 / 128, tables: 4 + 36 / 128 },
  exact: { layers: 4 + 36 / 32, tables: 8 + 40 / 64 },
  float32: { layers: 32, tables: 32 },
};

/** @param context the largest that will be served */
export function estimateModel({ format, name, shape }: ModelFiles, context: number): ModelEstimate {
  const layers = layerWeights(shape);
  const table = shape.vocab * shape.hidden;
  const tables = shape.tiedHead ? table : 2 * table;
  const weights = layers + tables;
  const options = (Object.keys(bitsOf) as Preset[]).map((preset) => {
    const bits = bitsOf[preset];
    const bytes = (layers * bits.layers + tables * bits.tables) / 8;
    // Factors of products lie there a second time, in the layout of this processor's kernels; the look-up's do not.
    const factors = (layers * bits.layers + table * bits.tables) / 8;
    const packBytes = Math.ceil(preset === 'float32' ? bytes : bytes + factors);
    return {
      preset,
      pack_bytes: packBytes,
      // Beside the pack: the weights before they are packed, and its file as onnxruntime wrote it (realign.ts).
      disk_bytes: preset === 'float32' ? packBytes : Math.ceil(2 * packBytes + bytes),
      memory_mb: memoryMb(shape, { bitsPerWeight: (bytes * 8) / weights, weights }, context),
    };
  });
  return { name, format, architecture: shape.architecture, weights, context, options };
}

function layerWeights({ hidden, heads, kvHeads, headDim, ffn, layers }: ModelShape): number {
  return layers.length * (hidden * headDim * (2 * heads + 2 * kvHeads) + 3 * hidden * ffn);
}
