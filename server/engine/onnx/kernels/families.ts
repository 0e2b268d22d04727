/** The families of processors that there are kernels for, each with the code it runs. */
import type { KernelFamily } from '../../engine.ts';
import { emitRow } from './activation-quantization.ts';
import { Assembler, type Label } from './assembler.ts';
import { emitAvx2MatMul } from './avx2-matmul-code.ts';
import { emitAvx2Row } from './avx2-quantization.ts';
import { avx2TableValues } from './avx2-tables.ts';
import { emitMatMul } from './matmul-code.ts';
import { type MatMulShape, matMulTables } from './matmul-layout.ts';
import { VexAssembler } from './vex-assembler.ts';

export interface FamilyCode {
  /** The processor's instruction sets, as Linux names them. */
  needs: readonly string[];
  /** Bytes of a register. */
  vector: 32 | 64;
  assembler(): Assembler;
  tables(): Int32Array;
  /** Adds `void quantize(task, row)`. */
  emitRow(code: Assembler, shape: MatMulShape, tables: bigint): Label;
  /** Adds `void multiply(task, piece)`. */
  emitMatMul(code: Assembler, shape: MatMulShape, tables: bigint): Label;
}

const avx2 = (vnni: boolean): FamilyCode => ({
  needs: vnni ? ['avx2', 'fma', 'avx_vnni'] : ['avx2', 'fma'],
  vector: 32,
  assembler: () => new VexAssembler(),
  tables: avx2TableValues,
  emitRow: (code: VexAssembler, shape: MatMulShape, tables: bigint) => emitAvx2Row(code, shape, tables),
  emitMatMul: (code: VexAssembler, shape: MatMulShape, tables: bigint) =>
    emitAvx2MatMul(code, shape, tables, vnni),
});

export const familyCode: Record<KernelFamily, FamilyCode> = {
  avx512_vnni: {
    needs: ['avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni'],
    vector: 64,
    assembler: () => new Assembler(),
    tables: matMulTables,
    emitRow,
    emitMatMul,
  },
  avx_vnni: avx2(true),
  avx2: avx2(false),
};
