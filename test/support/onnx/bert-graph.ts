import { createGraph, type Graph } from '../../../server/engine/onnx/graph/graph.ts';
import { randomNumbers, randomWeights } from './random.ts';

export interface BertShape {
  layers: number;
  hidden: number;
  heads: number;
  intermediate: number;
  vocabulary: number;
  positions: number;
}

export const tinyBert: BertShape = {
  layers: 2,
  hidden: 64,
  heads: 4,
  intermediate: 128,
  vocabulary: 600,
  positions: 64,
};

export const bertBase: BertShape = {
  layers: 12,
  hidden: 768,
  heads: 12,
  intermediate: 3072,
  vocabulary: 30_522,
  positions: 512,
};

/** Adds operators and random weights under running names. */
class BertBuilder {
  readonly graph: Graph;
  readonly #shape: BertShape;
  readonly #random: () => number;
  #count = 0;

  constructor(shape: BertShape, seed: number) {
    this.graph = createGraph('bert', { '': 17 });
    this.#shape = shape;
    this.#random = randomNumbers(seed);
  }

  op(operator: string, inputs: string[], attributes = {}): string {
    this.#count += 1;
    return this.graph.node(operator, inputs, [`v${this.#count}`], { attributes });
  }

  weight(dims: number[], deviation = 0.05): string {
    this.#count += 1;
    const count = dims.reduce((product, dim) => product * dim, 1);
    return this.graph.initializer(
      `w${this.#count}`,
      'float32',
      dims,
      randomWeights(this.#random, count, deviation),
    );
  }

  scalar(value: number): string {
    this.#count += 1;
    return this.graph.initializer(`c${this.#count}`, 'float32', [], Float32Array.of(value));
  }

  integers(values: number[]): string {
    this.#count += 1;
    const data = BigInt64Array.from(values, BigInt);
    return this.graph.initializer(`i${this.#count}`, 'int64', [values.length], data);
  }

  linear(input: string, from: number, to: number): string {
    return this.op('Add', [this.op('MatMul', [input, this.weight([from, to])]), this.weight([to])]);
  }

  layerNorm(input: string): string {
    const { hidden } = this.#shape;
    const scale = this.graph.initializer(
      `g${++this.#count}`,
      'float32',
      [hidden],
      new Float32Array(hidden).fill(1),
    );
    return this.op('LayerNormalization', [input, scale, this.weight([hidden])], { axis: -1 });
  }

  embeddings(): string {
    const { hidden, positions, vocabulary } = this.#shape;
    const words = this.op('Gather', [this.weight([vocabulary, hidden], 0.5), 'input_ids']);
    const types = this.op('Gather', [this.weight([2, hidden], 0.5), 'token_type_ids']);
    const length = this.op('Slice', [
      this.op('Shape', ['input_ids']),
      this.integers([1]),
      this.integers([2]),
    ]);
    const places = this.op('Slice', [
      this.weight([1, positions, hidden], 0.5),
      this.integers([0]),
      length,
      this.integers([1]),
    ]);
    return this.layerNorm(this.op('Add', [this.op('Add', [words, types]), places]));
  }

  /** 0 where a token is, a very negative number where padding is: `[B, 1, 1, L]`. */
  mask(): string {
    const wide = this.op('Unsqueeze', ['attention_mask', this.integers([1, 2])]);
    const real = this.op('Cast', [wide], { to: 1 });
    return this.op('Mul', [this.op('Sub', [this.scalar(1), real]), this.scalar(-1e9)]);
  }

  attention(input: string, mask: string): string {
    const { hidden, heads } = this.#shape;
    const split = this.integers([0, 0, heads, hidden / heads]);
    const head = (perm: number[]) =>
      this.op('Transpose', [this.op('Reshape', [this.linear(input, hidden, hidden), split])], { perm });
    const [query, key, value] = [head([0, 2, 1, 3]), head([0, 2, 3, 1]), head([0, 2, 1, 3])];
    const scores = this.op('Div', [this.op('MatMul', [query, key]), this.scalar(Math.sqrt(hidden / heads))]);
    const weights = this.op('Softmax', [this.op('Add', [scores, mask])], { axis: -1 });
    const mixed = this.op('Transpose', [this.op('MatMul', [weights, value])], { perm: [0, 2, 1, 3] });
    return this.linear(this.op('Reshape', [mixed, this.integers([0, 0, hidden])]), hidden, hidden);
  }

  feedForward(input: string): string {
    const { hidden, intermediate } = this.#shape;
    const wide = this.linear(input, hidden, intermediate);
    const erf = this.op('Erf', [this.op('Div', [wide, this.scalar(Math.SQRT2)])]);
    const gelu = this.op('Mul', [
      this.op('Mul', [wide, this.op('Add', [erf, this.scalar(1)])]),
      this.scalar(0.5),
    ]);
    return this.linear(gelu, intermediate, hidden);
  }

  layer(input: string, mask: string): string {
    const attended = this.layerNorm(this.op('Add', [this.attention(input, mask), input]));
    return this.layerNorm(this.op('Add', [this.feedForward(attended), attended]));
  }
}

/** Inputs and layers of a BERT; the name of its last states. */
function statesOf(builder: BertBuilder, shape: BertShape): string {
  for (const name of ['input_ids', 'attention_mask', 'token_type_ids']) {
    builder.graph.input(name, 'int64', ['batch_size', 'sequence_length']);
  }
  const mask = builder.mask();
  let states = builder.embeddings();
  for (let layer = 0; layer < shape.layers; layer++) states = builder.layer(states, mask);
  return states;
}

/** A BERT encoder of random weights, operator by operator as PyTorch's exporter writes one. */
export function bertModel(shape: BertShape, seed = 1): Uint8Array {
  const builder = new BertBuilder(shape, seed);
  const states = statesOf(builder, shape);
  builder.graph.node('Identity', [states], ['last_hidden_state']);
  builder.graph.output('last_hidden_state', 'float32', ['batch_size', 'sequence_length', shape.hidden]);
  return builder.graph.toModel();
}

/** The same with a pooler and a classifier on the first token, as BertForSequenceClassification. */
export function bertClassifier(shape: BertShape, labels = 1, seed = 1): Uint8Array {
  const builder = new BertBuilder(shape, seed);
  const states = statesOf(builder, shape);
  const first = builder.op('Reshape', [
    builder.op('Slice', [states, builder.integers([0]), builder.integers([1]), builder.integers([1])]),
    builder.integers([-1, shape.hidden]),
  ]);
  const pooled = builder.op('Tanh', [builder.linear(first, shape.hidden, shape.hidden)]);
  const weights = builder.weight([shape.hidden, labels], 1);
  builder.graph.node('MatMul', [pooled, weights], ['logits']);
  builder.graph.output('logits', 'float32', ['batch_size', labels]);
  return builder.graph.toModel();
}
