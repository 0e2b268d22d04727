/** Shapes of products, and how what they work on lies in memory. The weights' layout is MatMulNBits'. */

export interface MatMulShape {
  /** Numbers of a row of x. */
  columns: number;
  /** Rows of W, numbers of a row of y. */
  outputs: number;
  bits: 4 | 8;
  /** 32, 64, 128 or 256. */
  block: number;
  /** Without zero points of its own, each is the middle: 8, or 128. */
  zeroPoints: boolean;
}

/** Fields of what a product works on, in bytes from its start. */
export const task = { x: 0, codes: 8, scales: 16, zeros: 24, y: 32, quantized: 40, rows: 48, size: 56 };

/** Tables that the code reads; kept at a fixed place for as long as it may run. */
export function matMulTables(): Int32Array {
  const lanes = Array.from({ length: 16 }, (_, lane) => lane);
  return Int32Array.from([
    ...lanes.map((lane) => 2 * lane),
    ...lanes.map((lane) => 2 * lane + 1),
    ...lanes.map((lane) => lane >> 3),
    ...lanes.map((lane) => 4 * (lane & 7)),
    ...lanes.map(() => 15),
    ...lanes,
    ...[1, 2, 4].flatMap((blocks) => lanes.map((lane) => Math.floor((lane * blocks) / 16))),
  ]);
}

/** Their offsets: even and odd places of 32; of 16 half bytes the dword, the shift and the mask; 0 … 15; lanes of 1, 2, 4 blocks. */
export const layoutTables = {
  even: 0,
  odd: 64,
  halfDword: 128,
  halfShift: 192,
  halfMask: 256,
  lanes: 320,
  blockLanes: 384,
};

/**
 * Layout of shapes in memory; sizes are in bytes unless named otherwise.
 *
 * @param vector bytes of a register
 */
export function layoutOf(
  { bits, block, columns, zeroPoints }: Omit<MatMulShape, 'outputs'>,
  vector: 16 | 32 | 64 = 64,
) {
  const blocks = Math.ceil(columns / block);
  /** Weights in a vector of codes. */
  const chunk = bits === 4 ? 2 * vector : vector;
  /** Weights that one turn of the inner loop takes: blocks, and whole chunks. */
  const step = Math.max(chunk, block);
  const stepBlocks = step / block;
  const steps = Math.ceil(blocks / stepBlocks);
  /** Of several blocks a chunk, each lane's own scale is kept; else one a block. */
  const scaleStep = stepBlocks > 1 ? vector : 4;
  const scalesAt = steps * step;
  const sumsAt = roundUp(scalesAt + steps * scaleStep, 64);
  const codeRow = (blocks * block * bits) / 8;
  return {
    blocks,
    chunk,
    step,
    stepBlocks,
    steps,
    codeRow,
    scaleRow: blocks * 4,
    zeroRow: zeroPoints ? Math.ceil((blocks * bits) / 8) : 0,
    /** A quantized row of x: its bytes, its scales (so many bytes a step), its sums. */
    scaleStep,
    scalesAt,
    sumsAt,
    row: sumsAt + roundUp(blocks * 4, 64),
    /** Steps whose bytes of eight rows the first cache holds. */
    cachedSteps: Math.max(1, Math.floor(cachedNumbers / step)),
    /** Outputs of one piece of work: their codes stay in the second cache while all rows pass. */
    pieceOutputs: Math.max(16, Math.floor(131_072 / codeRow / 4) * 4),
  };
}

/** Of each of eight rows: 32 KB together, of the 48 that processors with these instructions have. */
const cachedNumbers = 4096;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Fewest outputs: the last ones of a matrix are done together with those before them. */
export const leastOutputs = 4;

/** Numbers of the weights' parts, in the order of the operator's inputs: codes, scales, zero points. */
export function weightCounts(shape: MatMulShape): number[] {
  const { blocks, codeRow, zeroRow } = layoutOf(shape);
  const perOutput = [codeRow, blocks, ...(shape.zeroPoints ? [zeroRow] : [])];
  return perOutput.map((count) => count * shape.outputs);
}
