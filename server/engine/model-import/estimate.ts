/**
 * Estimates a model's size as a pack from its header alone. Sizes follow from the shape and from the bits that each preset
 * gives a weight on average; norms, biases and rotary tables are too small to count.
 */

import type { CustomKernels } from '../engine.ts';
import { servesPrepacked } from './convert.ts';
import { memoryMb } from './decoder-pack-files.ts';
import type { ModelShape } from './graph/model-shape.ts';
import type { ModelFiles } from './model-files.ts';
import type { ModelEstimate, Preset } from './types.ts';

interface Bits {
  attention: number;
  feedForward: number;
  /** Embeddings and head. */
  tables: number;
}

/** Bits a weight takes, scale and zero point included. */
const bitsOf: Record<Preset, Bits> = {
  quality: { attention: 4 + 36 / 64, feedForward: 4 + 36 / 128, tables: 8 + 40 / 128 },
  speed: { attention: 4 + 36 / 64, feedForward: 4 + 36 / 128, tables: 4 + 36 / 64 },
  exact: { attention: 4 + 36 / 32, feedForward: 4 + 36 / 32, tables: 8 + 40 / 64 },
  float32: { attention: 32, feedForward: 32, tables: 32 },
};

/** @param context the largest that will be served */
export async function estimateModel(
  { format, name, shape }: ModelFiles,
  context: number,
  customKernels: CustomKernels = true,
): Promise<ModelEstimate> {
  const attention = shape.layers.length * attentionWeights(shape);
  const feedForward = shape.layers.length * 3 * shape.hidden * shape.ffn;
  const table = shape.vocab * shape.hidden;
  const tables = shape.tiedHead ? table : 2 * table;
  const weights = attention + feedForward + tables;
  const estimatePreset = async (preset: Preset) => {
    const bits = bitsOf[preset];
    const inLayers = attention * bits.attention + feedForward * bits.feedForward;
    const bytes = (inLayers + tables * bits.tables) / 8;
    // Packed, the factors of products lie there a second time, in the layout of this processor's kernels; the look-up's do not.
    const factors = (inLayers + table * bits.tables) / 8;
    const prepacked = await servesPrepacked(preset, customKernels);
    const packBytes = Math.ceil(prepacked ? bytes + factors : bytes);
    return {
      preset,
      pack_bytes: packBytes,
      // Beside the pack: the weights before they are packed, and its file as onnxruntime wrote it (realign.ts).
      disk_bytes: prepacked ? Math.ceil(2 * packBytes + bytes) : packBytes,
      memory_mb: memoryMb(shape, { bitsPerWeight: (bytes * 8) / weights, weights }, context),
    };
  };
  const options = await Promise.all((Object.keys(bitsOf) as Preset[]).map(estimatePreset));
  return { name, format, architecture: shape.architecture, weights, context, options };
}

const attentionWeights = ({ hidden, headDim, heads, kvHeads }: ModelShape): number =>
  hidden * headDim * (2 * heads + 2 * kvHeads);
