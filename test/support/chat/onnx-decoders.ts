/**
 * Tiny Llama decoders as others export them, with float32 weights inside: `genai` as onnxruntime-genai's builder writes
 * them (GroupQueryAttention, an attention mask, one buffer for past and present), `optimum` with the attention spelled
 * out, position ids, and present = past with the new keys behind it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ropeTables } from '../../../server/engine/model-import/graph/rope.ts';
import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';
import type { Config, Tensors } from './tiny-decoder.ts';

export type Layout = 'genai' | 'optimum';

const fused = { domain: 'com.microsoft' };

class Exporter {
  readonly #graph: Graph = createGraph('decoder');
  readonly #config: Config;
  readonly #tensors: Tensors;
  readonly #layout: Layout;

  constructor(config: Config, tensors: Tensors, layout: Layout) {
    this.#config = config;
    this.#tensors = tensors;
    this.#layout = layout;
  }

  export(): Uint8Array {
    const graph = this.#graph;
    graph.input('input_ids', 'int64', ['batch', 'sequence']);
    graph.input('attention_mask', 'int64', ['batch', 'total']);
    if (this.#layout === 'optimum') graph.input('position_ids', 'int64', ['batch', 'sequence']);
    this.#constants();
    let stream = graph.node('Gather', [this.#weight('model.embed_tokens.weight'), 'input_ids'], ['embedded']);
    for (let layer = 0; layer < this.#n('num_hidden_layers'); layer += 1) stream = this.#layer(layer, stream);
    const last = this.#norm('model.norm.weight', stream);
    this.#multiply('lm_head.weight', last, 'logits');
    graph.output('logits', 'float32', ['batch', 'sequence', this.#n('vocab_size')]);
    return graph.toModel();
  }

  #constants(): void {
    const graph = this.#graph;
    const headDim = this.#n('head_dim');
    const positions = this.#n('max_position_embeddings');
    const { cos, sin } = ropeTables(
      { theta: this.#n('rope_theta'), dims: headDim, scaling: null },
      positions,
    );
    graph.initializer('cos', 'float32', [positions, headDim / 2], cos);
    graph.initializer('sin', 'float32', [positions, headDim / 2], sin);
    this.#whole('one', [1], []);
    this.#whole('axis_1', [1]);
    if (this.#layout === 'genai') this.#lengthsOfMask();
    else this.#causalMask();
  }

  /** What the builder puts before its attention: lengths from the mask. */
  #lengthsOfMask(): void {
    const graph = this.#graph;
    const sum = graph.node('ReduceSum', ['attention_mask', 'axis_1'], ['mask_sum'], {
      attributes: { keepdims: 0 },
    });
    const lengths = graph.node('Sub', [sum, 'one'], ['mask_last']);
    graph.node('Cast', [lengths], ['seqlens_k'], { attributes: { to: 6 } });
    const shape = graph.node('Shape', ['attention_mask'], ['mask_shape']);
    const total = graph.node('Gather', [shape, 'one'], ['mask_total']);
    graph.node('Cast', [total], ['total_length'], { attributes: { to: 6 } });
  }

  /** 0 where a position may be seen, −10⁹ elsewhere: [1, 1, sequence, total]. */
  #causalMask(): void {
    const graph = this.#graph;
    this.#whole('zero', [0], []);
    this.#whole('axes_12', [1, 2]);
    this.#whole('axis_3', [3]);
    graph.initializer('seen', 'float32', [], Float32Array.of(0));
    graph.initializer('hidden', 'float32', [], Float32Array.of(-1e9));
    const shape = graph.node('Shape', ['attention_mask'], ['mask_shape']);
    const total = graph.node('Gather', [shape, 'one'], ['mask_total']);
    const columns = graph.node('Range', ['zero', total, 'one'], ['columns']);
    const rows = graph.node('Unsqueeze', ['position_ids', 'axis_1'], ['rows_1']);
    const column = graph.node('Unsqueeze', [rows, 'axis_3'], ['rows_2']);
    const visible = graph.node('LessOrEqual', [columns, column], ['visible']);
    graph.node('Where', [visible, 'seen', 'hidden'], ['mask']);
  }

  #layer(layer: number, stream: string): string {
    const graph = this.#graph;
    const at = `model.layers.${layer}.`;
    const normed = this.#norm(`${at}input_layernorm.weight`, stream);
    const parts = ['q', 'k', 'v'].map((part) => this.#multiply(`${at}self_attn.${part}_proj.weight`, normed));
    const attended = this.#layout === 'genai' ? this.#grouped(layer, parts) : this.#spelled(layer, parts);
    const out = this.#multiply(`${at}self_attn.o_proj.weight`, attended);
    const middle = graph.node('Add', [stream, out], [`${at}middle`]);
    const fed = this.#feedForward(at, this.#norm(`${at}post_attention_layernorm.weight`, middle));
    return graph.node('Add', [middle, fed], [`${at}out`]);
  }

  #feedForward(at: string, input: string): string {
    const graph = this.#graph;
    const gate = this.#multiply(`${at}mlp.gate_proj.weight`, input);
    const sigmoid = graph.node('Sigmoid', [gate], [`${at}sigmoid`]);
    const silu = graph.node('Mul', [gate, sigmoid], [`${at}silu`]);
    const up = this.#multiply(`${at}mlp.up_proj.weight`, input);
    return this.#multiply(`${at}mlp.down_proj.weight`, graph.node('Mul', [silu, up], [`${at}gated`]));
  }

  #caches(layer: number): { past: string[]; present: string[] } {
    const named = (prefix: string) => ['key', 'value'].map((part) => `${prefix}.${layer}.${part}`);
    const [past, present] = [named('past_key_values'), named('present')];
    const sizes = (length: string) => ['batch', this.#n('num_key_value_heads'), length, this.#n('head_dim')];
    for (const name of past) this.#graph.input(name, 'float32', sizes('past'));
    for (const name of present) this.#graph.output(name, 'float32', sizes('present'));
    return { past, present };
  }

  #grouped(layer: number, parts: string[]): string {
    const { past, present } = this.#caches(layer);
    const inputs = [...parts, ...past, 'seqlens_k', 'total_length', 'cos', 'sin'];
    return this.#graph.node('GroupQueryAttention', inputs, [`layer.${layer}.attended`, ...present], {
      ...fused,
      attributes: {
        num_heads: this.#n('num_attention_heads'),
        kv_num_heads: this.#n('num_key_value_heads'),
        do_rotary: 1,
      },
    });
  }

  #spelled(layer: number, [q = '', k = '', v = '']: string[]): string {
    const graph = this.#graph;
    const [heads, kvHeads, headDim] = [
      this.#n('num_attention_heads'),
      this.#n('num_key_value_heads'),
      this.#n('head_dim'),
    ];
    const { past, present } = this.#caches(layer);
    const name = (what: string) => `layer.${layer}.${what}`;
    const split = (input: string, count: number, what: string) => {
      const shape = this.#whole(name(`${what}_shape`), [0, -1, count, headDim]);
      const reshaped = graph.node('Reshape', [input, shape], [name(`${what}_reshaped`)]);
      return graph.node('Transpose', [reshaped], [name(what)], { attributes: { perm: [0, 2, 1, 3] } });
    };
    const turn = (input: string) =>
      graph.node('RotaryEmbedding', [input, 'position_ids', 'cos', 'sin'], [`${input}_turned`], fused);
    const join = (input: string, index: number) =>
      graph.node('Concat', [past[index]!, input], [present[index]!], { attributes: { axis: 2 } });
    const groups = this.#whole(
      name('groups'),
      Array.from({ length: heads }, (_, head) => Math.floor((head * kvHeads) / heads)),
    );
    const repeat = (input: string) =>
      graph.node('Gather', [input, groups], [`${input}_repeated`], { attributes: { axis: 1 } });
    const keys = repeat(join(turn(split(k, kvHeads, 'k')), 0));
    const values = repeat(join(split(v, kvHeads, 'v'), 1));
    const across = graph.node('Transpose', [keys], [name('keys')], { attributes: { perm: [0, 1, 3, 2] } });
    const raw = graph.node('MatMul', [turn(split(q, heads, 'q')), across], [name('raw')]);
    graph.initializer(name('scale'), 'float32', [], Float32Array.of(headDim ** -0.5));
    const scores = graph.node(
      'Add',
      [graph.node('Mul', [raw, name('scale')], [name('scaled')]), 'mask'],
      [name('scores')],
    );
    const weights = graph.node('Softmax', [scores], [name('weights')], { attributes: { axis: -1 } });
    const mixed = graph.node('MatMul', [weights, values], [name('mixed')]);
    const back = graph.node('Transpose', [mixed], [name('back')], { attributes: { perm: [0, 2, 1, 3] } });
    return graph.node(
      'Reshape',
      [back, this.#whole(name('flat'), [0, -1, heads * headDim])],
      [name('attended')],
    );
  }

  #norm(weight: string, input: string): string {
    const scale = this.#weight(weight);
    return this.#graph.node('SimplifiedLayerNormalization', [input, scale], [`${weight}/out`], {
      attributes: { axis: -1, epsilon: { float: this.#n('rms_norm_eps') }, stash_type: 1 },
    });
  }

  #multiply(name: string, input: string, output = `${name}/${input}`): string {
    const transposed = this.#graph.node('Transpose', [this.#weight(name)], [`${name}/t`], {
      attributes: { perm: [1, 0] },
    });
    return this.#graph.node('MatMul', [input, transposed], [output]);
  }

  #weight(name: string): string {
    const { dims, values } = this.#tensors.get(name)!;
    return this.#graph.initializer(name, 'float32', dims, values);
  }

  #whole(name: string, values: number[], dims = [values.length]): string {
    return this.#graph.initializer(name, 'int64', dims, BigInt64Array.from(values, BigInt));
  }

  #n(name: string): number {
    return Number(this.#config[name]);
  }
}

