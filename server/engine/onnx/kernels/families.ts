/** The families of processors that there are kernels for, each with the code it runs. */
import type { KernelFamily } from '../../engine.ts';
import { type Pointer, pinnedAddress } from '../library/library.ts';
import { emitRow } from './activation-quantization.ts';
import { AmxAssembler } from './amx-assembler.ts';
import { servesTiles, tileConfiguration, tileLayout, tileOutputs, tileRows } from './amx-layout.ts';
import { emitTileMatMul } from './amx-matmul-code.ts';
import { allowTiles } from './amx-permission.ts';
import { emitTileRow } from './amx-quantization.ts';
import { Arm64Assembler } from './arm64/arm64-assembler.ts';
import { arm64Convention } from './arm64/arm64-convention.ts';
import { emitI8mmMatMul } from './arm64/i8mm-matmul-code.ts';
import { emitNeonMatMul } from './arm64/neon-matmul-code.ts';
import { emitNeonRow } from './arm64/neon-quantization.ts';
import { Assembler, type Label } from './assembler.ts';
import { AttentionAssembler } from './attention-assembler.ts';
import { type AttentionShape, attentionName } from './attention-layout.ts';
import { type AttentionParts, emitAttention } from './attention-op-code.ts';
import { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';
import { emitAvx2Attend } from './avx2-attention-code.ts';
import { emitAvx2Merge } from './avx2-attention-merge.ts';
import { emitAvx2Prepare } from './avx2-attention-prepare.ts';
import { emitAvx2MatMul } from './avx2-matmul-code.ts';
import { emitAvx2Row } from './avx2-quantization.ts';
import { avx2TableValues } from './avx2-tables.ts';
import { emitAttend } from './avx512-attention-code.ts';
import { emitMerge } from './avx512-attention-merge.ts';
import { emitPrepare } from './avx512-attention-prepare.ts';
import type { ChainShape } from './chain-layout.ts';
import { emitChain } from './chain-op-code.ts';
import type { ChainRoutines } from './chain-stages.ts';
import { placeCode } from './code-memory.ts';
import { KernelEmitter, type WorkPlan } from './custom-op-code.ts';
import { emitMatMul } from './matmul-code.ts';
import { layoutOf, type MatMulShape, matMulTables } from './matmul-layout.ts';
import type { EmittedOperator, OperatorSignature } from './operator-emitter.ts';
import { avx2RowInstructions, avx512RowInstructions, emitRowWork, type RowInstructions } from './row-code.ts';
import { type RowShape, rowName } from './row-layout.ts';
import { emitRowOperator } from './row-op-code.ts';
import { VexAssembler } from './vex-assembler.ts';
import { x64Convention } from './x64-conventions.ts';

/** Code of one family of processors. */
export interface FamilyCode {
  arch: 'x64' | 'arm64';
  /** The processor's instruction sets, as Linux names them. */
  needs: readonly string[];
  /** Asks the system for what it does not give unasked. @throws Error where it refuses */
  prepare?(): void;
  emit(shape: MatMulShape, signature: OperatorSignature): EmittedOperator;
  /** Not there: attention is the runtime's. */
  emitAttention?(shape: AttentionShape, signature: OperatorSignature): EmittedOperator;
  /** Not there: what stands between products is the runtime's. */
  emitRows?(shape: RowShape, signature: OperatorSignature): EmittedOperator;
  /** Not there: each operator stands by itself. */
  emitChain?(shape: ChainShape, signature: OperatorSignature): EmittedOperator;
}

/** The parts in which families of x86-64 differ. */
interface X64Family extends Pick<FamilyCode, 'needs' | 'prepare'> {
  assembler(): Assembler;
  tables(): Int32Array;
  plan(shape: MatMulShape): WorkPlan;
  emitRow(code: Assembler, shape: MatMulShape, tables: bigint): Label;
  emitMatMul(code: Assembler, shape: MatMulShape, tables: bigint): Label;
  attention(tables: bigint): AttentionParts<Assembler>;
  attendsOnce: boolean;
  rows(): RowInstructions;
}

function x64(family: X64Family): FamilyCode {
  const { assembler, emitMatMul, emitRow, needs, plan, prepare } = family;
  let tablesAt: bigint | undefined;
  const tables = () => {
    tablesAt ??= pinnedAddress(family.tables());
    return tablesAt;
  };
  return {
    arch: 'x64',
    needs,
    ...(prepare && { prepare }),
    emit(shape, signature) {
      const at = tables();
      return new KernelEmitter(assembler(), x64Convention, shape, {
        plan: plan(shape),
        emitRow: (code) => emitRow(code, shape, at),
        emitMatMul: (code) => emitMatMul(code, shape, at),
      }).emit(signature);
    },
    emitAttention: (shape, signature) => emitAttention(family.attention(tables()), shape, signature),
    emitRows: (shape, signature) => emitRowOperator(family.rows(), shape, signature),
    emitChain: (shape, signature) =>
      emitChain(new Assembler(), routinesOf(family, tables()), shape, signature),
  };
}

/** The parts of operators by themselves, each placed once a process. */
function routinesOf(family: X64Family, tables: bigint): ChainRoutines {
  const place = <Name extends string>(key: string, code: Assembler, emit: () => Record<Name, Label>) => {
    const known = placedRoutines.get(family)?.get(key);
    if (known) return known as Record<Name, Pointer>;
    const labels = Object.entries<Label>(emit());
    const base = placeCode(code.toBytes());
    const placed = Object.fromEntries(
      labels.map(([name, { position }]) => [name, base + BigInt(position!)]),
    ) as Record<Name, Pointer>;
    placedRoutines.set(family, new Map([...(placedRoutines.get(family) ?? []), [key, placed]]));
    return placed;
  };
  return {
    attendsOnce: family.attendsOnce,
    product(shape) {
      const code = family.assembler();
      const parts = place(JSON.stringify(shape), code, () => ({
        quantize: family.emitRow(code, shape, tables),
        multiply: family.emitMatMul(code, shape, tables),
      }));
      return { ...parts, plan: family.plan(shape) };
    },
    attention(shape) {
      const { code, emitAttend, emitMerge, emitPrepare } = family.attention(tables);
      return place(attentionName(shape), code, () => ({
        prepare: emitPrepare(code, shape, tables),
        attend: emitAttend(code, shape, tables),
        merge: emitMerge(code, shape, tables),
      }));
    },
    rows(shape) {
      const instructions = family.rows();
      return place(rowName(shape), instructions.code, () => ({ work: emitRowWork(instructions, shape) }))
        .work;
    },
  };
}

const placedRoutines = new Map<X64Family, Map<string, Record<string, Pointer>>>();

const rowByRow =
  (vector: 32 | 64) =>
  (shape: MatMulShape): WorkPlan => {
    const { pieceOutputs, row } = layoutOf(shape, vector);
    return { row, rowsTogether: 1, pieceOutputs };
  };

const avx512 = {
  plan: rowByRow(64),
  emitRow,
  emitMatMul,
  attention: (tables: bigint): AttentionParts<AttentionAssembler> => ({
    ...{ code: new AttentionAssembler(), tables },
    ...{ emitPrepare, emitAttend, emitMerge },
  }),
  attendsOnce: true,
  rows: avx512RowInstructions,
} as const;
const avx512Sets = ['avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni'];

const avx2Sets = ['avx2', 'fma', 'f16c'];

const avx2 = (vnni: boolean) =>
  x64({
    needs: [...avx2Sets, ...(vnni ? ['avx_vnni'] : [])],
    assembler: () => new VexAssembler(),
    tables: avx2TableValues,
    plan: rowByRow(32),
    emitRow: (code: VexAssembler, shape: MatMulShape, tables: bigint) => emitAvx2Row(code, shape, tables),
    emitMatMul: (code: VexAssembler, shape: MatMulShape, tables: bigint) =>
      emitAvx2MatMul(code, shape, tables, vnni),
    attention: (tables): AttentionParts<Avx2AttentionAssembler> => ({
      ...{ code: new Avx2AttentionAssembler(), tables },
      ...{ emitPrepare: emitAvx2Prepare, emitAttend: emitAvx2Attend, emitMerge: emitAvx2Merge },
    }),
    // Values are added up in memory: sixteen registers hold too few of them.
    attendsOnce: false,
    rows: avx2RowInstructions,
  });

const arm64 = (i8mm: boolean): FamilyCode => ({
  arch: 'arm64',
  needs: i8mm ? ['asimddp', 'i8mm'] : ['asimddp'],
  emit: (shape, signature) =>
    new KernelEmitter(new Arm64Assembler(), arm64Convention, shape, {
      plan: { ...layoutOf(shape, 16), rowsTogether: i8mm ? 2 : 1 },
      emitRow: (code) => emitNeonRow(code, shape, i8mm),
      emitMatMul: (code) => (i8mm ? emitI8mmMatMul : emitNeonMatMul)(code, shape),
    }).emit(signature),
});

export const familyCode: Record<KernelFamily, FamilyCode> = {
  // Shapes that tiles do not serve take the code for AVX-512.
  amx: x64({
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
  }),
  avx512_vnni: x64({
    ...avx512,
    needs: avx512Sets,
    assembler: () => new Assembler(),
    tables: matMulTables,
  }),
  avx_vnni: avx2(true),
  avx2: avx2(false),
  neon_i8mm: arm64(true),
  neon_dotprod: arm64(false),
};
