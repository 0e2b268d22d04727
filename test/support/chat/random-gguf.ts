/** GGUF files of random weights: Q4_0 that llama.cpp and our converter both read, and what llama.cpp calls Q4_K_M. */
import type { Weight, WeightName } from '../../../server/engine/model-import/graph/model-shape.ts';
import { type GgufTensorData, writeGguf } from './gguf-writer.ts';
import { randomKBlocks } from './random-k-blocks.ts';
import { type LlamaSize, llamaShape, randomWeights } from './random-weights.ts';

const q4_0 = 2;
const f32 = 0;
const layerNames = {
  attention_norm: 'attn_norm',
  q: 'attn_q',
  k: 'attn_k',
  v: 'attn_v',
  o: 'attn_output',
  ffn_norm: 'ffn_norm',
  gate: 'ffn_gate',
  up: 'ffn_up',
  down: 'ffn_down',
} as const;

export type RandomFormat = 'q4_0' | 'q4_k_m';

/** As llama.cpp numbers kinds of files. */
const fileTypes: Record<RandomFormat, number> = { q4_0: 2, q4_k_m: 15 };

/** @throws RangeError where a matrix is not made of the format's blocks */
export async function writeRandomGguf(
  path: string,
  size: LlamaSize,
  format: RandomFormat = 'q4_0',
): Promise<void> {
  const shape = llamaShape(size);
  const source = randomWeights(shape);
  const names: [WeightName, string][] = [
    ['embedding', 'token_embd'],
    ['final_norm', 'output_norm'],
    ['head', 'output'],
  ];
  for (let layer = 0; layer < size.layers; layer += 1) {
    for (const [ours, theirs] of Object.entries(layerNames))
      names.push([`layers.${layer}.${ours}` as WeightName, `blk.${layer}.${theirs}`]);
  }
  const tensors: GgufTensorData[] = [];
  for (const [ours, theirs] of names) {
    const weight = source.get(ours);
    const { bytes, type } =
      weight.readQ4_0 && format === 'q4_k_m'
        ? randomKBlocks(theirs, weight, size.layers)
        : await q4_0Of(weight);
    tensors.push({
      name: `${theirs}.weight`,
      dims: weight.rows === 1 ? [weight.cols] : [weight.cols, weight.rows],
      type,
      bytes,
    });
  }
  writeGguf(path, { ...metadataOf(size), 'general.file_type': fileTypes[format] }, tensors);
}

async function q4_0Of(weight: Weight): Promise<{ bytes: Buffer; type: number }> {
  const data = weight.readQ4_0
    ? await weight.readQ4_0(0, weight.rows)
    : new Uint8Array((await weight.read(0, weight.rows)).buffer);
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { bytes, type: weight.readQ4_0 ? q4_0 : f32 };
}

function metadataOf({ context, ffn, heads, hidden, kvHeads, layers, vocab }: LlamaSize) {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  const words = Array.from({ length: vocab - 259 }, (_, at) => `w${String(at).padStart(5, '0')}`);
  return {
    'general.architecture': 'llama',
    'general.quantization_version': 2,
    'llama.block_count': layers,
    'llama.context_length': context,
    'llama.embedding_length': hidden,
    'llama.feed_forward_length': ffn,
    'llama.attention.head_count': heads,
    'llama.attention.head_count_kv': kvHeads,
    'llama.attention.layer_norm_rms_epsilon': 1e-5,
    'llama.rope.freq_base': 500_000.5,
    'llama.rope.dimension_count': hidden / heads,
    'llama.vocab_size': vocab,
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.bos_token_id': 1,
    'tokenizer.ggml.eos_token_id': 2,
    'tokenizer.ggml.unknown_token_id': 0,
    'tokenizer.ggml.add_bos_token': false,
    'tokenizer.ggml.tokens': ['<unk>', '<s>', '</s>', ...bytes, ...words],
    'tokenizer.ggml.scores': Array.from({ length: vocab }, (_, at) => -at - 0.5),
  };
}
