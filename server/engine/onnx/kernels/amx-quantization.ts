/** The bytes of activation-quantization.ts, laid out for tiles or, of one row, by itself. */
import { RowEmitter } from './activation-quantization.ts';
import type { AmxAssembler } from './amx-assembler.ts';
import { tileBytes, tileLayout, tileRows } from './amx-layout.ts';
import { emitByRows } from './amx-one-row.ts';
import { at, type Label, rax, rcx, rdi, rsi, type Vector } from './assembler.ts';
import { type MatMulShape, task } from './matmul-layout.ts';

const filledLanes = 2;

/** Adds `void quantize(task, row)`, of the System V calling convention. */
export const emitTileRow = (code: AmxAssembler, shape: MatMulShape, tables: bigint): Label =>
  emitByRows(code, {
    one: new OneRowEmitter(code, shape, tables).emit(),
    many: new TileRowEmitter(code, shape, tables).emit(),
  });

/** rcx: the row's first bytes, rsi: its first scale. */
class TileRowEmitter extends RowEmitter<AmxAssembler> {
  protected readonly rowBytes: number = 4;
  protected readonly blockBytes: number = this.shape.block * tileRows;

  protected override findRow(): void {
    const { group, scalesAt } = tileLayout(this.shape);
    const { code } = this;
    this.#findLanes();
    code.imul(rax, rsi, this.shape.columns * 4);
    code.mov(rcx, at(rdi, task.quantized));
    code.mov(rdi, at(rdi, task.x));
    code.add(rdi, rax);
    // The row less its place in the group.
    code.mov(rax, rsi);
    code.andConstant(rax, -tileRows);
    code.imul(rax, rax, group / tileRows);
    code.add(rcx, rax);
    code.andConstant(rsi, tileRows - 1);
    code.imul(rax, rsi, 4);
    code.add(rax, rcx);
    code.imul(rsi, rsi, this.rowBytes);
    code.add(rcx, rsi);
    code.lea(rsi, at(rax, scalesAt));
  }

  /**
   * Lanes of scales that the row fills: its own, and of the last row those of the rows that are not there as well, since numbers
   * left in memory may be so small that the processor is slow at them.
   */
  #findLanes(): void {
    const { code } = this;
    code.mov(rcx, rsi);
    code.andConstant(rcx, tileRows - 1);
    code.movConstant(rax, 0xffff);
    code.shrByRcx(rax);
    code.mov(rcx, at(rdi, task.rows));
    code.subConstant(rcx, 1);
    code.cmp(rcx, rsi);
    code.movConstant(rcx, 1);
    code.cmov('ne', rax, rcx);
    code.kmovFromRax(filledLanes);
  }

  protected override nextStep(): void {
    const { code } = this;
    code.addConstant(rcx, this.blockBytes);
    code.addConstant(rsi, tileRows * 4);
  }

  /** Zero points are taken from the codes, so that sums are not asked for. */
  protected override storeFactors(_held: Vector[], scale: Vector): void {
    this.code.storeVmovdqu32(at(rsi), scale, { mask: filledLanes });
  }

  protected override storeBytes(first: number, a: Vector, b: Vector): void {
    const { code } = this;
    const { chunk } = this.layout;
    const place = Math.floor(first / chunk) * chunk + (first % chunk) / 2;
    // Registers 4 and 5 hold the even and the odd places.
    for (const [half, index] of [4, 5].entries()) {
      code.vmovdqu32(11, a);
      code.vpermt2d(11, index, b);
      code.vpmovsdb(11, 11);
      this.storeSixteen(place + half * 64, 11);
    }
  }

  protected storeSixteen(place: number, bytes: Vector): void {
    const offset = Math.floor(place / 64) * tileBytes + ((place % 64) / 4) * 64;
    for (let four = 0; four < 4; four += 1) this.code.storeVpextrd(at(rcx, offset + four * 64), bytes, four);
  }
}

class OneRowEmitter extends TileRowEmitter {
  protected override readonly rowBytes = tileLayout(this.shape).numbers;
  protected override readonly blockBytes = this.shape.block;

  protected override storeFactors(held: Vector[], scale: Vector): void {
    const { scalesAt, sumsAt } = tileLayout(this.shape);
    this.code.storeVmovss(at(rsi), scale);
    this.code.storeVmovss(at(rsi, sumsAt - scalesAt), this.sumOf(held));
  }

  protected override storeSixteen(place: number, bytes: Vector): void {
    this.code.storeVmovups128(at(rcx, place), bytes);
  }
}
