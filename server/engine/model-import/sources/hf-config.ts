/** config.json of a Hugging Face decoder → ModelShape. Reads the fields of transformers' configuration classes. */
import type { Activation, LayerShape, ModelShape, Rope, RopeScaling } from '../graph/model-shape.ts';

type Json = Record<string, unknown>;

const families = {
  llama: {},
  mistral: {},
  qwen2: {},
  qwen3: { headNorms: true },
  phi3: {},
  gemma2: { gemma: true },
  gemma3_text: { gemma: true, headNorms: true },
} as const;
type Family = { headNorms?: boolean; gemma?: boolean };

export const supportedArchitectures = Object.keys(families);

/** @throws Error naming the architecture or the field that is missing or out of range */
export function shapeFromConfig(whole: Json): ModelShape {
  const config = textConfig(whole);
  const architecture = String(config.model_type ?? 'unknown');
  const family: Family | undefined = families[architecture as keyof typeof families];
  if (!family) {
    throw new Error(
      `the architecture ${architecture} is not supported (${supportedArchitectures.join(', ')} are)`,
    );
  }
  const number = reader(config);
  const hidden = number('hidden_size');
  const heads = number('num_attention_heads');
  const headDim = number('head_dim', hidden / heads);
  const context = number('max_position_embeddings');
  const shape: Omit<ModelShape, 'layers'> = {
    architecture,
    vocab: number('vocab_size'),
    hidden,
    heads,
    kvHeads: number('num_key_value_heads', heads),
    headDim,
    ffn: number('intermediate_size'),
    context,
    normEps: Number(config.rms_norm_eps ?? 1e-6),
    normOffset: family.gemma ? 1 : 0,
    tiedHead: Boolean(config.tie_word_embeddings ?? family.gemma ?? false),
    headNorms: family.headNorms ?? false,
    postNorms: family.gemma ?? false,
    activation: activationOf(config),
    embeddingScale: family.gemma ? Math.sqrt(hidden) : 1,
    attentionScale: Number(config.query_pre_attn_scalar ?? headDim) ** -0.5,
    attentionSoftcap: optional(config.attn_logit_softcapping),
    logitSoftcap: optional(config.final_logit_softcapping),
  };
  return {
    ...shape,
    layers: layersOf(config, architecture, { headDim, context, count: number('num_hidden_layers') }),
  };
}

/** Multimodal checkpoints keep the decoder's settings one level down. */
const textConfig = (config: Json): Json =>
  typeof config.text_config === 'object' && config.text_config !== null
    ? (config.text_config as Json)
    : config;

const limits: Record<string, number> = {
  hidden_size: 65_536,
  num_attention_heads: 1024,
  num_key_value_heads: 1024,
  head_dim: 1024,
  intermediate_size: 524_288,
  vocab_size: 2_097_152,
  max_position_embeddings: 16_777_216,
  num_hidden_layers: 512,
};

function reader(config: Json): (name: string, otherwise?: number) => number {
  return (name, otherwise) => {
    const value = Number(config[name] ?? otherwise);
    if (!Number.isInteger(value) || value < 1 || value > limits[name]!) {
      throw new Error(`config.json: ${name} must be a whole number from 1 to ${limits[name]}`);
    }
    return value;
  };
}

const optional = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);

function activationOf(config: Json): Activation {
  const name = String(config.hidden_activation ?? config.hidden_act ?? 'silu');
  if (name === 'silu' || name === 'swish') return 'silu';
  if (name === 'gelu_pytorch_tanh' || name === 'gelu_new' || name === 'gelu') return 'gelu_tanh';
  throw new Error(`config.json: the activation ${name} is not supported`);
}

interface LayerFacts {
  headDim: number;
  context: number;
  count: number;
}

function layersOf(config: Json, architecture: string, facts: LayerFacts): LayerShape[] {
  const parameters = (config.rope_parameters ?? {}) as Json;
  const theta = Number(config.rope_theta ?? parameters.rope_theta ?? 10_000);
  const dims =
    2 *
    Math.floor(
      (facts.headDim * Number(config.partial_rotary_factor ?? parameters.partial_rotary_factor ?? 1)) / 2,
    );
  const global: Rope = { theta, dims, scaling: scalingOf(config, { context: facts.context, dims }) };
  const local: Rope = { ...global, theta: Number(config.rope_local_base_freq ?? theta), scaling: null };
  const window = optional(config.sliding_window);
  const types = Array.isArray(config.layer_types) ? (config.layer_types as string[]) : null;
  return Array.from({ length: facts.count }, (_, index) => {
    const slides = window !== null && layerSlides(config, architecture, { index, types });
    return {
      window: slides ? window : null,
      rope: slides && architecture === 'gemma3_text' ? local : global,
    };
  });
}

/** Layers that see a window only: all for Mistral, alternate ones for Gemma 2, five of six for Gemma 3. */
function layerSlides(
  config: Json,
  architecture: string,
  at: { index: number; types: string[] | null },
): boolean {
  if (at.types) return at.types[at.index] === 'sliding_attention';
  switch (architecture) {
    case 'mistral':
    case 'phi3':
      return true;
    case 'gemma2':
      return at.index % 2 === 0;
    case 'gemma3_text':
      return (at.index + 1) % Number(config.sliding_window_pattern ?? 6) !== 0;
    default:
      return config.use_sliding_window === true && at.index >= Number(config.max_window_layers ?? 0);
  }
}

function scalingOf(config: Json, { context, dims }: { context: number; dims: number }): RopeScaling | null {
  const scaling = (config.rope_scaling ?? config.rope_parameters ?? null) as Json | null;
  const kind = String(scaling?.rope_type ?? scaling?.type ?? 'default');
  if (!scaling || kind === 'default') return null;
  const factor = Number(scaling.factor ?? 1);
  const original = Number(
    scaling.original_max_position_embeddings ?? config.original_max_position_embeddings ?? context,
  );
  switch (kind) {
    case 'linear':
      return { kind: 'linear', factor };
    case 'llama3':
      return {
        kind: 'llama3',
        factor,
        lowFreqFactor: Number(scaling.low_freq_factor ?? 1),
        highFreqFactor: Number(scaling.high_freq_factor ?? 4),
        originalContext: original,
      };
    case 'yarn':
      return {
        kind: 'yarn',
        factor,
        originalContext: original,
        betaFast: Number(scaling.beta_fast ?? 32),
        betaSlow: Number(scaling.beta_slow ?? 1),
        attentionFactor: optional(scaling.attention_factor),
      };
    case 'longrope':
    case 'su':
      return longrope(scaling, { context, original, dims });
    default:
      throw new Error(`config.json: rope_scaling of the type ${kind} is not supported`);
  }
}

/** The long factors where the context goes beyond the original one; one table serves all lengths. */
function longrope(scaling: Json, at: { context: number; original: number; dims: number }): RopeScaling {
  const isLong = at.context > at.original;
  const factors = (isLong ? scaling.long_factor : scaling.short_factor) as unknown;
  if (!Array.isArray(factors) || factors.length !== at.dims / 2) {
    throw new Error('config.json: rope_scaling has no factor for every frequency');
  }
  const stretch = at.context / at.original;
  const attentionFactor = stretch <= 1 ? 1 : Math.sqrt(1 + Math.log(stretch) / Math.log(at.original));
  return {
    kind: 'longrope',
    factors: factors.map(Number),
    attentionFactor: optional(scaling.attention_factor) ?? attentionFactor,
  };
}
