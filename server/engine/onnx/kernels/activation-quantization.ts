/**
 * Machine code that brings a row of x to signed bytes, with a scale for each block: q ≈ x · 127 ÷ largest. It keeps the scales,
 * and for the zero points of the weights the sums of each block.
 */
import {
  type Assembler,
  at,
  floatBits,
  type Label,
  r8,
  rax,
  rcx,
  rdi,
  rsi,
  type Vector,
} from './assembler.ts';
import { Emitter } from './emitter.ts';
import { layoutTables, type MatMulShape, task } from './matmul-layout.ts';

/** Adds `void quantize(task, row)`, of the System V calling convention. */
export const emitRow = (code: Assembler, shape: MatMulShape, tablesAt: bigint): Label =>
  new RowEmitter(code, shape, tablesAt).emit();

export class RowEmitter<Code extends Assembler = Assembler> extends Emitter<Code> {
  /** rdi: x, rcx: bytes, rsi: scales, r8: sums, rax: steps left. */
  emit(): Label {
    const { columns } = this.shape;
    const { step } = this.layout;
    const { code } = this;
    return code.routine(() => {
      this.findRow();
      this.#quantizeConstants();
      const whole = Math.floor(columns / step);
      code.repeat(rax, whole, () => this.#quantizeStep(step));
      if (columns % step > 0) this.#quantizeStep(columns % step);
      code.vzeroupper();
    });
  }

  /** rdi: task, rsi: row; they become what emit() says. */
  protected findRow(): void {
    const { row, scalesAt, sumsAt } = this.layout;
    const { code } = this;
    code.imul(rcx, rsi, row);
    code.imul(rsi, rsi, this.shape.columns * 4);
    code.mov(rax, at(rdi, task.quantized));
    code.add(rcx, rax);
    code.mov(rdi, at(rdi, task.x));
    code.add(rdi, rsi);
    code.lea(rsi, at(rcx, scalesAt));
    code.lea(r8, at(rcx, sumsAt));
  }

  /** zmm0: the bits of a number without its sign, zmm1: 1 ÷ 127, zmm2: 127, zmm3: the least divisor, zmm4, 5: even and odd places. */
  #quantizeConstants(): void {
    const { code } = this;
    const broadcast = (to: Vector, bits: number) => {
      code.movConstant(rax, bits);
      code.vpbroadcastd(to, rax);
    };
    broadcast(0, 0x7fffffff);
    broadcast(1, floatBits(1 / 127));
    broadcast(2, floatBits(127));
    broadcast(3, floatBits(1e-30));
    code.movConstant(rax, this.tables);
    code.vmovdqu32(4, at(rax, layoutTables.even));
    code.vmovdqu32(5, at(rax, layoutTables.odd));
  }

