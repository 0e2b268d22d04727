/** Shapes that tiles serve, and how what they work on lies in memory. */
import { layoutOf, type MatMulShape } from './matmul-layout.ts';

/** Rows of x, and outputs, that one tile holds. */
export const tileRows = 16;
/** Outputs of a piece of work: two tiles of codes. */
export const tileOutputs = 32;
/** Numbers of a row that one tile holds; its bytes. */
export const tileNumbers = 64;
export const tileBytes = 1024;

/** Whole tiles of each block, and no more than 4 bits: a difference of codes fits into a signed byte. */
export const servesTiles = ({ bits, block, outputs }: MatMulShape): boolean =>
  bits === 4 && block >= 2 * tileNumbers && outputs >= tileOutputs;

/**
 * Sixteen rows of x lie together: tile after tile, in each of fours of numbers those of all rows; then the scales, of each
 * block those of all rows; and of one row, which lies by itself, the sums of each block. The
 * numbers of 128 columns are first those of even places, then those of odd ones.
 */
export function tileLayout(shape: MatMulShape) {
  const { blocks } = layoutOf(shape);
  const numbers = blocks * shape.block;
  const scalesAt = numbers * tileRows;
  return {
    numbers,
    /** Tiles of a block. */
    tiles: shape.block / tileNumbers,
    scalesAt,
    sumsAt: scalesAt + blocks * tileRows * 4,
    /** Bytes of sixteen rows. */
    group: scalesAt + 2 * blocks * tileRows * 4,
  };
}

/** The configuration of all tiles: 16 rows of 64 bytes. */
export const tileConfiguration = (): number[] => {
  const bytes = new Uint8Array(64);
  bytes[0] = 1;
  for (let tile = 0; tile < 8; tile += 1) {
    bytes[16 + 2 * tile] = 64;
    bytes[48 + tile] = tileRows;
  }
  return [...new Int32Array(bytes.buffer)];
};
