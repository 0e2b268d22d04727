/** Weights as llama.cpp would write them in Q4_0: blocks of 32, a half-precision scale, the largest value exactly −8. */
import type { WeightName, WeightSource } from '../../../server/engine/model-import/graph/model-shape.ts';
import { halfBits } from '../../support/chat/random-weights.ts';

const block = 32;
const blockBytes = 18;

/** `source` with a reading of its matrices as Q4_0 blocks (ggml's quantize_row_q4_0). */
export const withQ4_0 = (source: WeightSource): WeightSource => ({
  has: (name) => source.has(name),
  close: () => source.close(),
  get(name: WeightName) {
    const weight = source.get(name);
    return {
      ...weight,
      read: (first, count) => weight.read(first, count),
      readQ4_0: async (first, count) => toQ4_0(await weight.read(first, count)),
    };
  },
});

function toQ4_0(values: Float32Array): Uint8Array {
  const blocks = values.length / block;
  const bytes = new Uint8Array(blocks * blockBytes);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < blocks; at += 1) {
    const part = values.subarray(at * block, (at + 1) * block);
    const extreme = part.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
    const scale = extreme / -8;
    const inverse = scale === 0 ? 0 : 1 / scale;
    const code = (value: number) => Math.max(0, Math.min(15, Math.trunc(value * inverse + 8.5)));
    view.setUint16(at * blockBytes, halfBits(scale), true);
    for (let pair = 0; pair < 16; pair += 1)
      bytes[at * blockBytes + 2 + pair] = code(part[pair]!) | (code(part[pair + 16]!) << 4);
  }
  return bytes;
}
