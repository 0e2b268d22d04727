/** The bytes of activation-quantization.ts, laid out for tiles. */
import { RowEmitter } from './activation-quantization.ts';
import type { AmxAssembler } from './amx-assembler.ts';
import { tileBytes, tileLayout, tileRows } from './amx-layout.ts';
import { at, type Label, rax, rcx, rdi, rsi, type Vector } from './assembler.ts';
import { layoutTables, type MatMulShape, task } from './matmul-layout.ts';

/** Adds `void quantize(task, row)`, of the System V calling convention. */
export const emitTileRow = (code: AmxAssembler, shape: MatMulShape, tables: bigint): Label =>
  new TileRowEmitter(code, shape, tables).emit();

class TileRowEmitter extends RowEmitter<AmxAssembler> {
  /** rcx: the row's first four bytes, rsi: its first scale. */
  protected override findRow(): void {
    const { group, scalesAt } = tileLayout(this.shape);
    const { code } = this;
    code.imul(rax, rsi, this.shape.columns * 4);
    code.mov(rcx, at(rdi, task.quantized));
    code.mov(rdi, at(rdi, task.x));
    code.add(rdi, rax);
    // The group's number is multiplied as the row without its place in the group.
    code.mov(rax, rsi);
    code.andConstant(rax, -tileRows);
    code.imul(rax, rax, group / tileRows);
    code.add(rcx, rax);
    code.andConstant(rsi, tileRows - 1);
    code.imul(rsi, rsi, 4);
    code.add(rcx, rsi);
    code.lea(rsi, at(rcx, scalesAt));
  }

  protected override nextStep(): void {
    const { code } = this;
    code.addConstant(rcx, this.shape.block * tileRows);
    code.addConstant(rsi, tileRows * 4);
  }

  /** Zero points are taken from the codes, so that sums are not asked for. */
  protected override storeFactors(_held: Vector[], scale: Vector): void {
    this.code.storeVmovss(at(rsi), scale);
  }

  protected override storeBytes(first: number, a: Vector, b: Vector): void {
    const { code } = this;
    const { chunk } = this.layout;
    const place = Math.floor(first / chunk) * chunk + (first % chunk) / 2;
    for (const [half, index] of [layoutTables.even, layoutTables.odd].entries()) {
      code.vmovdqu32(11, a);
      code.vpermt2d(11, index === layoutTables.even ? 4 : 5, b);
      code.vpmovsdb(11, 11);
      const byte = place + half * 64;
      const tile = at(rcx, Math.floor(byte / 64) * tileBytes + ((byte % 64) / 4) * 64);
      for (let four = 0; four < 4; four += 1) code.storeVpextrd(at(rcx, tile.offset + four * 64), 11, four);
    }
  }
}
