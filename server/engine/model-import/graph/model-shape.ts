/** A decoder's shape, whatever file it came from. Everything the graph builder and the runner need, and no weights. */

export type Activation = 'silu' | 'gelu_tanh';

/** Stretching of positions beyond the training length (config.json `rope_scaling`). */
export type RopeScaling =
  | { kind: 'linear'; factor: number }
  | {
      /** Llama 3.1: low frequencies are stretched, high ones kept, a smooth band between. */
      kind: 'llama3';
      factor: number;
      lowFreqFactor: number;
      highFreqFactor: number;
      originalContext: number;
    }
  | {
      /** YaRN (arXiv:2309.00071). */
      kind: 'yarn';
      factor: number;
      originalContext: number;
      betaFast: number;
      betaSlow: number;
      attentionFactor: number | null;
    }
  /** LongRoPE (Phi-3): a factor for each frequency. */
  | { kind: 'longrope'; factors: number[]; attentionFactor: number };

export interface Rope {
  theta: number;
  /** Leading dimensions of each head that are turned; less than headDim for partial rotary. */
  dims: number;
  scaling: RopeScaling | null;
}

export interface LayerShape {
  /** Positions a token sees back, itself included; null: all. */
  window: number | null;
  rope: Rope;
}

export interface ModelShape {
  /** `model_type` of config.json or `general.architecture` of a GGUF file. */
  architecture: string;
  vocab: number;
  hidden: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  ffn: number;
  /** Positions the model was made for. */
  context: number;
  normEps: number;
  /** Added to every norm weight: 1 for Gemma, whose norms multiply by (1 + w). */
  normOffset: number;
  /** The embeddings are the head as well. */
  tiedHead: boolean;
  /** Norms of each head's queries and keys before the rotary turn (Qwen3, Gemma 3). */
  headNorms: boolean;
  /** Norms after attention and after the feed-forward part too (Gemma 2 and 3). */
  postNorms: boolean;
  activation: Activation;
  /** Embeddings are multiplied by this: √hidden for Gemma. */
  embeddingScale: number;
  /** Factor of the scores; 1/√headDim mostly. */
  attentionScale: number;
  /** tanh-limits of Gemma 2; null: none. */
  attentionSoftcap: number | null;
  logitSoftcap: number | null;
  layers: LayerShape[];
}

/** Names of a layer's weights, the same for every source. Matrices are [out, in], row by row. */
export type LayerWeight =
  | 'attention_norm'
  | 'q'
  | 'k'
  | 'v'
  | 'o'
  | 'q_bias'
  | 'k_bias'
  | 'v_bias'
  | 'o_bias'
  | 'q_norm'
  | 'k_norm'
  | 'post_attention_norm'
  | 'ffn_norm'
  | 'gate'
  | 'up'
  | 'down'
  | 'post_ffn_norm';

export type WeightName = 'embedding' | 'final_norm' | 'head' | `layers.${number}.${LayerWeight}`;

/** A matrix (or a vector, as one row) that is read piece by piece: a model of any size passes through little memory. */
export interface Weight {
  rows: number;
  cols: number;
  /** `count` rows from `first`, as float32, row by row. */
  read(first: number, count: number): Promise<Float32Array>;
  /** Q4_0 blocks as they lie in the file (18 bytes for 32 weights), where that is what it holds. */
  readQ4_0?(first: number, count: number): Promise<Uint8Array>;
}

export interface WeightSource {
  has(name: WeightName): boolean;
  /** @throws Error naming the weight when it is absent or of the wrong shape */
  get(name: WeightName): Weight;
  close(): Promise<void>;
}
