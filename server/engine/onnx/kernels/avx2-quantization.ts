/** The bytes of activation-quantization.ts for processors without AVX-512: the same numbers, 32 bytes at a time. */
import { at, type Label, r8, r11, rax, rcx, rdi, rsi, type Vector } from './assembler.ts';
import { avx2Tables } from './avx2-tables.ts';
import { Emitter } from './emitter.ts';
import { type MatMulShape, task } from './matmul-layout.ts';
import type { VexAssembler } from './vex-assembler.ts';

/** Adds `void quantize(task, row)`, of the System V calling convention. */
export const emitAvx2Row = (code: VexAssembler, shape: MatMulShape, tables: bigint): Label =>
  new Avx2RowEmitter(code, shape, tables, 32).emit();

/** ymm0 … 7 hold numbers of a chunk; of the block at hand: */
const [inverse, scale, sum, largest, other]: Vector[] = [8, 9, 10, 11, 12];
/** Of a second block in a chunk. */
const secondInverse: Vector = 13;

class Avx2RowEmitter extends Emitter<VexAssembler> {
  /** rdi: x, rcx: bytes, rsi: scales, r8: sums, rax: steps left, r11: tables. */
  emit(): Label {
    const { columns } = this.shape;
    const { row, scalesAt, step, sumsAt } = this.layout;
    const { code } = this;
    return code.routine(() => {
      code.imul(rcx, rsi, row);
      code.imul(rsi, rsi, columns * 4);
      code.mov(rax, at(rdi, task.quantized));
      code.add(rcx, rax);
      code.mov(rdi, at(rdi, task.x));
      code.add(rdi, rsi);
      code.lea(rsi, at(rcx, scalesAt));
      code.lea(r8, at(rcx, sumsAt));
      code.movConstant(r11, this.tables);
      code.repeat(rax, Math.floor(columns / step), () => this.#step(step));
      if (columns % step > 0) this.#step(columns % step);
      code.vzeroupper();
    });
  }

  /** @param numbers of x that there are in this step; the others count as 0 */
  #step(numbers: number): void {
    const { block } = this.shape;
    const { blocks, chunk, scaleStep, step, stepBlocks, steps } = this.layout;
    const { code } = this;
    const here = numbers === step ? stepBlocks : blocks - (steps - 1) * stepBlocks;
    const inverses = stepBlocks === 1 ? [inverse!] : [inverse!, secondInverse];
    for (const [index, register] of inverses.entries())
      this.#divisor(index * block, Math.min(block, Math.max(0, numbers - index * block)), index, register);
    const blockOf = (vector: number) => Math.floor((vector * 8) / block);
    let counted = 0;
    code.vpxor(sum!, sum!, sum!);
    for (let first = 0; first < step; first += chunk) {
      for (let vector = 0; vector < chunk / 8; vector += 1) {
        const index = stepBlocks === 1 ? 0 : blockOf(vector);
        if (index > counted) {
          this.#storeSum(counted);
          counted = index;
        }
        this.#loadNumbers(vector, first + vector * 8, numbers);
        code.vmulps(vector, vector, inverses[index]!);
        code.vcvtps2dq(vector, vector);
        code.vpaddd(sum!, sum!, vector);
      }
      this.#storeBytes(first);
    }
    if (counted < here) this.#storeSum(counted);
    code.addConstant(rdi, step * 4);
    code.addConstant(rcx, step);
    code.addConstant(rsi, scaleStep);
    code.addConstant(r8, here * 4);
  }

  /** 127 ÷ the largest number of a block; its scale is stored. */
  #divisor(first: number, numbers: number, index: number, to: Vector): void {
    const { block } = this.shape;
    const { stepBlocks } = this.layout;
    const { code } = this;
    code.vpxor(largest!, largest!, largest!);
    for (let vector = 0; vector < block && vector < numbers; vector += 8) {
      this.#loadNumbers(other!, first + vector, first + numbers);
      code.vpand(other!, other!, at(r11, avx2Tables.unsigned));
      code.vmaxps(largest!, largest!, other!);
    }
    this.#across(largest!, (from) => code.vmaxps(largest!, largest!, from));
    code.vmulps(scale!, largest!, at(r11, avx2Tables.inverse127));
    code.vmaxps(largest!, largest!, at(r11, avx2Tables.leastDivisor));
    code.vmovdqu(to, at(r11, avx2Tables.largest));
    code.vdivps(to, to, largest!);
    if (stepBlocks === 1) code.storeVmovd(at(rsi), scale!);
    else code.storeVmovdqu128(at(rsi, index * 16), scale!);
  }

  /** The sum of a block's bytes times its scale; the next one starts. */
  #storeSum(index: number): void {
    const { stepBlocks } = this.layout;
    const { code } = this;
    this.#across(sum!, (from) => code.vpaddd(sum!, sum!, from));
    code.vcvtdq2ps(sum!, sum!);
    code.vbroadcastss(scale!, at(rsi, stepBlocks === 1 ? 0 : index * 16));
    code.vmulps(sum!, sum!, scale!);
    code.storeVmovd(at(r8, index * 4), sum!);
    code.vpxor(sum!, sum!, sum!);
  }

  /** Eight numbers from place `first` of the step, 0 for those from `end` on. */
  #loadNumbers(to: Vector, first: number, end: number): void {
    const { code } = this;
    const there = end - first;
    if (there >= 8) code.vmovdqu(to, at(rdi, first * 4));
    else if (there <= 0) code.vpxor(to, to, to);
    else {
      code.vmovdqu(to, at(r11, avx2Tables.lanes + (8 - there) * 4));
      code.vmaskmovps(to, to, at(rdi, first * 4));
    }
  }

  /** All lanes get what `combine` makes of all; takes `other`. */
  #across(register: Vector, combine: (from: Vector) => void): void {
    const { code } = this;
    code.vpermq(other!, register, 0x4e);
    combine(other!);
    for (const choice of [0x4e, 0xb1]) {
      code.vshufps(other!, register, register, choice);
      combine(other!);
    }
  }

  /**
   * A chunk's whole numbers to bytes. Codes of four bits lie two a byte, so the even ones come first, then the odd ones, as the
   * low and the high halves of the codes' bytes will.
   */
  #storeBytes(first: number): void {
    const { code } = this;
    const pack = (a: Vector, b: Vector, c: Vector, d: Vector, place: number) => {
      code.vpackssdw(a, a, b);
      code.vpackssdw(c, c, d);
      code.vpacksswb(a, a, c);
      code.vmovdqu(other!, at(r11, avx2Tables.packed));
      code.vpermd(a, other!, a);
      code.storeVmovdqu(at(rcx, first + place), a);
    };
    if (this.shape.bits === 8) {
      pack(0, 1, 2, 3, 0);
      return;
    }
    for (const pair of [0, 2, 4, 6]) {
      code.vshufps(other!, pair, pair + 1, 0xdd);
      code.vshufps(pair, pair, pair + 1, 0x88);
      code.vpermq(pair + 1, other!, 0xd8);
      code.vpermq(pair, pair, 0xd8);
    }
    pack(0, 2, 4, 6, 0);
    pack(1, 3, 5, 7, 32);
  }
}
