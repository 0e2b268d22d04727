/**
 * Vector instructions of 256 and 128 bits in their VEX forms, for processors without AVX-512: registers ymm0 … ymm15, no
 * masks, no broadcast within an operand. What the longer forms share its name with is written in the shorter one here.
 */
import { Assembler, type General, isMemory, type Memory, type Vector } from './assembler.ts';

/** Place of an instruction in the VEX maps; 256 bits unless `short`. */
interface Opcode {
  /** 1: 0F, 2: 0F 38, 3: 0F 3A. */
  map: 1 | 2 | 3;
  /** 0: none, 1: 66, 2: F3, 3: F2. */
  prefix: 0 | 1 | 2 | 3;
  code: number;
  wide?: boolean;
  short?: boolean;
}

type Operand = Vector | Memory;

export class VexAssembler extends Assembler {
  vmovdqu = (to: Vector, from: Operand) => this.vex({ map: 1, prefix: 2, code: 0x6f }, to, 0, from);
  /** 16 bytes; the upper half becomes 0. */
  vmovdqu128 = (to: Vector, from: Memory) =>
    this.vex({ map: 1, prefix: 2, code: 0x6f, short: true }, to, 0, from);
  storeVmovdqu = (to: Memory, from: Vector) => this.vex({ map: 1, prefix: 2, code: 0x7f }, from, 0, to);
  storeVmovdqu128 = (to: Memory, from: Vector) =>
    this.vex({ map: 1, prefix: 2, code: 0x7f, short: true }, from, 0, to);
  /** The lowest lane; the others become 0. */
  vmovd = (to: Vector, from: Memory) => this.vex({ map: 1, prefix: 1, code: 0x6e, short: true }, to, 0, from);
  /** The lowest two lanes; the others become 0. */
  vmovq = (to: Vector, from: Memory) => this.vex({ map: 1, prefix: 2, code: 0x7e, short: true }, to, 0, from);
  storeVmovd = (to: Memory, from: Vector) =>
    this.vex({ map: 1, prefix: 1, code: 0x7e, short: true }, from, 0, to);
  override storeVmovlps = (to: Memory, from: Vector) =>
    this.vex({ map: 1, prefix: 0, code: 0x13, short: true }, from, 0, to);
  override storeVmovhps = (to: Memory, from: Vector) =>
    this.vex({ map: 1, prefix: 0, code: 0x17, short: true }, from, 0, to);
  /** Lanes whose mask is negative; the others become 0 and their memory is not touched. */
  vmaskmovps = (to: Vector, mask: Vector, from: Memory) =>
    this.vex({ map: 2, prefix: 1, code: 0x2c }, to, mask, from);
  override vbroadcastss = (to: Vector, from: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x18 }, to, 0, from);
  /** A byte into one of the lowest 16. */
  vpinsrb = (to: Vector, from: Memory, place: number) => {
    this.vex({ map: 3, prefix: 1, code: 0x20, short: true }, to, to, from);
    this.emit(place);
  };
  override vpbroadcastd = (to: Vector, from: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x58 }, to, 0, from);
  /** Eight bytes to eight lanes of 32 bits. */
  override vpmovzxbd = (to: Vector, from: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x31 }, to, 0, from);

  vpand = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0xdb }, to, a, b);
  vpxor = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0xef }, to, a, b);
  override vpaddd = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 1, prefix: 1, code: 0xfe }, to, a, b);
  vpaddw = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0xfd }, to, a, b);
  override vpsrlw = (to: Vector, from: Vector, by: number) => {
    this.vex({ map: 1, prefix: 1, code: 0x71 }, 2, to, from);
    this.emit(by);
  };
  override vpsrlvd = (to: Vector, from: Vector, by: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x45 }, to, from, by);
  /** Lane i of `to` is lane index[i] of `from`. */
  override vpermd = (to: Vector, index: Vector, from: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x36 }, to, index, from);
  /** Lanes of 64 bits, chosen by two bits each. */
  vpermq = (to: Vector, from: Operand, choice: number) => {
    this.vex({ map: 3, prefix: 1, code: 0x00, wide: true }, to, 0, from);
    this.emit(choice);
  };
  /** Within each half: the first two lanes from a, the others from b, chosen by two bits each. */
  vshufps = (to: Vector, a: Vector, b: Operand, choice: number) => {
    this.vex({ map: 1, prefix: 0, code: 0xc6 }, to, a, b);
    this.emit(choice);
  };
  /** Within each half: a's signed dwords, then b's, as words, the nearest there is. */
  vpackssdw = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0x6b }, to, a, b);
  /** Within each half: a's signed words, then b's, as bytes, the nearest there is. */
  vpacksswb = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0x63 }, to, a, b);
  /** The upper half as the lower one of another register. */
  vextracti128 = (to: Vector, from: Vector) => {
    this.vex({ map: 3, prefix: 1, code: 0x39 }, from, 0, to);
    this.emit(1);
  };

  /** AVX-VNNI: adds to each lane of 32 bits four products of an unsigned byte of a and a signed one of b. */
  override vpdpbusd = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0x50 }, to, a, b);
  /** Words, each of two products of an unsigned byte of a and a signed one of b; the largest where a sum is larger. */
  vpmaddubsw = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 2, prefix: 1, code: 0x04 }, to, a, b);
  /** Lanes of 32 bits, each of two products of words. */
  vpmaddwd = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 1, code: 0xf5 }, to, a, b);

  override vcvtdq2ps = (to: Vector, from: Operand) =>
    this.vex({ map: 1, prefix: 0, code: 0x5b }, to, 0, from);
  override vcvtps2dq = (to: Vector, from: Operand) =>
    this.vex({ map: 1, prefix: 1, code: 0x5b }, to, 0, from);
  override vaddps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 1, prefix: 0, code: 0x58 }, to, a, b);
  vsubps = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 0, code: 0x5c }, to, a, b);
  override vmulps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 1, prefix: 0, code: 0x59 }, to, a, b);
  override vdivps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 1, prefix: 0, code: 0x5e }, to, a, b);
  override vmaxps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 1, prefix: 0, code: 0x5f }, to, a, b);
  /** to += a × b. */
  override vfmadd231ps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0xb8 }, to, a, b);
  /** to −= a × b. */
  override vfnmadd231ps = (to: Vector, a: Vector, b: Operand) =>
    this.vex({ map: 2, prefix: 1, code: 0xbc }, to, a, b);
  /** Within each half: sums of neighbours of a, then of b. */
  vhaddps = (to: Vector, a: Vector, b: Operand) => this.vex({ map: 1, prefix: 3, code: 0x7c }, to, a, b);

  protected vex(opcode: Opcode, register: number, second: number, rm: General | Operand): void {
    const memory = isMemory(rm);
    const number = memory ? rm.base : rm;
    const inverted = (bit: number, place: number) => ((bit & 1) ^ 1) << place;
    this.emit(
      0xc4,
      inverted(register >> 3, 7) | (1 << 6) | inverted(number >> 3, 5) | opcode.map,
      ((opcode.wide ? 1 : 0) << 7) | ((~second & 15) << 3) | ((opcode.short ? 0 : 1) << 2) | opcode.prefix,
      opcode.code,
    );
    if (memory) this.memory(register, rm);
    else this.emit(0xc0 | ((register & 7) << 3) | (number & 7));
  }
}