/** Writes the model's folder as its exporter would; tokenizer files are the caller's. */
export function writeOnnxDecoder(
  folder: string,
  layout: Layout,
  model: { config: Config; tensors: Tensors },
): void {
  const { config, tensors } = model;
  const bytes = new Exporter(config, tensors, layout).export();
  const path = join(folder, layout === 'genai' ? 'cpu/int4/model.onnx' : 'onnx/model.onnx');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  if (layout === 'optimum')
    writeFileSync(
      join(folder, 'config.json'),
      JSON.stringify({ ...config, architectures: ['LlamaForCausalLM'] }),
    );
  else writeFileSync(join(dirname(path), 'genai_config.json'), JSON.stringify(toGenaiConfig(config)));
}

const toGenaiConfig = (config: Config) => ({
  model: {
    type: 'llama',
    bos_token_id: null,
    eos_token_id: [262],
    context_length: config.max_position_embeddings,
    vocab_size: config.vocab_size,
    decoder: {
      filename: 'model.onnx',
      head_size: config.head_dim,
      num_attention_heads: config.num_attention_heads,
      num_hidden_layers: config.num_hidden_layers,
      num_key_value_heads: config.num_key_value_heads,
      inputs: {
        input_ids: 'input_ids',
        attention_mask: 'attention_mask',
        past_key_names: 'past_key_values.%d.key',
        past_value_names: 'past_key_values.%d.value',
      },
      outputs: {
        logits: 'logits',
        present_key_names: 'present.%d.key',
        present_value_names: 'present.%d.value',
      },
    },
  },
  search: { past_present_share_buffer: true },
});
