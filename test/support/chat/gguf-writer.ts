/** Writes GGUF files (version 3) for tests, from the tensors of a tiny Hugging Face decoder. */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Config, Tensors } from './tiny-decoder.ts';

type Value = string | number | boolean | string[] | number[];

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const f32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
};

function entry(key: string, value: Value): Buffer {
  return Buffer.concat([text(key), typed(value)]);
}

function typed(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)]);
  if (typeof value === 'boolean') return Buffer.concat([u32(7), Buffer.of(value ? 1 : 0)]);
  if (typeof value === 'number')
    return Number.isInteger(value)
      ? Buffer.concat([u32(4), u32(value)])
      : Buffer.concat([u32(6), f32(value)]);
  const isText = typeof value[0] === 'string';
  const items = isText
    ? (value as string[]).map(text)
    : (value as number[]).map((each) => (Number.isInteger(each) ? u32(each) : f32(each)));
  const kind = isText ? 8 : (value as number[]).every(Number.isInteger) ? 4 : 6;
  return Buffer.concat([u32(9), u32(kind), u64(value.length), ...items]);
}

export interface GgufTensorData {
  name: string;
  /** As ggml counts: columns first. */
  dims: number[];
  type: number;
  bytes: Buffer;
}

const align = (bytes: number): number => Math.ceil(bytes / 32) * 32;

export function writeGguf(path: string, metadata: Record<string, Value>, tensors: GgufTensorData[]): void {
  let offset = 0;
  const infos = tensors.map(({ name, dims, type, bytes }) => {
    const info = Buffer.concat([text(name), u32(dims.length), ...dims.map(u64), u32(type), u64(offset)]);
    offset += align(bytes.length);
    return info;
  });
  const entries = Object.entries(metadata).map(([key, value]) => entry(key, value));
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries,
    ...infos,
  ]);
  const file = openSync(path, 'w');
  try {
    // Piece by piece: a file of several gigabytes is not put together in memory.
    const write = (bytes: Uint8Array) => {
      writeFileSync(file, bytes);
      writeFileSync(file, Buffer.alloc(align(bytes.length) - bytes.length));
    };
    write(head);
    for (const { bytes } of tensors) write(bytes);
  } finally {
    closeSync(file);
  }
}

const layerNames: Record<string, string> = {
  'input_layernorm.weight': 'attn_norm.weight',
  'self_attn.q_proj.weight': 'attn_q.weight',
  'self_attn.k_proj.weight': 'attn_k.weight',
  'self_attn.v_proj.weight': 'attn_v.weight',
  'self_attn.q_proj.bias': 'attn_q.bias',
  'self_attn.k_proj.bias': 'attn_k.bias',
  'self_attn.v_proj.bias': 'attn_v.bias',
  'self_attn.o_proj.weight': 'attn_output.weight',
  'self_attn.q_norm.weight': 'attn_q_norm.weight',
  'self_attn.k_norm.weight': 'attn_k_norm.weight',
  'self_attn.qkv_proj.weight': 'attn_qkv.weight',
  'mlp.gate_proj.weight': 'ffn_gate.weight',
  'mlp.up_proj.weight': 'ffn_up.weight',
  'mlp.gate_up_proj.weight': 'ffn_up.weight',
  'mlp.down_proj.weight': 'ffn_down.weight',
  'pre_feedforward_layernorm.weight': 'ffn_norm.weight',
  'post_feedforward_layernorm.weight': 'post_ffw_norm.weight',
};

function ggufName(name: string, gemma: boolean): string {
  const match = /^model\.layers\.(\d+)\.(.*)$/.exec(name);
  if (!match)
    return {
      'model.embed_tokens.weight': 'token_embd.weight',
      'model.norm.weight': 'output_norm.weight',
      'lm_head.weight': 'output.weight',
    }[name]!;
  const [, layer, part = ''] = match;
  if (part === 'post_attention_layernorm.weight')
    return `blk.${layer}.${gemma ? 'post_attention_norm' : 'ffn_norm'}.weight`;
  return `blk.${layer}.${layerNames[part]}`;
}

/** The metadata llama.cpp's converter writes for a config of tiny-decoder.ts. */
export function ggufMetadata(config: Config): Record<string, Value> {
  const type = String(config.model_type);
  const architecture = { mistral: 'llama', gemma3_text: 'gemma3' }[type] ?? type;
  const n = (name: string) => Number(config[name]);
  const values: Record<string, Value> = {
    'general.architecture': architecture,
    [`${architecture}.embedding_length`]: n('hidden_size'),
    [`${architecture}.block_count`]: n('num_hidden_layers'),
    [`${architecture}.attention.head_count`]: n('num_attention_heads'),
    [`${architecture}.attention.head_count_kv`]: n('num_key_value_heads'),
    [`${architecture}.attention.key_length`]: n('head_dim'),
    [`${architecture}.feed_forward_length`]: n('intermediate_size'),
    [`${architecture}.context_length`]: n('max_position_embeddings'),
    [`${architecture}.attention.layer_norm_rms_epsilon`]: n('rms_norm_eps'),
    [`${architecture}.rope.freq_base`]: n('rope_theta'),
    [`${architecture}.rope.dimension_count`]: n('head_dim') * Number(config.partial_rotary_factor ?? 1),
  };
  if (type.startsWith('gemma') && config.sliding_window)
    values[`${architecture}.attention.sliding_window`] = n('sliding_window');
  if (config.sliding_window_pattern) {
    values[`${architecture}.attention.sliding_window_pattern`] = n('sliding_window_pattern');
  }
  if (config.attn_logit_softcapping)
    values[`${architecture}.attn_logit_softcapping`] = n('attn_logit_softcapping');
  if (config.final_logit_softcapping)
    values[`${architecture}.final_logit_softcapping`] = n('final_logit_softcapping');
  return values;
}

/** Tensors as llama.cpp's converter lays them out: q and k interleaved for `llama`, Gemma's 1 added to its norms. */
export function ggufTensors(config: Config, tensors: Tensors): GgufTensorData[] {
  const type = String(config.model_type);
  const gemma = type.startsWith('gemma');
  return [...tensors].map(([name, { dims, values }]) => {
    let data = values;
    if (gemma && dims.length === 1 && name.includes('norm')) data = values.map((value) => value + 1);
    if ((type === 'llama' || type === 'mistral') && /self_attn\.[qk]_proj/.test(name))
      data = interleave(values, dims, Number(config.head_dim));
    return {
      name: ggufName(name, gemma),
      dims: [...dims].reverse(),
      type: 0,
      bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    };
  });
}

/** `permute` of convert_hf_to_gguf.py: rows i and i + half of a head become 2i and 2i + 1. */
function interleave(values: Float32Array, [rows = 0, cols = 1]: number[], headDim: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    const within = row % headDim;
    const target = row - within + (within < headDim / 2 ? 2 * within : 2 * (within - headDim / 2) + 1);
    out.set(values.subarray(row * cols, (row + 1) * cols), target * cols);
  }
  return out;
}