  /** @param numbers of x that there are in this step; the others count as 0 */
  #quantizeStep(numbers: number): void {
    const { block } = this.shape;
    const { blocks, step, stepBlocks, steps } = this.layout;
    const { code } = this;
    const here = numbers === step ? stepBlocks : blocks - (steps - 1) * stepBlocks;
    for (let index = 0; index < here; index += 1) {
      const first = index * block;
      this.#quantizeBlock(first, Math.max(0, Math.min(block, numbers - first)), index);
    }
    // Of a last chunk that no block fills: no codes, no scales.
    code.vpxord(16, 16, 16);
    for (let byte = here * block; byte < step; byte += 32) this.storeBytes(byte, 16, 16);
    const lanes = 16 / stepBlocks;
    if (stepBlocks > 1)
      for (let lane = here * lanes; lane < 16; lane += 4) code.storeVmovups128(at(rsi, lane * 4), 16);
    code.addConstant(rdi, step * 4);
    this.nextStep(here);
  }

  /** @param here blocks of this step */
  protected nextStep(here: number): void {
    const { scaleStep, step } = this.layout;
    const { code } = this;
    code.addConstant(rcx, step);
    code.addConstant(rsi, scaleStep);
    code.addConstant(r8, here * 4);
  }

  #quantizeBlock(first: number, numbers: number, index: number): void {
    const { block } = this.shape;
    const { code } = this;
    const held = Array.from({ length: block / 16 }, (_, vector) => 16 + vector);
    const largest = 6;
    const other = 7;
    code.vpxord(largest, largest, largest);
    for (const [vector, register] of held.entries()) {
      this.#loadNumbers(register, (first + vector * 16) * 4, numbers - vector * 16);
      code.vpandd(other, register, 0);
      code.vmaxps(largest, largest, other);
    }
    this.#across(largest, other, (to, from) => code.vmaxps(to, to, from));
    const scale = 8;
    const inverse = 9;
    code.vmulps(scale, largest, 1);
    code.vmaxps(largest, largest, 3);
    code.vdivps(inverse, 2, largest);
    for (const register of held) {
      code.vmulps(register, register, inverse);
      code.vcvtps2dq(register, register);
    }
    this.storeFactors(held, scale, index);
    for (let vector = 0; vector < held.length; vector += 2)
      this.storeBytes(first + vector * 16, held[vector]!, held[vector + 1]!);
  }

  /** The scale of a block and, for zero points, the sum of its bytes; the bytes are as they were. */
  protected storeFactors(held: Vector[], scale: Vector, index: number): void {
    const { stepBlocks } = this.layout;
    const { code } = this;
    const sum = this.sumOf(held);
    code.vcvtdq2ps(sum, sum);
    code.vmulps(sum, sum, scale);
    code.storeVmovss(at(r8, index * 4), sum);
    if (stepBlocks === 1) code.storeVmovss(at(rsi), scale);
    const lanes = 16 / stepBlocks;
    if (stepBlocks > 1)
      for (let lane = 0; lane < lanes; lane += 4)
        code.storeVmovups128(at(rsi, (index * lanes + lane) * 4), scale);
  }

  /** The register whose lanes all hold the sum of a block's whole numbers. */
  protected sumOf(held: Vector[]): Vector {
    const { code } = this;
    const sum = 10;
    code.vpxord(sum, sum, sum);
    for (const register of held) code.vpaddd(sum, sum, register);
    this.#across(sum, 7, (to, from) => code.vpaddd(to, to, from));
    return sum;
  }

  /** Of 16 numbers the first `there`, 0 for the others. */
  #loadNumbers(to: Vector, offset: number, there: number): void {
    const { code } = this;
    if (there >= 16) code.vmovdqu32(to, at(rdi, offset));
    else if (there <= 0) code.vpxord(to, to, to);
    else {
      code.setMask(1, there);
      code.vmovdqu32(to, at(rdi, offset), { mask: 1, zero: true });
    }
  }

  /** All lanes get what `combine` makes of all. */
  #across(register: Vector, other: Vector, combine: (to: Vector, from: Vector) => void): void {
    const { code } = this;
    for (const choice of [0x4e, 0xb1]) {
      code.vshuff32x4(other, register, register, choice);
      combine(register, other);
    }
    for (const choice of [0x4e, 0xb1]) {
      code.vpermilps(other, register, choice);
      combine(register, other);
    }
  }

  /**
   * 32 whole numbers to bytes. Codes of four bits lie two a byte, so of each chunk the even ones come first, then the odd
   * ones, as the low and the high halves of the codes' bytes will.
   */
  protected storeBytes(first: number, a: Vector, b: Vector): void {
    const { code } = this;
    if (this.shape.bits === 8) {
      code.storeVpmovsdb(at(rcx, first), a);
      code.storeVpmovsdb(at(rcx, first + 16), b);
      return;
    }
    const { chunk } = this.layout;
    const place = Math.floor(first / chunk) * chunk + (first % chunk) / 2;
    for (const [half, index] of [4, 5].entries()) {
      code.vmovdqu32(11, a);
      code.vpermt2d(11, index, b);
      code.storeVpmovsdb(at(rcx, place + half * 64), 11);
    }
  }
}
