/**
 * The graph of a decoder: one for every architecture, from its shape and a writer of weights.
 *
 * Inputs   input_ids int64 [B, S]; seqlens_k int32 [B], the row's total − 1; total_sequence_length int32, the longest row's
 *          total; logit_rows int64 [R], rows of the flattened [B·S] whose logits are wanted;
 *          past_key_values.N.key|value float32 [B, kvHeads, M, headDim]
 * Outputs  logits float32 [R, vocab]; present.N.key|value, the same memory as the past ones
 *
 * Rotary turns are of the half-split kind throughout (`rotary_interleaved: 0`): importers permute rows where a file has
 * the other. Rows are gathered before the head, so a prefill pays for one row of logits.
 */
import { Graph } from '../../onnx/graph/graph.ts';
import type { WeightWriter } from './linear.ts';
import type { LayerWeight, ModelShape, Rope, WeightName } from './model-shape.ts';
import { ropeTables } from './rope.ts';

const fused = { domain: 'com.microsoft' };

export interface DecoderOptions {
  /** Positions the rotary tables cover: the largest context that can be served. */
  positions: number;
}

export async function buildDecoder(
  shape: ModelShape,
  writer: WeightWriter,
  options: DecoderOptions,
): Promise<Graph> {
  return new DecoderBuilder(shape, writer, options).build();
}

class DecoderBuilder {
  private readonly graph = new Graph('decoder');
  private readonly shape: ModelShape;
  private readonly writer: WeightWriter;
  private readonly options: DecoderOptions;
  private readonly ropes = new Map<string, { cos: string; sin: string }>();

  constructor(shape: ModelShape, writer: WeightWriter, options: DecoderOptions) {
    this.shape = shape;
    this.writer = writer;
    this.options = options;
  }

  async build(): Promise<Graph> {
    const { graph, shape } = this;
    graph.input('input_ids', 'int64', ['B', 'S']);
    graph.input('seqlens_k', 'int32', ['B']);
    graph.input('total_sequence_length', 'int32', []);
    graph.input('logit_rows', 'int64', ['R']);
    let stream = await this.embed();
    for (let layer = 0; layer < shape.layers.length; layer += 1) stream = await this.layer(layer, stream);
    await this.head(stream);
    return graph;
  }

  private async embed(): Promise<string> {
    const rows = await this.writer.embedding(this.graph, 'input_ids', 'embedded');
    if (this.shape.embeddingScale === 1) return rows;
    this.graph.initializer('embedding_scale', 'float32', [], Float32Array.of(this.shape.embeddingScale));
    return this.graph.node('Mul', [rows, 'embedding_scale'], ['embedded_scaled']);
  }

  private async layer(layer: number, stream: string): Promise<string> {
    const attended = await this.attention(layer, await this.norm(stream, `layers.${layer}.attention_norm`));
    const afterAttention = await this.residual(stream, attended, this.post(layer, 'post_attention_norm'));
    const fed = await this.feedForward(layer, await this.norm(afterAttention, `layers.${layer}.ffn_norm`));
    return this.residual(afterAttention, fed, this.post(layer, 'post_ffn_norm'));
  }

  private post(layer: number, name: LayerWeight): WeightName | null {
    return this.shape.postNorms ? `layers.${layer}.${name}` : null;
  }

  /** An addition and the norm after it as one operator (SkipSimplifiedLayerNormalization) are no faster: measured. */
  private async residual(stream: string, addend: string, postNorm: WeightName | null): Promise<string> {
    const normed = postNorm ? await this.norm(addend, postNorm) : addend;
    return this.graph.node('Add', [stream, normed], [`${normed}/sum`]);
  }

  private async norm(input: string, weight: WeightName, name = `${input}/${weight}`): Promise<string> {
    const scale = await this.writer.vector(this.graph, [weight], weight, this.shape.normOffset);
    return this.graph.node('SimplifiedLayerNormalization', [input, scale], [name], {
      attributes: { axis: -1, epsilon: { float: this.shape.normEps }, stash_type: 1 },
    });
  }

  private async attention(layer: number, input: string): Promise<string> {
    const { graph, shape } = this;
    const { window, rope } = shape.layers[layer]!;
    const caches = ['key', 'value'].map((part) => `${layer}.${part}`);
    for (const cache of caches) {
      const dims = ['B', shape.kvHeads, 'M', shape.headDim];
      graph.input(`past_key_values.${cache}`, 'float32', dims);
      graph.output(`present.${cache}`, 'float32', dims);
    }
    const tables = await this.rope(rope);
    const qkv = await this.queriesKeysValues(layer, input);
    const attended = graph.node(
      'GroupQueryAttention',
      [
        ...qkv,
        ...caches.map((cache) => `past_key_values.${cache}`),
        'seqlens_k',
        'total_sequence_length',
        tables.cos,
        tables.sin,
      ],
      [`layers.${layer}.attended`, ...caches.map((cache) => `present.${cache}`)],
      {
        ...fused,
        attributes: {
          num_heads: shape.heads,
          kv_num_heads: shape.kvHeads,
          do_rotary: 1,
          rotary_interleaved: 0,
          scale: { float: shape.attentionScale },
          ...(window === null ? {} : { local_window_size: window }),
          ...(shape.attentionSoftcap === null ? {} : { softcap: { float: shape.attentionSoftcap } }),
        },
      },
    );
    return this.linear(layer, attended, ['o']);
  }

