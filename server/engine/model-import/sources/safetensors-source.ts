/** The weights of a Hugging Face decoder folder, one file or many shards, under the names the graph builder asks by. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerWeight, ModelShape, Weight, WeightName, WeightSource } from '../graph/model-shape.ts';
import { type SafetensorEntry, SafetensorsFile } from './safetensors.ts';

interface Found {
  file: SafetensorsFile;
  entry: SafetensorEntry;
}

/** Place of a weight: a tensor, and which of its rows where several are fused. */
interface Place {
  tensor: string;
  first?: number;
  rows?: number;
}

const layerTensors: Record<LayerWeight, string> = {
  attention_norm: 'input_layernorm.weight',
  q: 'self_attn.q_proj.weight',
  k: 'self_attn.k_proj.weight',
  v: 'self_attn.v_proj.weight',
  o: 'self_attn.o_proj.weight',
  q_bias: 'self_attn.q_proj.bias',
  k_bias: 'self_attn.k_proj.bias',
  v_bias: 'self_attn.v_proj.bias',
  o_bias: 'self_attn.o_proj.bias',
  q_norm: 'self_attn.q_norm.weight',
  k_norm: 'self_attn.k_norm.weight',
  post_attention_norm: 'post_attention_layernorm.weight',
  ffn_norm: 'post_attention_layernorm.weight',
  gate: 'mlp.gate_proj.weight',
  up: 'mlp.up_proj.weight',
  down: 'mlp.down_proj.weight',
  post_ffn_norm: 'post_feedforward_layernorm.weight',
};

/** @throws Error when the folder has none, or lacks a weight when it is read */
export async function openSafetensors(folder: string, shape: ModelShape): Promise<WeightSource> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.safetensors')).sort();
  if (names.length === 0) throw new Error('there is no .safetensors file in the folder');
  const files: SafetensorsFile[] = [];
  const close = async () => void (await Promise.all(files.map((file) => file.close())));
  const tensors = new Map<string, Found>();
  try {
    for (const name of names) {
      const file = await SafetensorsFile.open(join(folder, name), name);
      files.push(file);
      for (const [key, entry] of file.entries) tensors.set(stripPrefix(key), { file, entry });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const find = (name: WeightName) => {
    const place = placeOf(name, shape, tensors);
    const found = tensors.get(place.tensor);
    return found ? { found, place } : null;
  };
  return {
    has: (name) => find(name) !== null,
    get(name) {
      const at = find(name);
      if (!at) throw new Error(`the weights lack ${placeOf(name, shape, tensors).tensor}`);
      return toWeight(at.found, at.place);
    },
    close,
  };
}

/** `model.language_model.layers…`, `language_model.model.layers…` and `model.layers…` are one thing. */
const stripPrefix = (key: string): string =>
  key.replace(/^(?:model\.)?(?:language_model\.)?(?:model\.)?/, '');

function placeOf(name: WeightName, shape: ModelShape, tensors: ReadonlyMap<string, unknown>): Place {
  if (name === 'embedding') return { tensor: 'embed_tokens.weight' };
  if (name === 'final_norm') return { tensor: 'norm.weight' };
  if (name === 'head') return { tensor: 'lm_head.weight' };
  const [, layer, part] = name.split('.') as [string, string, LayerWeight];
  const prefix = `layers.${layer}.`;
  const fusedPart = fusedPlace(part, shape);
  if (fusedPart && tensors.has(prefix + fusedPart.tensor))
    return { ...fusedPart, tensor: prefix + fusedPart.tensor };
  if (part === 'ffn_norm' && shape.postNorms) return { tensor: `${prefix}pre_feedforward_layernorm.weight` };
  return { tensor: prefix + layerTensors[part] };
}

/** Phi-3 keeps q, k and v in one matrix, and gate and up in another. */
function fusedPlace(part: LayerWeight, shape: ModelShape): Place | null {
  const queries = shape.heads * shape.headDim;
  const keys = shape.kvHeads * shape.headDim;
  const qkv = 'self_attn.qkv_proj.weight';
  const gateUp = 'mlp.gate_up_proj.weight';
  switch (part) {
    case 'q':
      return { tensor: qkv, first: 0, rows: queries };
    case 'k':
      return { tensor: qkv, first: queries, rows: keys };
    case 'v':
      return { tensor: qkv, first: queries + keys, rows: keys };
    case 'gate':
      return { tensor: gateUp, first: 0, rows: shape.ffn };
    case 'up':
      return { tensor: gateUp, first: shape.ffn, rows: shape.ffn };
    default:
      return null;
  }
}

function toWeight({ file, entry }: Found, { first = 0, rows: wanted }: Place): Weight {
  const cols = entry.dims.at(-1) ?? 1;
  const rows = wanted ?? (entry.dims.length === 1 ? 1 : entry.dims[0]!);
  return { rows, cols, read: (from, count) => file.read(entry, (first + from) * cols, count * cols) };
}
