/**
 * The bytes of activation-quantization.ts on ARM64: the same numbers, 16 bytes at a time. For i8mm two rows lie together: eight
 * bytes of each by turns, then their scales by turns, then the sums of each.
 */
import { at, floatBits, type Label, newLabel, type Vector } from '../assembler.ts';
import { layoutOf, type MatMulShape, task } from '../matmul-layout.ts';
import type { Arm64Assembler } from './arm64-assembler.ts';

/** General registers: x, bytes, scales, sums, blocks left, one for what is at hand, and of pairs the distance of a row's eights. */
const [x, bytes, scales, sums, left, other, distance] = [0, 2, 3, 4, 5, 9, 12] as const;

/** The same in all lanes: 1 ÷ 127, 127, the least divisor. */
const [inverse127, top, leastDivisor]: Vector[] = [16, 17, 18];
/** Of the block at hand; totals of whole numbers; then four vectors of numbers and what becomes of them. */
const [largest, second, scale, inverse, sum]: Vector[] = [0, 1, 2, 3, 4];
const held: Vector[] = [20, 21, 22, 23];
const packed: Vector[] = [24, 25];
const [even, odd]: Vector[] = [26, 27];

/** Adds `void quantize(task, row)`. */
export const emitNeonRow = (code: Arm64Assembler, shape: MatMulShape, paired = false): Label =>
  new NeonRowEmitter(code, shape, paired).emit();

/** Places of one of two rows that lie together, from their beginning; bytes without the eight by which the second ones lie apart. */
export function pairedPlaces({ row, scalesAt, sumsAt }: ReturnType<typeof layoutOf>, second: 0 | 1) {
  return { bytes: second * 8, scales: 2 * scalesAt + second * 4, sums: 2 * sumsAt + second * (row - sumsAt) };
}

class NeonRowEmitter {
  readonly #code: Arm64Assembler;
  readonly #shape: MatMulShape;
  readonly #paired: boolean;

  constructor(code: Arm64Assembler, shape: MatMulShape, paired: boolean) {
    this.#code = code;
    this.#shape = shape;
    this.#paired = paired;
  }

  emit(): Label {
    const code = this.#code;
    const { block, columns } = this.#shape;
    return code.routine(() => {
      const [given, index] = [0, 1];
      code.mov(bytes, at(given, task.quantized));
      code.imul(other, index, columns * 4);
      code.mov(x, at(given, task.x));
      code.add(x, other);
      if (this.#paired) this.#findPaired(index);
      else this.#find(index);
      this.#everywhere(inverse127!, 1 / 127);
      this.#everywhere(top!, 127);
      this.#everywhere(leastDivisor!, 1e-30);
      code.repeat(left, Math.floor(columns / block), () => this.#block(block));
      if (columns % block > 0) this.#block(columns % block);
    });
  }

  #find(index: number): void {
    const code = this.#code;
    const { row, scalesAt, sumsAt } = layoutOf(this.#shape, 16);
    code.imul(other, index, row);
    code.add(bytes, other);
    code.lea(scales, at(bytes, scalesAt));
    code.lea(sums, at(bytes, sumsAt));
  }

  #findPaired(index: number): void {
    const code = this.#code;
    const layout = layoutOf(this.#shape, 16);
    const [first, second] = [pairedPlaces(layout, 0), pairedPlaces(layout, 1)];
    const found = newLabel();
    code.mov(other, index);
    code.andConstant(other, -2);
    code.imul(other, other, layout.row);
    code.add(bytes, other);
    code.lea(scales, at(bytes, first.scales));
    code.lea(sums, at(bytes, first.sums));
    code.andConstant(index, 1);
    code.test(index, index);
    code.j('e', found);
    code.addConstant(bytes, second.bytes - first.bytes);
    code.addConstant(scales, second.scales - first.scales);
    code.addConstant(sums, second.sums - first.sums);
    code.place(found);
    code.movConstant(distance, 16);
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
        if (bits === 8) this.#store(to);
        else if (half === 1) {
          // Codes of four bits lie two a byte: the even numbers come first, as the low halves of the codes' bytes will.
          code.uzp1B(even!, packed[0]!, packed[1]!);
          code.uzp2B(odd!, packed[0]!, packed[1]!);
          this.#store(even!);
          this.#store(odd!);
        }
      }
    code.addv(sum!, sum!);
    code.scvtf(sum!, sum!);
    code.fmul(sum!, sum!, scale!);
    code.strSPost(sum!, sums);
    code.addConstant(x, block * 4);
  }

  #store(from: Vector): void {
    const code = this.#code;
    if (this.#paired) for (const half of [0, 1]) code.st1DPost(from, half, bytes, distance);
    else code.strQPost(from, bytes);
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
    if (this.#paired) code.addConstant(scales, 4);
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
