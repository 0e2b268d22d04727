/** Shape and weights of a GGUF decoder, under the names the graph builder asks by. */
import type {
  LayerShape,
  LayerWeight,
  ModelShape,
  Rope,
  RopeScaling,
  Weight,
  WeightName,
  WeightSource,
} from '../graph/model-shape.ts';
import type { GgufFile, GgufTensor } from './gguf-file.ts';

interface Family {
  headNorms?: boolean;
  gemma?: boolean;
  /** Rows of q and k lie in the interleaved order of llama.cpp's rotary kernel. */
  interleaved?: boolean;
  /** Window layers, where the file names a window: all, or by this rule. */
  slides?: (layer: number) => boolean;
}

const families: Record<string, Family> = {
  llama: { interleaved: true },
  qwen2: {},
  qwen3: { headNorms: true },
  phi3: {},
  gemma2: { gemma: true, slides: (layer) => layer % 2 === 0 },
  gemma3: { gemma: true, headNorms: true, slides: (layer) => (layer + 1) % 6 !== 0 },
};

/** @throws Error naming the architecture or the field that is missing */
export async function shapeFromGguf(file: GgufFile): Promise<ModelShape> {
  const architecture = String(file.metadata['general.architecture'] ?? 'unknown');
  const family = families[architecture];
  if (!family) {
    throw new Error(
      `the architecture ${architecture} is not supported (${Object.keys(families).join(', ')} are)`,
    );
  }
  const field = (name: string): unknown => file.metadata[`${architecture}.${name}`];
  const number = (name: string, otherwise?: number): number => {
    const value = Number(field(name) ?? otherwise);
    if (!Number.isFinite(value) || value <= 0)
      throw new Error(`the GGUF metadata lacks ${architecture}.${name}`);
    return value;
  };
  const hidden = number('embedding_length');
  const heads = number('attention.head_count');
  const headDim = number('attention.key_length', hidden / heads);
  const embedding = file.tensors.get('token_embd.weight');
  if (!embedding) throw new Error('the GGUF file lacks token_embd.weight');
  const shape = {
    architecture,
    vocab: embedding.rows,
    hidden,
    heads,
    kvHeads: number('attention.head_count_kv', heads),
    headDim,
    ffn: number('feed_forward_length'),
    context: number('context_length'),
    normEps: number('attention.layer_norm_rms_epsilon'),
    normOffset: 0, // llama.cpp's converter has added Gemma's 1 already
    tiedHead: !file.tensors.has('output.weight'),
    headNorms: family.headNorms ?? false,
    postNorms: family.gemma ?? false,
    activation: family.gemma ? ('gelu_tanh' as const) : ('silu' as const),
    embeddingScale: family.gemma ? Math.sqrt(hidden) : 1,
    attentionScale: headDim ** -0.5,
    attentionSoftcap: (field('attn_logit_softcapping') as number | undefined) ?? null,
    logitSoftcap: (field('final_logit_softcapping') as number | undefined) ?? null,
  };
  return {
    ...shape,
    layers: await layersOf(file, family, { field, number, headDim, context: shape.context }),
  };
}

interface Fields {
  field: (name: string) => unknown;
  number: (name: string, otherwise?: number) => number;
  headDim: number;
  context: number;
}

/** Four times what the deepest model has; a damaged count would be billions. */
const mostLayers = 1024;

async function layersOf(file: GgufFile, family: Family, fields: Fields): Promise<LayerShape[]> {
  const { field, number, headDim } = fields;
  const scaling = await scalingOf(file, fields);
  const rope: Rope = {
    theta: number('rope.freq_base', 10_000),
    dims: number('rope.dimension_count', headDim),
    scaling,
  };
  const local: Rope = { ...rope, theta: 10_000, scaling: null };
  const window = Number(field('attention.sliding_window') ?? 0);
  const slides = slidesBy(field('attention.sliding_window_pattern')) ?? family.slides ?? (() => true);
  const count = number('block_count');
  if (!Number.isInteger(count) || count < 1 || count > mostLayers)
    throw new Error(`the GGUF metadata's block_count must be a whole number from 1 to ${mostLayers}`);
  return Array.from({ length: count }, (_, layer) => {
    const isLocal = window > 0 && slides(layer);
    return { window: isLocal ? window : null, rope: isLocal && family.headNorms ? local : rope };
  });
}

/** A period whose last layer sees everything, or one flag a layer; null where the file does not say. */
function slidesBy(pattern: unknown): ((layer: number) => boolean) | null {
  if (typeof pattern === 'number' && pattern > 0) return (layer) => (layer + 1) % pattern !== 0;
  return Array.isArray(pattern) ? (layer) => pattern[layer] === true : null;
}

/** Factors that lie in the file as a tensor (Llama 3.1, Phi-3), else linear or YaRN scaling of the metadata. */
async function scalingOf(file: GgufFile, { field, context }: Fields): Promise<RopeScaling | null> {
  const original = Number(field('rope.scaling.original_context_length') ?? context);
  const names = [
    'rope_freqs.weight',
    context > original ? 'rope_factors_long.weight' : 'rope_factors_short.weight',
  ];
  const tensor = names.map((name) => file.tensors.get(name)).find((each) => each !== undefined);
  if (tensor) {
    const factors = [...(await file.readFloats(tensor, 0, tensor.rows))];
    return { kind: 'longrope', factors, attentionFactor: Number(field('rope.scaling.attn_factor') ?? 1) };
  }
  const factor = Number(field('rope.scaling.factor') ?? 1);
  switch (field('rope.scaling.type')) {
    case 'linear':
      return { kind: 'linear', factor };
    case 'yarn':
      return {
        kind: 'yarn',
        factor,
        originalContext: original,
        betaFast: 32,
        betaSlow: 1,
        attentionFactor: null,
      };
    default:
      return null;
  }
}

