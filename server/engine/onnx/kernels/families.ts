/** The families of processors that there are kernels for, each with the code it runs. */
import type { KernelFamily } from '../../engine.ts';
import { emitRow } from './activation-quantization.ts';
import { AmxAssembler } from './amx-assembler.ts';
import { servesTiles, tileConfiguration, tileLayout, tileOutputs, tileRows } from './amx-layout.ts';
import { emitTileMatMul } from './amx-matmul-code.ts';
import { allowTiles } from './amx-permission.ts';
import { emitTileRow } from './amx-quantization.ts';
import { Assembler, type Label } from './assembler.ts';
import { emitAvx2MatMul } from './avx2-matmul-code.ts';
import { emitAvx2Row } from './avx2-quantization.ts';
import { avx2TableValues } from './avx2-tables.ts';
import { emitMatMul } from './matmul-code.ts';
import { layoutOf, type MatMulShape, matMulTables } from './matmul-layout.ts';
import { VexAssembler } from './vex-assembler.ts';

/** A product's work, cut into pieces and rows. */
export interface WorkPlan {
  /** Bytes of a quantized row, and how many rows lie together. */
  row: number;
  rowsTogether: number;
  /** Outputs of a piece of work. */
  pieceOutputs: number;
}

export interface FamilyCode {
  /** The processor's instruction sets, as Linux names them. */
  needs: readonly string[];
  /** Bytes of a register. */
  vector: 32 | 64;
  assembler(): Assembler;
  tables(): Int32Array;
  /** Asks the system for what it does not give unasked. @throws Error where it refuses */
  prepare?(): void;
  plan(shape: MatMulShape): WorkPlan;
  /** Adds `void quantize(task, row)`. */
  emitRow(code: Assembler, shape: MatMulShape, tables: bigint): Label;
  /** Adds `void multiply(task, piece)`. */
  emitMatMul(code: Assembler, shape: MatMulShape, tables: bigint): Label;
}

const rowByRow =
  (vector: 32 | 64) =>
  (shape: MatMulShape): WorkPlan => {
    const { pieceOutputs, row } = layoutOf(shape, vector);
    return { row, rowsTogether: 1, pieceOutputs };
  };

const avx512 = {
  vector: 64,
  plan: rowByRow(64),
  emitRow,
  emitMatMul,
} as const;
const avx512Sets = ['avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni'];

const avx2 = (vnni: boolean): FamilyCode => ({
  needs: vnni ? ['avx2', 'fma', 'avx_vnni'] : ['avx2', 'fma'],
  vector: 32,
  assembler: () => new VexAssembler(),
  tables: avx2TableValues,
  plan: rowByRow(32),
  emitRow: (code: VexAssembler, shape: MatMulShape, tables: bigint) => emitAvx2Row(code, shape, tables),
  emitMatMul: (code: VexAssembler, shape: MatMulShape, tables: bigint) =>
    emitAvx2MatMul(code, shape, tables, vnni),
});

export const familyCode: Record<KernelFamily, FamilyCode> = {
  // Shapes that tiles do not serve take the code for AVX-512.
  amx: {
    ...avx512,
    needs: [...avx512Sets, 'amx_tile', 'amx_int8'],
    assembler: () => new AmxAssembler(),
    tables: () => Int32Array.from([...matMulTables(), ...tileConfiguration()]),
    prepare: allowTiles,
    plan: (shape) =>
      servesTiles(shape)
        ? { row: tileLayout(shape).group / tileRows, rowsTogether: tileRows, pieceOutputs: tileOutputs }
        : avx512.plan(shape),
    emitRow: (code: AmxAssembler, shape: MatMulShape, tables: bigint) =>
      (servesTiles(shape) ? emitTileRow : emitRow)(code, shape, tables),
    emitMatMul: (code: AmxAssembler, shape: MatMulShape, tables: bigint) =>
      servesTiles(shape)
        ? emitTileMatMul(code, shape, tables, matMulTables().byteLength)
        : emitMatMul(code, shape, tables),
  },
  avx512_vnni: {
    ...avx512,
    needs: avx512Sets,
    assembler: () => new Assembler(),
    tables: matMulTables,
  },
  avx_vnni: avx2(true),
  avx2: avx2(false),
};
