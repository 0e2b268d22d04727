/** Names of a foreign decoder graph's inputs and outputs: written into a pack's manifest at its import. */
import type { Json } from '../pack-files.ts';

export interface DecoderIo {
  /** All attention works on one buffer for past and present. */
  shared: boolean;
  inputs: {
    ids: string;
    mask?: string;
    positions?: string;
    /** Older merged graphs: whether there is a past. */
    useCache?: string;
    /** Newer graphs: of how many tokens logits are wanted, 0 for all. */
    keptLogits?: string;
  };
  logits: string;
  /** Keys and values; `%d` is the layer. */
  caches: { past: string; present: string }[];
  layers: number;
  heads: number;
  headDim: number;
  vocabulary: number;
}

/** transformers.js and optimum; genai's defaults are the same. */
export const usualCaches = ['key', 'value'].map((part) => ({
  past: `past_key_values.%d.${part}`,
  present: `present.%d.${part}`,
}));

/** The layout in a manifest's `chat.past`, or null where the graph is our own. @throws Error for one that is none */
export function readDecoderIo(value: unknown): DecoderIo | null {
  if (value === undefined || value === null) return null;
  const layout = value as DecoderIo;
  const counts = [layout.layers, layout.heads, layout.headDim, layout.vocabulary];
  const texts = [
    layout.logits,
    layout.inputs?.ids,
    ...Object.values((layout.inputs ?? {}) as Json),
    ...(Array.isArray(layout.caches) ? layout.caches : []).flatMap((cache) => [cache?.past, cache?.present]),
  ];
  const fits =
    counts.every((count) => Number.isSafeInteger(count) && count > 0 && count < 2 ** 24) &&
    texts.length > 5 &&
    texts.every((text) => typeof text === 'string');
  if (!fits) throw new Error('chat.past of its manifest is not as it should be.');
  return layout;
}
