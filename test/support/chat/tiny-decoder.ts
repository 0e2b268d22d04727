/** Tiny decoders with random weights, as Hugging Face would save them: config.json and model.safetensors. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Config = Record<string, unknown>;
export type Tensors = Map<string, { dims: number[]; values: Float32Array }>;

const base = {
  vocab_size: 96,
  hidden_size: 128,
  num_hidden_layers: 3,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 16,
  intermediate_size: 256,
  max_position_embeddings: 128,
  rms_norm_eps: 1e-5,
  rope_theta: 10_000,
  hidden_act: 'silu',
  tie_word_embeddings: false,
};

/** One of each family that is supported, with what makes it special. */
export const tinyConfigs: Record<string, Config> = {
  llama: { ...base, model_type: 'llama' },
  'llama 3.1 rope': {
    ...base,
    model_type: 'llama',
    rope_scaling: {
      rope_type: 'llama3',
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 32,
    },
  },
  'linear rope': { ...base, model_type: 'llama', rope_scaling: { type: 'linear', factor: 2 } },
  'llama of an odd width': {
    ...base,
    model_type: 'llama',
    hidden_size: 192,
    num_attention_heads: 6,
    head_dim: 32,
    tie_word_embeddings: true,
  },
  mistral: { ...base, model_type: 'mistral', sliding_window: 8 },
  qwen2: { ...base, model_type: 'qwen2', tie_word_embeddings: true },
  'qwen2 yarn': {
    ...base,
    model_type: 'qwen2',
    rope_scaling: { type: 'yarn', factor: 4, original_max_position_embeddings: 32 },
  },
  qwen3: { ...base, model_type: 'qwen3', head_dim: 32 },
  phi3: {
    ...base,
    model_type: 'phi3',
    partial_rotary_factor: 0.5,
    head_dim: 32,
    num_attention_heads: 2,
    num_key_value_heads: 2,
  },
  gemma2: {
    ...base,
    model_type: 'gemma2',
    hidden_activation: 'gelu_pytorch_tanh',
    query_pre_attn_scalar: 24,
    attn_logit_softcapping: 5,
    final_logit_softcapping: 3,
    sliding_window: 8,
    tie_word_embeddings: true,
  },
  gemma3: {
    ...base,
    model_type: 'gemma3_text',
    hidden_activation: 'gelu_pytorch_tanh',
    query_pre_attn_scalar: 16,
    rope_theta: 1_000_000,
    rope_local_base_freq: 10_000,
    sliding_window: 8,
    sliding_window_pattern: 2,
    tie_word_embeddings: true,
  },
};

/** mulberry32: the same weights on every machine. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function tinyTensors(config: Config, seed = 1): Tensors {
  const next = random(seed);
  const tensors: Tensors = new Map();
  const n = (name: string) => Number(config[name]);
  const hidden = n('hidden_size');
  const queries = n('num_attention_heads') * n('head_dim');
  const keys = n('num_key_value_heads') * n('head_dim');
  const type = String(config.model_type);
  const gemma = type.startsWith('gemma');
  const add = (name: string, dims: number[], centre = 0) => {
    const scale = dims.length === 1 ? 0.2 : 2 / Math.sqrt(dims[1]!);
    const length = dims.reduce((product, dim) => product * dim, 1);
    tensors.set(name, {
      dims,
      values: Float32Array.from({ length }, () => centre + (next() * 2 - 1) * scale),
    });
  };
  const norm = (name: string, width = hidden) => add(name, [width], gemma ? 0 : 1);
  add('model.embed_tokens.weight', [n('vocab_size'), hidden]);
  for (let layer = 0; layer < n('num_hidden_layers'); layer += 1) {
    const at = `model.layers.${layer}.`;
    norm(`${at}input_layernorm.weight`);
    if (type === 'phi3') add(`${at}self_attn.qkv_proj.weight`, [queries + 2 * keys, hidden]);
    else {
      for (const [part, rows] of [
        ['q', queries],
        ['k', keys],
        ['v', keys],
      ] as const) {
        add(`${at}self_attn.${part}_proj.weight`, [rows, hidden]);
        if (type === 'qwen2') add(`${at}self_attn.${part}_proj.bias`, [rows]);
      }
    }
    if (type === 'qwen3' || type === 'gemma3_text') {
      norm(`${at}self_attn.q_norm.weight`, n('head_dim'));
      norm(`${at}self_attn.k_norm.weight`, n('head_dim'));
    }
    add(`${at}self_attn.o_proj.weight`, [hidden, queries]);
    norm(`${at}post_attention_layernorm.weight`);
    if (gemma) {
      norm(`${at}pre_feedforward_layernorm.weight`);
      norm(`${at}post_feedforward_layernorm.weight`);
    }
    if (type === 'phi3') add(`${at}mlp.gate_up_proj.weight`, [2 * n('intermediate_size'), hidden]);
    else
      for (const part of ['gate', 'up'])
        add(`${at}mlp.${part}_proj.weight`, [n('intermediate_size'), hidden]);
    add(`${at}mlp.down_proj.weight`, [hidden, n('intermediate_size')]);
  }
  norm('model.norm.weight');
  if (config.tie_word_embeddings !== true) add('lm_head.weight', [n('vocab_size'), hidden]);
  return tensors;
}

/** Writes `model.safetensors` (or one shard of several) in float32. */
export function writeSafetensors(path: string, tensors: Tensors): void {
  const header: Record<string, unknown> = { __metadata__: { format: 'pt' } };
  let end = 0;
  for (const [name, { dims, values }] of tensors) {
    header[name] = { dtype: 'F32', shape: dims, data_offsets: [end, end + values.byteLength] };
    end += values.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Buffer.alloc(Math.ceil(text.length / 8) * 8, ' ');
  text.copy(padded);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  const data = [...tensors.values()].map(({ values }) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength),
  );
  writeFileSync(path, Buffer.concat([length, padded, ...data]));
}

export function writeTinyModel(folder: string, config: Config, tensors: Tensors): void {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeSafetensors(join(folder, 'model.safetensors'), tensors);
}
