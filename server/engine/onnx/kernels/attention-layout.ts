/**
 * Shapes of attention, and how what it works on lies in memory.
 *
 * Keys and values are halves. A head's values lie position after position; its keys in blocks of 64 positions, and within a
 * block number after number, each for all positions: 16 positions fill a register, and their products with a query need
 * no adding up across lanes. A block of either takes the same bytes, so positions are copied by whole blocks.
 */
import { floatBits } from './assembler.ts';

export interface AttentionShape {
  heads: number;
  /** Heads of keys and values; each serves as many of the others. */
  kvHeads: number;
  /** Numbers of a head, a multiple of 16. */
  headDim: number;
  /** Queries, keys and values of a token side by side in one tensor. */
  packed: boolean;
  /** Numbers of a head that positions turn, the first and the second half of them in pairs, and positions of the tables. */
  rotaryDims: number;
  rotaryRows: number;
  /** Of products of queries and keys. */
  scale: number;
  /** Newest positions that a token sees; 0: all. */
  window: number;
}

export const attentionName = (shape: AttentionShape): string => {
  const { headDim, heads, kvHeads, packed, rotaryDims, rotaryRows, scale, window } = shape;
  const sizes = [heads, kvHeads, headDim, rotaryDims, rotaryRows, floatBits(scale), window];
  return `Attention${packed ? 'Packed' : ''}_${sizes.join('_')}`;
};

/** Positions whose keys lie together. */
export const keyBlock = 64;
/** Positions of one piece of work: sums go over a piece, then over pieces, whatever threads there are. */
export const pieceKeys = 512;
/** New tokens of one piece of work. */
export const pieceTokens = 16;
/** Numbers from the scores of one query to the next one's; a store may reach over the end of a piece. */
export const scoreRow = pieceKeys + 16;

/** Fields of what a run works on, in bytes from its start. */
export const attentionTask = {
  query: 0,
  key: 8,
  value: 16,
  keys: 24,
  values: 32,
  seqlens: 40,
  total: 48,
  cosines: 56,
  sines: 64,
  y: 72,
  /** Memory of the run: queries turned and scaled, then what pieces gave. */
  memory: 80,
  queries: 88,
  partials: 96,
  rows: 104,
  /** New tokens of a row. */
  tokens: 112,
  /** Positions of a row of the cache. */
  positions: 120,
  pieces: 128,
  tokenBlocks: 136,
  /** 1: nothing was there before, whatever rows say of their lengths. */
  first: 144,
  presentKeys: 152,
  presentValues: 160,
  size: 168,
};

/** Numbers of what a piece gives for a query: the weighted values, their largest score, the sum of their weights, its own weight. */
export const partialOf = ({ headDim }: AttentionShape) => ({
  row: headDim + 16,
  most: headDim,
  sum: headDim + 1,
  weight: headDim + 2,
});

/** The operator's inputs, as ONNX numbers their types, and the fields they fill. */
export function attentionInputs({ packed, rotaryDims }: AttentionShape): { field: number; type: number }[] {
  const [float32, int32, float16] = [1, 6, 10];
  const { cosines, key, keys, query, seqlens, sines, total, value, values } = attentionTask;
  return [
    { field: query, type: float32 },
    ...(packed ? [] : [key, value].map((field) => ({ field, type: float32 }))),
    ...[keys, values].map((field) => ({ field, type: float16 })),
    ...[seqlens, total].map((field) => ({ field, type: int32 })),
    ...(rotaryDims > 0 ? [cosines, sines].map((field) => ({ field, type: float32 })) : []),
  ];
}
