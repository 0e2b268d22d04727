/**
 * Machine code for x86-64: the few instructions that the kernels here are made of, under the processor's own names.
 * Encodings are those of Intel's "Software Developer's Manual", volume 2.
 *
 * Vector instructions are the 512-bit EVEX forms; those of 256 bits are in vex-assembler.ts. Displacements always take four bytes: EVEX scales short ones by the width
 * of the access, and a few bytes of code cost nothing here.
 */

/** General registers by number. */
export const [rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
] as const;

/** Registers that a function must leave as they were (System V). */
export const calleeSaved = [rbx, rbp, r12, r13, r14, r15];

export type General = number;
/** zmm0 … zmm31 by number. */
export type Vector = number;
/** k1 … k7 by number. */
export type Mask = number;

export interface Memory {
  base: General;
  offset: number;
}

export const at = (base: General, offset = 0): Memory => ({ base, offset });

/** A jump's target, placed once. */
export interface Label {
  position: number | null;
  /** Places at which four bytes wait for the distance. */
  uses: number[];
}

export const newLabel = (): Label => ({ position: null, uses: [] });

/** The processor's conditions, as in `jl`: less, signed. */
const conditions = { b: 2, e: 4, ne: 5, l: 12, ge: 13, le: 14, g: 15 } as const;
export type Condition = keyof typeof conditions;

export interface VectorOptions {
  /** Lanes to work on. */
  mask?: Mask;
  /** Clears the other lanes; else they keep what they held. */
  zero?: boolean;
  /** The operand in memory is one number, for all lanes. */
  broadcast?: boolean;
}

/** Place of an instruction in the EVEX maps. */
interface Opcode {
  /** 1: 0F, 2: 0F 38, 3: 0F 3A. */
  map: 1 | 2 | 3;
  /** 0: none, 1: 66, 2: F3, 3: F2. */
  prefix: 0 | 1 | 2 | 3;
  code: number;
  /** 64-bit elements. */
  wide?: boolean;
  /** 128-bit form. */
  short?: boolean;
}

export const isMemory = (operand: Vector | Memory): operand is Memory => typeof operand !== 'number';

export class Assembler {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  toBytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  // Control.

  place(label: Label): void {
    label.position = this.length;
    for (const use of label.uses) this.#patch(use, label.position);
  }

  jmp(label: Label): void {
    this.emit(0xe9);
    this.#distance(label);
  }

  j(condition: Condition, label: Label): void {
    this.emit(0x0f, 0x80 + conditions[condition]);
    this.#distance(label);
  }

  call(target: Label | General): void {
    if (typeof target === 'number') {
      this.#rex(0, 0, target);
      this.emit(0xff, 0xd0 | (target & 7));
      return;
    }
    this.emit(0xe8);
    this.#distance(target);
  }

  ret(): void {
    this.emit(0xc3);
  }

  push(register: General): void {
    if (register > 7) this.emit(0x41);
    this.emit(0x50 | (register & 7));
  }

  pop(register: General): void {
    if (register > 7) this.emit(0x41);
    this.emit(0x58 | (register & 7));
  }

  // Whole numbers of 64 bits.

  /** Loads a constant, a register or memory. */
  mov(to: General, from: General | Memory): void {
    if (typeof from === 'number') this.#pair(0x8b, to, from);
    else this.#withMemory(0x8b, to, from);
  }

  movConstant(to: General, value: number | bigint): void {
    this.#rex(1, 0, to);
    this.emit(0xb8 | (to & 7));
    let rest = BigInt.asUintN(64, BigInt(value));
    for (let byte = 0; byte < 8; byte += 1) {
      this.emit(Number(rest & 255n));
      rest >>= 8n;
    }
  }

  store(to: Memory, from: General): void {
    this.#withMemory(0x89, from, to);
  }

  lea(to: General, from: Memory): void {
    this.#withMemory(0x8d, to, from);
  }

  /** The address of a label. */
  leaLabel(to: General, label: Label): void {
    this.#rex(1, to, 0);
    this.emit(0x8d, ((to & 7) << 3) | 5);
    this.#distance(label);
  }

  add(to: General, value: General): void {
    this.#pair(0x03, to, value);
  }

  /** to −= value. */
  sub(to: General, value: General): void {
    this.#pair(0x2b, to, value);
  }

  /** to ×= value, signed. */
  multiply(to: General, value: General): void {
    this.#rex(1, to, value);
    this.emit(0x0f, 0xaf, 0xc0 | ((to & 7) << 3) | (value & 7));
  }

