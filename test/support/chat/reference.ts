/**
 * A plain float64 forward pass of a decoder, written from transformers' modeling files and sharing no code with the
 * product: what the graphs are measured against.
 */
import type { Config, Tensors } from './tiny-decoder.ts';

type Vector = number[];

/** Logits of every position. */
export function referenceLogits(config: Config, tensors: Tensors, tokens: number[]): Vector[] {
  const model = new Reference(config, tensors);
  return model.logits(tokens);
}

class Reference {
  private readonly config: Config;
  private readonly tensors: Tensors;
  private readonly gemma: boolean;
  private readonly type: string;

  constructor(config: Config, tensors: Tensors) {
    this.config = config;
    this.tensors = tensors;
    this.type = String(config.model_type);
    this.gemma = this.type.startsWith('gemma');
  }

  logits(tokens: number[]): Vector[] {
    const hidden = this.n('hidden_size');
    const table = this.values('model.embed_tokens.weight');
    let stream = tokens.map((token) => {
      const row = [...table.subarray(token * hidden, (token + 1) * hidden)];
      return this.gemma ? row.map((value) => value * Math.sqrt(hidden)) : row;
    });
    for (let layer = 0; layer < this.n('num_hidden_layers'); layer += 1) stream = this.layer(layer, stream);
    const head = this.config.tie_word_embeddings === true ? 'model.embed_tokens.weight' : 'lm_head.weight';
    const cap = Number(this.config.final_logit_softcapping ?? 0);
    return stream.map((row) => {
      const logits = this.multiply(head, this.norm('model.norm.weight', row));
      return cap > 0 ? logits.map((value) => cap * Math.tanh(value / cap)) : logits;
    });
  }

  private layer(layer: number, stream: Vector[]): Vector[] {
    const at = `model.layers.${layer}.`;
    const normed = stream.map((row) => this.norm(`${at}input_layernorm.weight`, row));
    let attended = this.attention(layer, normed);
    if (this.gemma) attended = attended.map((row) => this.norm(`${at}post_attention_layernorm.weight`, row));
    const middle = stream.map((row, index) => add(row, attended[index]!));
    const before = this.gemma ? 'pre_feedforward_layernorm' : 'post_attention_layernorm';
    return middle.map((row) => {
      let fed = this.feedForward(at, this.norm(`${at}${before}.weight`, row));
      if (this.gemma) fed = this.norm(`${at}post_feedforward_layernorm.weight`, fed);
      return add(row, fed);
    });
  }

  private feedForward(at: string, row: Vector): Vector {
    const size = this.n('intermediate_size');
    const both = this.type === 'phi3' ? this.multiply(`${at}mlp.gate_up_proj.weight`, row) : null;
    const gate = both ? both.slice(0, size) : this.multiply(`${at}mlp.gate_proj.weight`, row);
    const up = both ? both.slice(size) : this.multiply(`${at}mlp.up_proj.weight`, row);
    const activate = this.gemma ? geluTanh : (value: number) => value / (1 + Math.exp(-value));
    return this.multiply(
      `${at}mlp.down_proj.weight`,
      gate.map((value, index) => activate(value) * up[index]!),
    );
  }

  private attention(layer: number, rows: Vector[]): Vector[] {
    const at = `model.layers.${layer}.self_attn.`;
    const headDim = this.n('head_dim');
    const heads = this.n('num_attention_heads');
    const group = heads / this.n('num_key_value_heads');
    const projected = rows.map((row, position) => this.project(at, row, { layer, position }));
    const scale = Number(this.config.query_pre_attn_scalar ?? headDim) ** -0.5;
    const cap = Number(this.config.attn_logit_softcapping ?? 0);
    const window = this.windowOf(layer);
    return projected.map(({ q }, position) => {
      const out: Vector = [];
      for (let head = 0; head < heads; head += 1) {
        const kv = Math.floor(head / group);
        const from = window === null ? 0 : Math.max(0, position - window + 1);
        const seen = projected.slice(from, position + 1);
        let scores = seen.map(({ k }) => dot(q[head]!, k[kv]!) * scale);
        if (cap > 0) scores = scores.map((value) => cap * Math.tanh(value / cap));
        const weights = softmax(scores);
        for (let dim = 0; dim < headDim; dim += 1) {
          out.push(seen.reduce((sum, { v }, index) => sum + weights[index]! * v[kv]![dim]!, 0));
        }
      }
      return this.multiply(`${at}o_proj.weight`, out);
    });
  }

