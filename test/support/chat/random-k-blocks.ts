/** Matrices of random bytes in the blocks that llama.cpp's Q4_K_M has: for measuring speed, which does not depend on their values. */
import { halfBits } from './random-weights.ts';

/** Weights of a block. */
const blockWeights = 256;

interface KFormat {
  type: number;
  blockBytes: number;
  /** Where halves lie, by what each is of a weight's usual size: numbers stay about as large as in trained weights. */
  halves: { at: number; factor: number }[];
}

const q4_k: KFormat = {
  ...{ type: 12, blockBytes: 144 },
  // A scale and the least value of a group: random, of 6 bits each; codes of 4 bits.
  halves: [
    { at: 0, factor: 1 / 147 },
    { at: 2, factor: 7.5 / 147 },
  ],
};
const q6_k: KFormat = { type: 14, blockBytes: 210, halves: [{ at: 208, factor: 1 / 1340 }] };

/** llama.cpp gives the head, and values and the way down in half of the layers, six bits. */
function formatOf(name: string, layers: number): KFormat {
  const [, place, part] = /^blk\.(\d+)\.(\w+)$/.exec(name) ?? [];
  if (name === 'output') return q6_k;
  if (part !== 'attn_v' && part !== 'ffn_down') return q4_k;
  const layer = Number(place);
  const eighth = Math.floor(layers / 8);
  const isFine = layer < eighth || layer >= Math.floor((7 * layers) / 8) || (layer - eighth) % 3 === 2;
  return isFine ? q6_k : q4_k;
}

/** @throws RangeError where rows are not made of whole blocks */
export function randomKBlocks(
  name: string,
  { cols, rows }: { cols: number; rows: number },
  layers: number,
): { bytes: Buffer; type: number } {
  if (cols % blockWeights !== 0) throw new RangeError(`${name}: ${cols} columns are no whole blocks of Q4_K`);
  const { blockBytes, halves, type } = formatOf(name, layers);
  const bytes = Buffer.alloc(((rows * cols) / blockWeights) * blockBytes);
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4));
  let state = 1;
  for (let at = 0; at < words.length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[at] = state;
  }
  for (let block = 0; block < bytes.length; block += blockBytes)
    for (const { at, factor } of halves) bytes.writeUInt16LE(halfBits(factor * cols ** -0.5), block + at);
  return { bytes, type };
}