  /** 32 bits of memory as a signed number of 64. */
  movsxd(to: General, from: Memory): void {
    this.#withMemory(0x63, to, from);
  }

  /** 16 bits of memory; the others of `to` become zero. */
  movzxWord(to: General, from: Memory): void {
    this.#rex(1, to, from.base);
    this.emit(0x0f, 0xb7);
    this.memory(to, from);
  }

  /** The low 16 bits. */
  storeWord(to: Memory, from: General): void {
    this.emit(0x66, 0x40 | ((from >> 3) << 2) | (to.base >> 3), 0x89);
    this.memory(from, to);
  }

  addConstant(to: General, value: number): void {
    this.#immediate(0, to, value);
  }

  subConstant(to: General, value: number): void {
    this.#immediate(5, to, value);
  }

  andConstant(to: General, value: number): void {
    this.#immediate(4, to, value);
  }

  cmp(left: General, right: General): void {
    this.#pair(0x3b, left, right);
  }

  cmpConstant(left: General, value: number): void {
    this.#immediate(7, left, value);
  }

  test(left: General, right: General): void {
    this.#pair(0x85, right, left);
  }

  /** to = from × factor, signed. */
  imul(to: General, from: General, factor: number): void {
    this.#pair(0x69, to, from);
    this.word(factor);
  }

  /** rax = rdx:rax ÷ by, rdx = the rest. */
  div(by: General): void {
    this.#rex(1, 0, by);
    this.emit(0xf7, 0xf0 | (by & 7));
  }

  /** rax ÷ a constant, both unsigned; rdx and rcx are lost. */
  divConstant(by: number): void {
    this.movConstant(rdx, 0);
    this.movConstant(rcx, by);
    this.div(rcx);
  }

  cmov(condition: Condition, to: General, from: General): void {
    this.#rex(1, to, from);
    this.emit(0x0f, 0x40 + conditions[condition], 0xc0 | ((to & 7) << 3) | (from & 7));
  }

  /** @param cache the first or the second */
  prefetch(from: Memory, cache: 1 | 2 = 1): void {
    if (from.base > 7) this.emit(0x41);
    this.emit(0x0f, 0x18);
    this.memory(cache, from);
  }

  /** Lanes of a mask from rax. */
  kmovFromRax(to: Mask): void {
    this.emit(0xc4, 0xe1, 0xfb, 0x92, 0xc0 | (to << 3));
  }

  /** Adds a register to memory that other threads change as well; the register gets what was there. */
  lockXadd(to: Memory, from: General): void {
    this.emit(0xf0);
    this.#rex(1, from, to.base);
    this.emit(0x0f, 0xc1);
    this.memory(from, to);
  }

  /** Puts a register into memory if that holds what rax does, and says so by `e`; else rax gets what it holds. */
  lockCmpxchg(to: Memory, from: General): void {
    this.emit(0xf0);
    this.#rex(1, from, to.base);
    this.emit(0x0f, 0xb1);
    this.memory(from, to);
  }

  /** Tells the processor that this is a loop of waiting. */
  pause(): void {
    this.emit(0xf3, 0x90);
  }

  /** Facts of the processor: of leaf rax and subleaf rcx, to rax, rbx, rcx and rdx. */
  cpuid(): void {
    this.emit(0x0f, 0xa2);
  }

  /** Registers whose state the system keeps, to rdx:rax; rcx is 0. */
  xgetbv(): void {
    this.emit(0x0f, 0x01, 0xd0);
  }

  /** 16 bytes, by an instruction of every processor. */
  movups(to: Vector, from: Memory): void {
    this.#movups(0x10, to, from);
  }

  storeMovups(to: Memory, from: Vector): void {
    this.#movups(0x11, from, to);
  }

