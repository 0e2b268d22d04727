/** The walk of a product over its rows and outputs, in the instructions that every processor has. */
import { type General, newLabel } from './assembler.ts';
import type { CallCode } from './calling-convention.ts';

export interface RowGroupRegisters {
  rowsLeft: General;
  /** Quantized rows, and rows of y. */
  rowsAt: General;
  yAt: General;
  /** Outputs of the piece: the first, the one at hand, and behind the last. */
  firstOutput: General;
  output: General;
  end: General;
  /** The first output of a tile. */
  tile: General;
}

interface RowGroup {
  /** Rows that pass together. */
  rows: number;
  /** Outputs of a tile. */
  width: number;
  /** Of the whole product. */
  outputs: number;
  /** Bytes of a quantized row. */
  row: number;
}

/**
 * Bytes ahead of what is being read, and the cache they go to. Few rows wait for memory alone, a tenth to a fifth less where the second
 * cache is filled; many rows need their codes in the first.
 */
export const prefetched = (rows: number): { ahead: number; cache: 1 | 2 } =>
  rows > 4 ? { ahead: 3072, cache: 1 } : { ahead: 6144, cache: 2 };

/** As long as there are that many rows: all outputs of the piece for them, a tile at a time. */
export function passRowGroup(
  code: CallCode,
  { end, firstOutput, output, rowsAt, rowsLeft, tile, yAt }: RowGroupRegisters,
  { outputs, row, rows, width }: RowGroup,
  emitTile: () => void,
): void {
  const [again, next, tiles] = [newLabel(), newLabel(), newLabel()];
  code.place(again);
  code.cmpConstant(rowsLeft, rows);
  code.j('l', next);
  code.mov(output, firstOutput);
  code.place(tiles);
  // The last tile reaches back rather than over the end: what it repeats comes out the same.
  code.movConstant(tile, outputs - width);
  code.cmp(output, tile);
  code.cmov('l', tile, output);
  emitTile();
  code.addConstant(output, width);
  code.cmp(output, end);
  code.j('l', tiles);
  code.addConstant(rowsAt, rows * row);
  code.addConstant(yAt, rows * outputs * 4);
  code.subConstant(rowsLeft, rows);
  code.jmp(again);
  code.place(next);
}