  /** One packed matrix where nothing comes between; three tensors where each head is normed first. */
  private async queriesKeysValues(layer: number, input: string): Promise<string[]> {
    const packed = await this.linear(layer, input, ['q', 'k', 'v']);
    if (!this.shape.headNorms) return [packed, '', ''];
    const { heads, kvHeads, headDim } = this.shape;
    const sizes = [heads * headDim, kvHeads * headDim, kvHeads * headDim];
    const split = this.constant('qkv_sizes', sizes);
    const names = ['q', 'k', 'v'].map((part) => `layers.${layer}.${part}_part`);
    this.graph.node('Split', [packed, split], names, { attributes: { axis: -1 } });
    const [q = '', k = '', v = ''] = names;
    return [await this.headNorm(layer, q, 'q_norm'), await this.headNorm(layer, k, 'k_norm'), v];
  }

  private async headNorm(layer: number, input: string, weight: 'q_norm' | 'k_norm'): Promise<string> {
    const { graph, shape } = this;
    const width = (weight === 'q_norm' ? shape.heads : shape.kvHeads) * shape.headDim;
    const byHead = this.constant('by_head', [0, 0, -1, shape.headDim]);
    const heads = graph.node('Reshape', [input, byHead], [`${input}/heads`]);
    const normed = await this.norm(heads, `layers.${layer}.${weight}`);
    return graph.node(
      'Reshape',
      [normed, this.constant(`flat_${width}`, [0, 0, width])],
      [`${input}/normed`],
    );
  }

  private async feedForward(layer: number, input: string): Promise<string> {
    const { graph, shape } = this;
    const both = await this.linear(layer, input, ['gate', 'up']);
    const names = [`layers.${layer}.gate_part`, `layers.${layer}.up_part`];
    graph.node('Split', [both, this.constant('ffn_sizes', [shape.ffn, shape.ffn])], names, {
      attributes: { axis: -1 },
    });
    const activated = this.activate(names[0]!);
    const product = graph.node('Mul', [activated, names[1]!], [`layers.${layer}.ffn_product`]);
    return this.linear(layer, product, ['down']);
  }

  private activate(input: string): string {
    const output = `${input}/activated`;
    // QuickGelu with alpha 1 is x·sigmoid(x), SiLU, in one kernel.
    if (this.shape.activation === 'silu') {
      return this.graph.node('QuickGelu', [input], [output], {
        ...fused,
        attributes: { alpha: { float: 1 } },
      });
    }
    return this.graph.node('Gelu', [input], [output], { attributes: { approximate: 'tanh' } });
  }

  private async linear(
    layer: number,
    input: string,
    parts: ('q' | 'k' | 'v' | 'o' | 'gate' | 'up' | 'down')[],
  ): Promise<string> {
    const { graph, writer } = this;
    const output = `layers.${layer}.${parts.join('')}`;
    const product = await writer.linear(
      graph,
      input,
      parts.map((part): WeightName => `layers.${layer}.${part}`),
      output,
    );
    const biases = parts.map((part): WeightName => `layers.${layer}.${part as 'q'}_bias`);
    if (!biases.every((bias) => writer.has(bias))) return product;
    const bias = await writer.vector(graph, biases, `${output}_bias`);
    return graph.node('Add', [product, bias], [`${output}/biased`]);
  }

  /** Only the wanted rows reach the last norm and the head. */
  private async head(stream: string): Promise<void> {
    const { graph, shape } = this;
    const flat = graph.node('Reshape', [stream, this.constant('rows', [-1, shape.hidden])], ['stream_rows']);
    const rows = graph.node('Gather', [flat, 'logit_rows'], ['wanted_rows'], { attributes: { axis: 0 } });
    const normed = await this.norm(rows, 'final_norm');
    const name = shape.logitSoftcap === null ? 'logits' : 'raw_logits';
    const logits = await this.writer.linear(graph, normed, [shape.tiedHead ? 'embedding' : 'head'], name);
    if (shape.logitSoftcap !== null) this.softcap(logits, shape.logitSoftcap);
    graph.output('logits', 'float32', ['R', shape.vocab]);
  }

  private softcap(logits: string, limit: number): void {
    this.graph.initializer('softcap', 'float32', [], Float32Array.of(limit));
    const scaled = this.graph.node('Div', [logits, 'softcap'], ['capped_in']);
    this.graph.node('Mul', [this.graph.node('Tanh', [scaled], ['capped']), 'softcap'], ['logits']);
  }

  /** Layers with the same rotary settings share their tables. */
  private async rope(rope: Rope): Promise<{ cos: string; sin: string }> {
    const key = JSON.stringify(rope);
    let names = this.ropes.get(key);
    if (!names) {
      const { positions } = this.options;
      const { cos, sin } = ropeTables(rope, positions);
      const dims = [positions, rope.dims / 2];
      const suffix = this.ropes.size === 0 ? '' : `_${this.ropes.size}`;
      names = {
        cos: await this.writer.table(this.graph, `cos${suffix}`, dims, cos),
        sin: await this.writer.table(this.graph, `sin${suffix}`, dims, sin),
      };
      this.ropes.set(key, names);
    }
    return names;
  }

  private readonly constants = new Set<string>();

  private constant(name: string, values: number[]): string {
    if (!this.constants.has(name)) {
      this.constants.add(name);
      this.graph.initializer(name, 'int64', [values.length], BigInt64Array.from(values, BigInt));
    }
    return name;
  }
}
