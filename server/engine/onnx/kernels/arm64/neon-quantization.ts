/** The bytes of activation-quantization.ts on ARM64: the same numbers, 16 bytes at a time. */
import { at, floatBits, type Label, type Vector } from '../assembler.ts';
import { layoutOf, type MatMulShape, task } from '../matmul-layout.ts';
import type { Arm64Assembler } from './arm64-assembler.ts';

/** General registers: x, bytes, scales, sums, blocks left, and one for what is at hand. */
const [x, bytes, scales, sums, left, other] = [0, 2, 3, 4, 5, 9] as const;

/** The same in all lanes: 1 ÷ 127, 127, the least divisor. */
const [inverse127, top, leastDivisor]: Vector[] = [16, 17, 18];
/** Of the block at hand; totals of whole numbers; then four vectors of numbers and what becomes of them. */
const [largest, second, scale, inverse, sum]: Vector[] = [0, 1, 2, 3, 4];
const held: Vector[] = [20, 21, 22, 23];
const packed: Vector[] = [24, 25];
const [even, odd]: Vector[] = [26, 27];

/** Adds `void quantize(task, row)`. */
export const emitNeonRow = (code: Arm64Assembler, shape: MatMulShape): Label =>
  new NeonRowEmitter(code, shape).emit();

class NeonRowEmitter {
  readonly #code: Arm64Assembler;
  readonly #shape: MatMulShape;

  constructor(code: Arm64Assembler, shape: MatMulShape) {
    this.#code = code;
    this.#shape = shape;
  }

  emit(): Label {
    const code = this.#code;
    const { block, columns } = this.#shape;
    const { row, scalesAt, sumsAt } = layoutOf(this.#shape, 16);
    return code.routine(() => {
      const [given, index] = [0, 1];
      code.mov(bytes, at(given, task.quantized));
      code.imul(other, index, row);
      code.add(bytes, other);
      code.imul(other, index, columns * 4);
      code.mov(x, at(given, task.x));
      code.add(x, other);
      code.lea(scales, at(bytes, scalesAt));
      code.lea(sums, at(bytes, sumsAt));
      this.#everywhere(inverse127!, 1 / 127);
      this.#everywhere(top!, 127);
      this.#everywhere(leastDivisor!, 1e-30);
      code.repeat(left, Math.floor(columns / block), () => this.#block(block));
      if (columns % block > 0) this.#block(columns % block);
    });
  }

  #everywhere(to: Vector, value: number): void {
    this.#code.movConstant(other, floatBits(value));
    this.#code.dup(to, other);
  }

  /** @param numbers of x that there are in this block; the others count as 0 */
  #block(numbers: number): void {
    const code = this.#code;
    const { bits, block } = this.#shape;
    this.#factors(numbers);
    code.clear(sum!);
    for (let first = 0; first < block; first += 32)
      for (const [half, to] of packed.entries()) {
        this.#toBytes(to, first + half * 16, numbers);
        if (bits === 8) code.strQPost(to, bytes);
        else if (half === 1) {
          // Codes of four bits lie two a byte: the even numbers come first, as the low halves of the codes' bytes will.
          code.uzp1B(even!, packed[0]!, packed[1]!);
          code.uzp2B(odd!, packed[0]!, packed[1]!);
          code.strQPost(even!, bytes);
          code.strQPost(odd!, bytes);
        }
      }
    code.addv(sum!, sum!);
    code.scvtf(sum!, sum!);
    code.fmul(sum!, sum!, scale!);
    code.strSPost(sum!, sums);
    code.addConstant(x, block * 4);
  }

  /** Stores the block's scale; leaves 127 ÷ its largest number. */
  #factors(numbers: number): void {
    const code = this.#code;
    const found = [largest!, second!];
    for (const register of found) code.clear(register);
    for (let first = 0, turn = 0; first < numbers; first += 4, turn ^= 1) {
      this.#load(held[turn]!, first, numbers);
      code.fabs(held[turn]!, held[turn]!);
      code.fmaxnm(found[turn]!, found[turn]!, held[turn]!);
    }
    code.fmaxnm(largest!, largest!, second!);
    code.fmaxnmv(largest!, largest!);
    code.dupLane(largest!, largest!);
    code.fmul(scale!, largest!, inverse127!);
    code.strSPost(scale!, scales);
    code.fmaxnm(largest!, largest!, leastDivisor!);
    code.fdiv(inverse!, top!, largest!);
  }

  /** 16 numbers to bytes. */
  #toBytes(to: Vector, first: number, numbers: number): void {
    const code = this.#code;
    for (const [vector, register] of held.entries()) {
      this.#load(register, first + vector * 4, numbers);
      code.fmul(register, register, inverse!);
      code.fcvtns(register, register);
      code.add4(sum!, sum!, register);
    }
    const [a, b, c, d] = held as [Vector, Vector, Vector, Vector];
    code.sqxtnH(a, a);
    code.sqxtn2H(a, b);
    code.sqxtnH(c, c);
    code.sqxtn2H(c, d);
    code.sqxtnB(to, a);
    code.sqxtn2B(to, c);
  }

  /** Four numbers from place `first` of the block, 0 for those from `end` on. */
  #load(to: Vector, first: number, end: number): void {
    const code = this.#code;
    const there = end - first;
    const from = at(x, first * 4);
    if (there >= 4) code.ldrQ(to, from);
    else if (there <= 0) code.clear(to);
    else loadLanes(code, { to, from, there, other });
  }
}

/** Of four lanes the first one to three, 0 for the others. */
export function loadLanes(
  code: Arm64Assembler,
  { from, other, there, to }: { to: Vector; from: ReturnType<typeof at>; there: number; other: number },
): void {
  if (there === 1) {
    code.ldrS(to, from);
    return;
  }
  // An offset that is no whole one of this size goes through a register.
  code.lea(other, from);
  code.ldrD(to, at(other));
  if (there === 2) return;
  code.addConstant(other, 8);
  code.ld1S(to, 2, other);
}
