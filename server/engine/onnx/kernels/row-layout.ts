/** Shapes of row operators: between the products of a decoder's layer, each in place of two or three nodes, row by row. */
import { floatBits } from './assembler.ts';

export type RowShape =
  /** gate · sigmoid(gate) · up, of rows of which the first half is gate and the second up. */
  | { kind: 'gated'; columns: number }
  /** The sum of two rows; and it divided by the root of its mean square, times weights. */
  | { kind: 'normed'; columns: number; epsilon: number };

/** Columns are a multiple of this: no register is part full. */
export const rowLanes = 16;

export const rowName = (shape: RowShape): string =>
  shape.kind === 'gated' ? `Gated_${shape.columns}` : `AddNorm_${shape.columns}_${floatBits(shape.epsilon)}`;

/** Fields of what a run works on, in bytes from its start: two inputs, weights, outputs; counts. */
export const rowTask = { x: 0, addend: 8, weights: 16, y: 24, sum: 32, rows: 40, count: 48, size: 56 };

/** Fields by the order of inputs and outputs. */
export const rowFields = ({ kind }: RowShape): { inputs: number[]; outputs: number[] } =>
  kind === 'gated'
    ? { inputs: [rowTask.x], outputs: [rowTask.y] }
    : { inputs: [rowTask.x, rowTask.addend, rowTask.weights], outputs: [rowTask.sum, rowTask.y] };
