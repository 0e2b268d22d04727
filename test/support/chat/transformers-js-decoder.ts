/**
 * A Llama of random weights in the layout that transformers.js runs, as published `q4` exports are: products in Q4_0's own
 * 4 bits (MatMulNBits, block 32), GroupQueryAttention, lengths from the attention mask, keys and values returned anew.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelShape, WeightName } from '../../../server/engine/model-import/graph/model-shape.ts';
import { ropeTables } from '../../../server/engine/model-import/graph/rope.ts';
import { DataFile } from '../../../server/engine/model-import/weights/data-file.ts';
import { QuantizerPool } from '../../../server/engine/model-import/weights/quantizer-pool.ts';
import { ModelWriter } from '../../../server/engine/model-import/weights/weight-writer.ts';
import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { type LlamaSize, llamaShape, randomWeights } from './random-weights.ts';

const fused = { domain: 'com.microsoft' };

/** Writes config.json and onnx/model_q4.onnx into `folder`. */
export async function writeTransformersJsDecoder(folder: string, size: LlamaSize): Promise<void> {
  const onnx = join(folder, 'onnx');
  mkdirSync(onnx, { recursive: true });
  const shape = llamaShape(size);
  const data = await DataFile.create(join(onnx, 'model_q4.onnx_data'));
  const sink = new ModelWriter({
    source: randomWeights(shape),
    data,
    quantizers: new QuantizerPool(1),
    precision: () => 'float32',
    exactQ4_0: true,
    onWeights: () => {},
    signal: new AbortController().signal,
  });
  const graph = await new DecoderLayout(shape, sink, size.context).build();
  await data.close();
  writeFileSync(join(onnx, 'model_q4.onnx'), graph.toModel());
  writeFileSync(join(folder, 'config.json'), JSON.stringify(configOf(size)));
}

const configOf = ({ context, ffn, heads, hidden, kvHeads, layers, vocab }: LlamaSize) => ({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  vocab_size: vocab,
  hidden_size: hidden,
  intermediate_size: ffn,
  num_hidden_layers: layers,
  num_attention_heads: heads,
  num_key_value_heads: kvHeads,
  head_dim: hidden / heads,
  max_position_embeddings: context,
});

class DecoderLayout {
  readonly #graph = createGraph('decoder');
  readonly #shape: ModelShape;
  readonly #sink: ModelWriter;
  readonly #positions: number;

  constructor(shape: ModelShape, sink: ModelWriter, positions: number) {
    this.#shape = shape;
    this.#sink = sink;
    this.#positions = positions;
  }

  async build(): Promise<Graph> {
    const graph = this.#graph;
    graph.input('input_ids', 'int64', ['batch_size', 'sequence_length']);
    graph.input('attention_mask', 'int64', ['batch_size', 'total_sequence_length']);
    this.#lengths();
    const { cos, sin } = ropeTables(this.#shape.layers[0]!.rope, this.#positions);
    const dims = [this.#positions, this.#shape.headDim / 2];
    await this.#sink.table(graph, 'cos', dims, cos);
    await this.#sink.table(graph, 'sin', dims, sin);
    graph.initializer(
      'halves',
      'int64',
      [2],
      BigInt64Array.from([1, 1], () => BigInt(this.#shape.ffn)),
    );
    let stream = await this.#sink.embedding(graph, 'input_ids', 'embedded');
    for (let layer = 0; layer < this.#shape.layers.length; layer += 1)
      stream = await this.#layer(layer, stream);
    await this.#sink.linear(graph, await this.#norm('final_norm', stream), ['head'], 'logits');
    graph.output('logits', 'float32', ['batch_size', 'sequence_length', this.#shape.vocab]);
    return graph;
  }

  /** Lengths from the mask. */
  #lengths(): void {
    const graph = this.#graph;
    graph.initializer('one', 'int64', [], BigInt64Array.of(1n));
    graph.initializer('axis', 'int64', [1], BigInt64Array.of(1n));
    const sum = graph.node('ReduceSum', ['attention_mask', 'axis'], ['mask_sum'], {
      attributes: { keepdims: 0 },
    });
    graph.node('Cast', [graph.node('Sub', [sum, 'one'], ['mask_last'])], ['seqlens_k'], {
      attributes: { to: 6 },
    });
    const shape = graph.node('Shape', ['attention_mask'], ['mask_shape']);
    graph.node('Cast', [graph.node('Gather', [shape, 'one'], ['mask_total'])], ['total_length'], {
      attributes: { to: 6 },
    });
  }

  async #layer(layer: number, stream: string): Promise<string> {
    const graph = this.#graph;
    const at = `layers.${layer}` as const;
    const attended = this.#attention(
      layer,
      await this.#product(at, ['q', 'k', 'v'], await this.#norm(`${at}.attention_norm`, stream)),
    );
    const middle = graph.node('Add', [stream, await this.#product(at, ['o'], attended)], [`${at}/middle`]);
    const both = await this.#product(at, ['gate', 'up'], await this.#norm(`${at}.ffn_norm`, middle));
    const [gate, up] = [`${at}/gate_part`, `${at}/up_part`];
    graph.node('Split', [both, 'halves'], [gate, up], { attributes: { axis: -1 } });
    const silu = graph.node('Mul', [gate, graph.node('Sigmoid', [gate], [`${at}/sigmoid`])], [`${at}/silu`]);
    const gated = graph.node('Mul', [silu, up], [`${at}/gated`]);
    return graph.node('Add', [middle, await this.#product(at, ['down'], gated)], [`${at}/sum`]);
  }

  #attention(layer: number, packed: string): string {
    const { headDim, heads, kvHeads } = this.#shape;
    const named = (prefix: string) => ['key', 'value'].map((part) => `${prefix}.${layer}.${part}`);
    const [past, present] = [named('past_key_values'), named('present')];
    for (const name of past)
      this.#graph.input(name, 'float32', ['batch_size', kvHeads, 'past_sequence_length', headDim]);
    for (const name of present)
      this.#graph.output(name, 'float32', ['batch_size', kvHeads, 'total_sequence_length', headDim]);
    const inputs = [packed, '', '', ...past, 'seqlens_k', 'total_length', 'cos', 'sin'];
    return this.#graph.node('GroupQueryAttention', inputs, [`attended.${layer}`, ...present], {
      ...fused,
      attributes: { num_heads: heads, kv_num_heads: kvHeads, do_rotary: 1 },
    });
  }

  async #norm(weight: WeightName, input: string): Promise<string> {
    const scale = await this.#sink.vector(this.#graph, [weight], weight);
    return this.#graph.node('SimplifiedLayerNormalization', [input, scale], [`${weight}/out`], {
      attributes: { axis: -1, epsilon: { float: this.#shape.normEps }, stash_type: 1 },
    });
  }

  #product(
    at: `layers.${number}`,
    parts: ('q' | 'k' | 'v' | 'o' | 'gate' | 'up' | 'down')[],
    input: string,
  ): Promise<string> {
    const names = parts.map((part): WeightName => `${at}.${part}`);
    return this.#sink.linear(this.#graph, input, names, `${at}/${parts.join('')}`);
  }
}
