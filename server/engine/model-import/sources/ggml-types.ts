/** Block formats of GGUF tensors, to float32. Layouts as in ggml's ggml-common.h and dequantize_row_* of ggml-quants.c (MIT). */
import { decodeHalf, fromBfloat16, fromFloat16 } from '../../onnx/float16.ts';

export interface BlockFormat {
  name: string;
  /** Weights of one block, and the bytes they take. */
  weights: number;
  bytes: number;
  /** Writes one block's weights to `out` from `at`. */
  decode(block: Buffer, from: number, out: Float32Array, at: number): void;
}

const half = (block: Buffer, at: number): number => decodeHalf(block.readUInt16LE(at));

const q4_0: BlockFormat = {
  name: 'Q4_0',
  weights: 32,
  bytes: 18,
  decode(block, from, out, at) {
    const scale = half(block, from);
    for (let index = 0; index < 16; index += 1) {
      const pair = block[from + 2 + index]!;
      out[at + index] = ((pair & 15) - 8) * scale;
      out[at + 16 + index] = ((pair >> 4) - 8) * scale;
    }
  },
};

const q4_1: BlockFormat = {
  name: 'Q4_1',
  weights: 32,
  bytes: 20,
  decode(block, from, out, at) {
    const scale = half(block, from);
    const least = half(block, from + 2);
    for (let index = 0; index < 16; index += 1) {
      const pair = block[from + 4 + index]!;
      out[at + index] = (pair & 15) * scale + least;
      out[at + 16 + index] = (pair >> 4) * scale + least;
    }
  },
};

/** Q5_0 and Q5_1 differ in the zero point: 16, or a minimum of its own. */
function q5(name: string, hasMinimum: boolean): BlockFormat {
  const header = hasMinimum ? 4 : 2;
  return {
    name,
    weights: 32,
    bytes: header + 20,
    decode(block, from, out, at) {
      const scale = half(block, from);
      const least = hasMinimum ? half(block, from + 2) : -16 * scale;
      const high = block.readUInt32LE(from + header);
      for (let index = 0; index < 16; index += 1) {
        const pair = block[from + header + 4 + index]!;
        out[at + index] = ((pair & 15) | (((high >>> index) & 1) << 4)) * scale + least;
        out[at + 16 + index] = ((pair >> 4) | (((high >>> (index + 16)) & 1) << 4)) * scale + least;
      }
    },
  };
}

const q8_0: BlockFormat = {
  name: 'Q8_0',
  weights: 32,
  bytes: 34,
  decode(block, from, out, at) {
    const scale = half(block, from);
    for (let index = 0; index < 32; index += 1) out[at + index] = block.readInt8(from + 2 + index) * scale;
  },
};

/** Six-bit scale and minimum of group `index` out of the twelve bytes at `at`. */
function scaleAndMinimum(block: Buffer, at: number, index: number): [scale: number, minimum: number] {
  const byte = (offset: number) => block[at + offset]!;
  if (index < 4) return [byte(index) & 63, byte(index + 4) & 63];
  return [
    (byte(index + 4) & 15) | ((byte(index - 4) >> 6) << 4),
    (byte(index + 4) >> 4) | ((byte(index) >> 6) << 4),
  ];
}

/** Q4_K and Q5_K: eight groups of 32; the fifth bits lie apart. */
function kGroups(name: string, hasFifthBit: boolean): BlockFormat {
  const quantsAt = hasFifthBit ? 48 : 16;
  return {
    name,
    weights: 256,
    bytes: quantsAt + 128,
    decode(block, from, out, at) {
      const scale = half(block, from);
      const minimum = half(block, from + 2);
      for (let group = 0; group < 8; group += 1) {
        const [groupScale, groupMinimum] = scaleAndMinimum(block, from + 4, group);
        const quants = from + quantsAt + (group >> 1) * 32;
        const shift = (group & 1) * 4;
        for (let index = 0; index < 32; index += 1) {
          const fifth = hasFifthBit ? ((block[from + 16 + index]! >> group) & 1) << 4 : 0;
          const quant = ((block[quants + index]! >> shift) & 15) | fifth;
          out[at + group * 32 + index] = scale * groupScale * quant - minimum * groupMinimum;
        }
      }
    },
  };
}

const q6_k: BlockFormat = {
  name: 'Q6_K',
  weights: 256,
  bytes: 210,
  decode(block, from, out, at) {
    const scale = half(block, from + 208);
    for (let index = 0; index < 256; index += 1) {
      const part = index >> 7;
      const within = index & 127;
      const quarter = within >> 5;
      const low = block[from + part * 64 + (quarter & 1) * 32 + (within & 31)]! >> ((quarter >> 1) * 4);
      const high = block[from + 128 + part * 32 + (within & 31)]! >> (quarter * 2);
      const quant = ((low & 15) | ((high & 3) << 4)) - 32;
      out[at + index] = scale * block.readInt8(from + 192 + (index >> 4)) * quant;
    }
  },
};

/** Plain numbers are blocks of one. */
const f32: BlockFormat = {
  name: 'F32',
  weights: 1,
  bytes: 4,
  decode(block, from, out, at) {
    out[at] = block.readFloatLE(from);
  },
};
const f16: BlockFormat = {
  name: 'F16',
  weights: 1,
  bytes: 2,
  decode(block, from, out, at) {
    out[at] = half(block, from);
  },
};
const bf16: BlockFormat = {
  name: 'BF16',
  weights: 1,
  bytes: 2,
  decode: (block, from, out, at) => out.set(fromBfloat16(Uint16Array.of(block.readUInt16LE(from))), at),
};

/** By the number a GGUF file uses. */
export const blockFormats: Record<number, BlockFormat> = {
  0: f32,
  1: f16,
  2: q4_0,
  3: q4_1,
  6: q5('Q5_0', false),
  7: q5('Q5_1', true),
  8: q8_0,
  12: kGroups('Q4_K', false),
  13: kGroups('Q5_K', true),
  14: q6_k,
  30: bf16,
};

/** All blocks of `bytes`, in order. */
export function decodeBlocks(format: BlockFormat, bytes: Buffer): Float32Array {
  if (format === f32)
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  if (format === f16 || format === bf16) {
    const halves = new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    return format === f16 ? fromFloat16(halves) : fromBfloat16(halves);
  }
  const blocks = bytes.length / format.bytes;
  const out = new Float32Array(blocks * format.weights);
  for (let block = 0; block < blocks; block += 1)
    format.decode(bytes, block * format.bytes, out, block * format.weights);
  return out;
}