  #movups(code: number, register: Vector, memory: Memory): void {
    this.#rex(0, register, memory.base);
    this.emit(0x0f, code);
    this.memory(register, memory);
  }

  /** Ends the use of wide registers: what follows may be old vector code, slow after them. */
  vzeroupper(): void {
    this.emit(0xc5, 0xf8, 0x77);
  }

  /** A function that returns at the end of its body; `saved` come back as they were. */
  routine(body: () => void, saved: readonly General[] = []): Label {
    const entry = newLabel();
    this.place(entry);
    for (const register of saved) this.push(register);
    body();
    for (const register of saved.toReversed()) this.pop(register);
    this.ret();
    return entry;
  }

  /** Sets the first lanes of a mask, by way of rax. */
  setMask(mask: Mask, lanes: number): void {
    this.movConstant(rax, (1n << BigInt(lanes)) - 1n);
    this.kmovFromRax(mask);
  }

  repeat(counter: General, times: number, body: () => void): void {
    if (times === 0) return;
    const again = newLabel();
    this.movConstant(counter, times);
    this.place(again);
    body();
    this.subConstant(counter, 1);
    this.j('ne', again);
  }

  // Vectors. `to` first, then the operands in the manual's order.

  vmovdqu32 = (to: Vector, from: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 2, code: 0x6f }, to, 0, from, options);
  storeVmovdqu32 = (to: Memory, from: Vector, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 2, code: 0x7f }, from, 0, to, options);
  vmovdqu8 = (to: Vector, from: Memory, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 3, code: 0x6f }, to, 0, from, options);
  /** The lowest four lanes. */
  storeVmovups128 = (to: Memory, from: Vector) =>
    this.evex({ map: 1, prefix: 0, code: 0x11, short: true }, from, 0, to);
  /** The lowest two lanes. */
  storeVmovlps = (to: Memory, from: Vector) =>
    this.evex({ map: 1, prefix: 0, code: 0x13, short: true }, from, 0, to);
  /** Lanes 2 and 3. */
  storeVmovhps = (to: Memory, from: Vector) =>
    this.evex({ map: 1, prefix: 0, code: 0x17, short: true }, from, 0, to);
  /** The lowest lane. */
  storeVmovss = (to: Memory, from: Vector) =>
    this.evex({ map: 1, prefix: 2, code: 0x11, short: true }, from, 0, to);
  vbroadcastss = (to: Vector, from: Vector | Memory) =>
    this.evex({ map: 2, prefix: 1, code: 0x18 }, to, 0, from);
  /** A general register's low 32 bits to all lanes. */
  vpbroadcastd = (to: Vector, from: General) => this.evex({ map: 2, prefix: 1, code: 0x7c }, to, 0, from);
  /** 16 bytes to 16 lanes of 32 bits. */
  vpmovzxbd = (to: Vector, from: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 2, prefix: 1, code: 0x31 }, to, 0, from, options);
  /** 16 lanes of 32 bits to 16 signed bytes, the largest where a number is larger. */
  storeVpmovsdb = (to: Memory, from: Vector) => this.evex({ map: 2, prefix: 2, code: 0x21 }, from, 0, to);

  vpandd = (to: Vector, a: Vector, b: Vector | Memory) =>
    this.evex({ map: 1, prefix: 1, code: 0xdb }, to, a, b);
  vpxord = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 1, code: 0xef }, to, a, b);
  vpaddd = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 1, code: 0xfe }, to, a, b);
  vpsrlw = (to: Vector, from: Vector, by: number) => {
    this.evex({ map: 1, prefix: 1, code: 0x71 }, 2, to, from);
    this.emit(by);
  };
  vpsrlvd = (to: Vector, from: Vector, by: Vector | Memory) =>
    this.evex({ map: 2, prefix: 1, code: 0x45 }, to, from, by);
  /** Lane i of `to` is lane index[i] of `from`. */
  vpermd = (to: Vector, index: Vector, from: Vector) =>
    this.evex({ map: 2, prefix: 1, code: 0x36 }, to, index, from);
  /** Lane i of `to` is lane index[i] of `to` (0 … 15) or of `from` (16 … 31). */
  vpermt2d = (to: Vector, index: Vector, from: Vector) =>
    this.evex({ map: 2, prefix: 1, code: 0x7e }, to, index, from);
  /** Adds to each lane of 32 bits four products of an unsigned byte of a and a signed one of b. */
  vpdpbusd = (to: Vector, a: Vector, b: Vector | Memory) =>
    this.evex({ map: 2, prefix: 1, code: 0x50 }, to, a, b);

  vcvtdq2ps = (to: Vector, from: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 0, code: 0x5b }, to, 0, from, options);
  vcvtps2dq = (to: Vector, from: Vector) => this.evex({ map: 1, prefix: 1, code: 0x5b }, to, 0, from);
  vaddps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x58 }, to, a, b);
  vmulps = (to: Vector, a: Vector, b: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 1, prefix: 0, code: 0x59 }, to, a, b, options);
  vdivps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x5e }, to, a, b);
  vmaxps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x5f }, to, a, b);
  /** to = a × to + b. */
  vfmadd213ps = (to: Vector, a: Vector, b: Vector | Memory) =>
    this.evex({ map: 2, prefix: 1, code: 0xa8 }, to, a, b);
  /** to += a × b. */
  vfmadd231ps = (to: Vector, a: Vector, b: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 2, prefix: 1, code: 0xb8 }, to, a, b, options);
  /** to −= a × b. */
  vfnmadd231ps = (to: Vector, a: Vector, b: Vector | Memory, options?: VectorOptions) =>
    this.evex({ map: 2, prefix: 1, code: 0xbc }, to, a, b, options);

  vunpcklps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x14 }, to, a, b);
  vunpckhps = (to: Vector, a: Vector, b: Vector) => this.evex({ map: 1, prefix: 0, code: 0x15 }, to, a, b);
  vunpcklpd = (to: Vector, a: Vector, b: Vector) =>
    this.evex({ map: 1, prefix: 1, code: 0x14, wide: true }, to, a, b);
  vunpckhpd = (to: Vector, a: Vector, b: Vector) =>
    this.evex({ map: 1, prefix: 1, code: 0x15, wide: true }, to, a, b);
  /** Lanes within each four, chosen by two bits each. */
  vpermilps = (to: Vector, from: Vector, choice: number) => {
    this.evex({ map: 3, prefix: 1, code: 0x04 }, to, 0, from);
    this.emit(choice);
  };
  /** Fours of lanes, chosen by two bits each: the first two from a, the others from b. */
  vshuff32x4 = (to: Vector, a: Vector, b: Vector, choice: number) => {
    this.evex({ map: 3, prefix: 1, code: 0x23 }, to, a, b);
    this.emit(choice);
  };

  // Encoding.

  protected emit(...bytes: number[]): void {
    this.#bytes.push(...bytes);
  }

  protected word(value: number): void {
    this.emit(value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255);
  }

  #distance(label: Label): void {
    const use = this.length;
    this.word(0);
    if (label.position === null) label.uses.push(use);
    else this.#patch(use, label.position);
  }

  /** Distances count from the end of the instruction, which the distance ends. */
  #patch(use: number, target: number): void {
    const distance = target - (use + 4);
    for (let byte = 0; byte < 4; byte += 1) this.#bytes[use + byte] = (distance >> (8 * byte)) & 255;
  }

  #rex(wide: 0 | 1, register: General, other: General): void {
    const bits = (wide << 3) | ((register >> 3) << 2) | (other >> 3);
    if (bits !== 0) this.emit(0x40 | bits);
  }

  #pair(code: number, register: General, other: General): void {
    this.#rex(1, register, other);
    this.emit(code, 0xc0 | ((register & 7) << 3) | (other & 7));
  }

  #withMemory(code: number, register: General, memory: Memory): void {
    this.#rex(1, register, memory.base);
    this.emit(code);
    this.memory(register, memory);
  }

  #immediate(operation: number, to: General, value: number): void {
    this.#rex(1, 0, to);
    this.emit(0x81, 0xc0 | (operation << 3) | (to & 7));
    this.word(value);
  }

  protected memory(register: number, { base, offset }: Memory): void {
    this.emit(0x80 | ((register & 7) << 3) | (base & 7));
    // As a base, rsp and r12 can only be named in the longer form.
    if ((base & 7) === 4) this.emit(0x24);
    this.word(offset);
  }

  protected evex(
    opcode: Opcode,
    register: number,
    second: number,
    rm: number | Memory,
    options: VectorOptions = {},
  ) {
    const memory = isMemory(rm);
    const number = memory ? rm.base : rm;
    const { broadcast = false, mask = 0, zero = false } = options;
    const inverted = (bit: number, place: number) => ((bit & 1) ^ 1) << place;
    this.emit(
      0x62,
      inverted(register >> 3, 7) |
        inverted(memory ? 0 : number >> 4, 6) |
        inverted(number >> 3, 5) |
        inverted(register >> 4, 4) |
        opcode.map,
      ((opcode.wide ? 1 : 0) << 7) | ((~second & 15) << 3) | 4 | opcode.prefix,
      ((zero ? 1 : 0) << 7) |
        ((opcode.short ? 0 : 2) << 5) |
        ((broadcast ? 1 : 0) << 4) |
        inverted(second >> 4, 3) |
        mask,
      opcode.code,
    );
    if (memory) this.memory(register, rm);
    else this.emit(0xc0 | ((register & 7) << 3) | (number & 7));
  }
}

/** The bits of a number as float32. */
export const floatBits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