const layerTensors: Record<LayerWeight, string> = {
  attention_norm: 'attn_norm.weight',
  q: 'attn_q.weight',
  k: 'attn_k.weight',
  v: 'attn_v.weight',
  o: 'attn_output.weight',
  q_bias: 'attn_q.bias',
  k_bias: 'attn_k.bias',
  v_bias: 'attn_v.bias',
  o_bias: 'attn_output.bias',
  q_norm: 'attn_q_norm.weight',
  k_norm: 'attn_k_norm.weight',
  post_attention_norm: 'post_attention_norm.weight',
  ffn_norm: 'ffn_norm.weight',
  gate: 'ffn_gate.weight',
  up: 'ffn_up.weight',
  down: 'ffn_down.weight',
  post_ffn_norm: 'post_ffw_norm.weight',
};

interface Place {
  tensor: GgufTensor;
  first: number;
  rows: number;
}

/** @throws Error naming a weight that the file lacks, when it is read */
export function ggufWeights(file: GgufFile, shape: ModelShape): WeightSource {
  const interleaved = families[shape.architecture]?.interleaved ?? false;
  const find = (name: WeightName): Place | null => {
    if (name === 'embedding') return whole(file.tensors.get('token_embd.weight'));
    if (name === 'final_norm') return whole(file.tensors.get('output_norm.weight'));
    if (name === 'head') return whole(file.tensors.get('output.weight'));
    const [, layer, part] = name.split('.') as [string, string, LayerWeight];
    return (
      fusedPlace(file, `blk.${layer}.`, part, shape) ??
      whole(file.tensors.get(`blk.${layer}.${layerTensors[part]}`))
    );
  };
  return {
    has: (name) => find(name) !== null,
    get(name) {
      const place = find(name);
      if (!place) throw new Error(`the GGUF file lacks the weight ${name}`);
      const isTurned = interleaved && /\.(q|k)(_bias)?$/.test(name);
      return isTurned ? halfSplit(file, place, shape.headDim) : toWeight(file, place);
    },
    close: () => file.close(),
  };
}

const whole = (tensor: GgufTensor | undefined): Place | null =>
  tensor ? { tensor, first: 0, rows: tensor.rows } : null;

/** Phi-3: q, k and v in one matrix; gate above up in `ffn_up`. */
function fusedPlace(file: GgufFile, prefix: string, part: LayerWeight, shape: ModelShape): Place | null {
  const queries = shape.heads * shape.headDim;
  const keys = shape.kvHeads * shape.headDim;
  const qkv = file.tensors.get(`${prefix}attn_qkv.weight`);
  const gateUp = file.tensors.has(`${prefix}ffn_gate.weight`)
    ? undefined
    : file.tensors.get(`${prefix}ffn_up.weight`);
  if (qkv && part === 'q') return { tensor: qkv, first: 0, rows: queries };
  if (qkv && part === 'k') return { tensor: qkv, first: queries, rows: keys };
  if (qkv && part === 'v') return { tensor: qkv, first: queries + keys, rows: keys };
  if (gateUp && part === 'gate') return { tensor: gateUp, first: 0, rows: shape.ffn };
  if (gateUp && part === 'up') return { tensor: gateUp, first: shape.ffn, rows: shape.ffn };
  return null;
}

function toWeight(file: GgufFile, { tensor, first, rows }: Place): Weight {
  const weight: Weight = {
    rows,
    cols: tensor.cols,
    read: (from, count) => file.readFloats(tensor, first + from, count),
  };
  if (tensor.format.name === 'Q4_0')
    weight.readQ4_0 = (from, count) => file.readRows(tensor, first + from, count);
  return weight;
}

/** Rows 2i and 2i+1 of a head in the file are rows i and i + headDim/2 here (llama.cpp's `permute`, undone). */
function halfSplit(file: GgufFile, place: Place, headDim: number): Weight {
  const plain = toWeight(file, place);
  const isVector = place.tensor.rows === 1;
  const width = isVector ? 1 : plain.cols;
  const total = isVector ? plain.cols : plain.rows;
  const gather = <T extends Float32Array | Uint8Array>(
    all: T,
    first: number,
    count: number,
    bytes: number,
  ): T => {
    const out = all.slice(0, count * bytes) as T;
    for (let index = 0; index < count; index += 1) {
      const row = first + index;
      const within = row % headDim;
      const source = row - within + (within < headDim / 2 ? 2 * within : 2 * (within - headDim / 2) + 1);
      out.set(all.subarray(source * bytes, (source + 1) * bytes), index * bytes);
    }
    return out;
  };
  const { readQ4_0 } = plain;
  return {
    rows: plain.rows,
    cols: plain.cols,
    // Whole matrices only: these are the two smallest of a layer, and a head's rows lie scattered.
    read: async (first, count) =>
      isVector
        ? gather(await plain.read(0, 1), 0, total, 1)
        : gather(await plain.read(0, total), first, count, width),
    ...(readQ4_0
      ? {
          readQ4_0: async (first, count) => gather(await readQ4_0(0, total), first, count, (width / 32) * 18),
        }
      : {}),
  };
}
