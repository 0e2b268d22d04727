/** Decoders of any size with random Q4_0 weights, made while they are read: what benches run on. */
import type {
  ModelShape,
  Weight,
  WeightName,
  WeightSource,
} from '../../../server/engine/model-import/graph/model-shape.ts';
import { random } from './tiny-decoder.ts';

export interface LlamaSize {
  hidden: number;
  layers: number;
  heads: number;
  kvHeads: number;
  ffn: number;
  vocab: number;
  context: number;
}

export const llama1b: LlamaSize = {
  hidden: 2048,
  layers: 16,
  heads: 32,
  kvHeads: 8,
  ffn: 8192,
  vocab: 32_000,
  context: 8192,
};
export const llama7b: LlamaSize = {
  hidden: 4096,
  layers: 32,
  heads: 32,
  kvHeads: 8,
  ffn: 14_336,
  vocab: 32_000,
  context: 8192,
};
export const llama135m: LlamaSize = {
  hidden: 576,
  layers: 30,
  heads: 9,
  kvHeads: 3,
  ffn: 1536,
  vocab: 32_000,
  context: 8192,
};

export function llamaShape({ context, ffn, heads, hidden, kvHeads, layers, vocab }: LlamaSize): ModelShape {
  const headDim = hidden / heads;
  const rope = { theta: 500_000, dims: headDim, scaling: null };
  return {
    architecture: 'llama',
    ...{ vocab, hidden, heads, kvHeads, headDim, ffn, context },
    normEps: 1e-5,
    normOffset: 0,
    tiedHead: false,
    headNorms: false,
    postNorms: false,
    activation: 'silu',
    embeddingScale: 1,
    attentionScale: headDim ** -0.5,
    attentionSoftcap: null,
    logitSoftcap: null,
    layers: Array.from({ length: layers }, () => ({ window: null, rope })),
  };
}

/** Bytes of a Q4_0 block: a half-precision scale and 32 codes. */
const blockBytes = 18;

/** Weights of a Llama; the same for the same shape. */
export function randomWeights(shape: ModelShape): WeightSource {
  const sizes = sizesOf(shape);
  return {
    has: (name) => sizes.has(lastPart(name)),
    get(name) {
      const size = sizes.get(lastPart(name));
      if (!size) throw new Error(`there is no weight ${name}`);
      return size.rows === 1 ? normOf(size.cols) : matrixOf(name, size);
    },
    close: async () => {},
  };
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

function sizesOf({ ffn, headDim, heads, hidden, kvHeads, vocab }: ModelShape) {
  const matrix = (rows: number, cols: number) => ({ rows, cols });
  return new Map([
    ['embedding', matrix(vocab, hidden)],
    ['head', matrix(vocab, hidden)],
    ['final_norm', matrix(1, hidden)],
    ['attention_norm', matrix(1, hidden)],
    ['ffn_norm', matrix(1, hidden)],
    ['q', matrix(heads * headDim, hidden)],
    ['k', matrix(kvHeads * headDim, hidden)],
    ['v', matrix(kvHeads * headDim, hidden)],
    ['o', matrix(hidden, heads * headDim)],
    ['gate', matrix(ffn, hidden)],
    ['up', matrix(ffn, hidden)],
    ['down', matrix(hidden, ffn)],
  ]);
}

const normOf = (cols: number): Weight => ({
  rows: 1,
  cols,
  read: async () => new Float32Array(cols).fill(1),
});

/** Codes near the middle more often, as in trained weights; rows follow from the weight's name and their place. */
function matrixOf(name: WeightName, { cols, rows }: { cols: number; rows: number }): Weight {
  const blocks = cols / 32;
  // 1/√cols over the spread of the codes, as a half: exponent and mantissa by Math.f16round.
  const scale = halfBits((name === 'embedding' ? 1 : cols ** -0.5) / 2.7);
  async function readQ4_0(first: number, count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count * blocks * blockBytes);
    const view = new DataView(bytes.buffer);
    for (let row = 0; row < count; row += 1) {
      let state = seedOf(name, first + row);
      for (let block = 0; block < blocks; block += 1) {
        const at = (row * blocks + block) * blockBytes;
        view.setUint16(at, scale, true);
        for (let byte = 2; byte < blockBytes; byte += 1) {
          state = (Math.imul(state, 1664525) + 1013904223) | 0;
          bytes[at + byte] = commonCodes[state >>> 20]!;
        }
      }
    }
    return bytes;
  }
  return {
    rows,
    cols,
    readQ4_0,
    async read(first, count) {
      const packed = await readQ4_0(first, count);
      const values = new Float32Array(count * cols);
      const step = (name === 'embedding' ? 1 : cols ** -0.5) / 2.7;
      for (let block = 0; block < count * blocks; block += 1) {
        for (let at = 0; at < 16; at += 1) {
          const byte = packed[block * blockBytes + 2 + at]!;
          values[block * 32 + at] = ((byte & 15) - 8) * step;
          values[block * 32 + 16 + at] = ((byte >> 4) - 8) * step;
        }
      }
      return values;
    },
  };
}

/** Two normally distributed codes a byte. */
const commonCodes = ((): Uint8Array => {
  const next = random(7);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const code = () => Math.min(15, Math.max(0, Math.round(normal() * 2.7) + 8));
  return Uint8Array.from({ length: 4096 }, () => code() | (code() << 4));
})();

function seedOf(name: string, row: number): number {
  let hash = row;
  for (const character of name) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619);
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
}

export function halfBits(value: number): number {
  const view = new DataView(new ArrayBuffer(2));
  view.setFloat16(0, value);
  return view.getUint16(0);
}