  private project(at: string, row: Vector, place: { layer: number; position: number }) {
    const headDim = this.n('head_dim');
    const queries = this.n('num_attention_heads') * headDim;
    const keys = this.n('num_key_value_heads') * headDim;
    const packed = this.type === 'phi3' ? this.multiply(`${at}qkv_proj.weight`, row) : null;
    const part = (name: 'q' | 'k' | 'v', from: number, count: number): Vector => {
      if (packed) return packed.slice(from, from + count);
      const product = this.multiply(`${at}${name}_proj.weight`, row);
      const bias = this.tensors.get(`${at}${name}_proj.bias`);
      return bias ? add(product, [...bias.values]) : product;
    };
    const split = (values: Vector) =>
      Array.from({ length: values.length / headDim }, (_, head) =>
        values.slice(head * headDim, (head + 1) * headDim),
      );
    const turned = (values: Vector, norm: string) =>
      split(values).map((head) => this.rotate(this.tensors.has(norm) ? this.norm(norm, head) : head, place));
    return {
      q: turned(part('q', 0, queries), `${at}q_norm.weight`),
      k: turned(part('k', queries, keys), `${at}k_norm.weight`),
      v: split(part('v', queries + keys, keys)),
    };
  }

  private windowOf(layer: number): number | null {
    const window = Number(this.config.sliding_window ?? 0);
    if (window === 0) return null;
    if (this.type === 'gemma2') return layer % 2 === 0 ? window : null;
    if (this.type === 'gemma3_text') return this.isLocal(layer) ? window : null;
    return window;
  }

  private isLocal(layer: number): boolean {
    return (layer + 1) % Number(this.config.sliding_window_pattern) !== 0;
  }

  /** rotate_half over the leading `partial_rotary_factor` of the head. */
  private rotate(head: Vector, { layer, position }: { layer: number; position: number }): Vector {
    const dims = head.length * Number(this.config.partial_rotary_factor ?? 1);
    const half = dims / 2;
    const local = this.type === 'gemma3_text' && this.isLocal(layer);
    const theta = Number(local ? this.config.rope_local_base_freq : this.config.rope_theta);
    const out = [...head];
    for (let index = 0; index < half; index += 1) {
      const [frequency, magnitude] = this.frequency(theta ** ((-2 * index) / dims), { index, dims, theta });
      const angle = position * frequency;
      const [cos, sin] = [Math.cos(angle) * magnitude, Math.sin(angle) * magnitude];
      out[index] = head[index]! * cos - head[index + half]! * sin;
      out[index + half] = head[index + half]! * cos + head[index]! * sin;
    }
    return out;
  }

  private frequency(plain: number, at: { index: number; dims: number; theta: number }): [number, number] {
    const scaling = this.config.rope_scaling as Record<string, number & string> | undefined;
    const kind = scaling?.rope_type ?? scaling?.type;
    if (!scaling || !kind) return [plain, 1];
    if (kind === 'linear') return [plain / scaling.factor!, 1];
    const original = scaling.original_max_position_embeddings!;
    if (kind === 'llama3') {
      const wave = (2 * Math.PI) / plain;
      if (wave < original / scaling.high_freq_factor!) return [plain, 1];
      if (wave > original / scaling.low_freq_factor!) return [plain / scaling.factor!, 1];
      const smooth =
        (original / wave - scaling.low_freq_factor!) / (scaling.high_freq_factor! - scaling.low_freq_factor!);
      return [((1 - smooth) * plain) / scaling.factor! + smooth * plain, 1];
    }
    const find = (turns: number) =>
      (at.dims * Math.log(original / (turns * 2 * Math.PI))) / (2 * Math.log(at.theta));
    const low = Math.max(Math.floor(find(32)), 0);
    const high = Math.min(Math.ceil(find(1)), at.dims - 1);
    const ramp = Math.min(Math.max((at.index - low) / Math.max(high - low, 0.001), 0), 1);
    return [(plain / scaling.factor!) * ramp + plain * (1 - ramp), 0.1 * Math.log(scaling.factor!) + 1];
  }

  private norm(name: string, row: Vector): Vector {
    const weight = this.values(name);
    const mean = row.reduce((sum, value) => sum + value * value, 0) / row.length;
    const scale = 1 / Math.sqrt(mean + Number(this.config.rms_norm_eps));
    return row.map((value, index) => value * scale * (weight[index]! + (this.gemma ? 1 : 0)));
  }

  private multiply(name: string, row: Vector): Vector {
    const weight = this.values(name);
    const out: Vector = [];
    for (let at = 0; at < weight.length; at += row.length) {
      let sum = 0;
      for (let index = 0; index < row.length; index += 1) sum += weight[at + index]! * row[index]!;
      out.push(sum);
    }
    return out;
  }

  private values(name: string): Float32Array {
    const tensor = this.tensors.get(name);
    if (!tensor) throw new Error(`the tiny model lacks ${name}`);
    return tensor.values;
  }

  private n(name: string): number {
    return Number(this.config[name]);
  }
}

const add = (a: Vector, b: Vector): Vector => a.map((value, index) => value + b[index]!);
const dot = (a: Vector, b: Vector): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const geluTanh = (x: number): number =>
  0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));

function softmax(scores: Vector): Vector {
  const top = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - top));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0;
  let first = 0;
  let second = 0;
  for (let index = 0; index < a.length; index += 1) {
    product += a[index]! * b[index]!;
    first += a[index]! ** 2;
    second += b[index]! ** 2;
  }
  return product / Math.sqrt(first * second);
}
