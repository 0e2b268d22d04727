/**
 * Machine code for ARM64: the few instructions that the kernels here are made of. Those of calling-convention.ts have x86-64's
 * names; the others have the processor's own, with their form where there are several. Encodings are those of the "Arm
 * Architecture Reference Manual" for A-profile, C4.
 */
import type { Condition, General, Label, Memory, Vector } from '../assembler.ts';
import { newLabel } from '../assembler.ts';
import type { CallCode } from '../calling-convention.ts';

/** The stack's pointer, where an instruction knows it. */
export const sp: General = 31;
/** Holds constants between instructions; no other use outlives one. */
const scratch: General = 17;

const conditions: Record<Condition, number> = { e: 0, ne: 1, b: 3, ge: 10, l: 11, g: 12, le: 13 };

/** Opcode of the form with an offset, opcode of that which moves the pointer on, and bytes that are loaded or stored. */
type Access = readonly [offset: number, post: number, size: number];
const access = {
  x: [0xf9400000, 0xf8400400, 8],
  storeX: [0xf9000000, 0xf8000400, 8],
  b: [0x3d400000, 0x3c400400, 1],
  h: [0x7d400000, 0x7c400400, 2],
  s: [0xbd400000, 0xbc400400, 4],
  storeS: [0xbd000000, 0xbc000400, 4],
  d: [0xfd400000, 0xfc400400, 8],
  q: [0x3dc00000, 0x3cc00400, 16],
  storeQ: [0x3d800000, 0x3c800400, 16],
} as const satisfies Record<string, Access>;

export class Arm64Assembler implements CallCode {
  readonly #words: number[] = [];

  get length(): number {
    return this.#words.length * 4;
  }

  toBytes(): Uint8Array {
    return new Uint8Array(Uint32Array.from(this.#words).buffer);
  }

  // Control.

  place(label: Label): void {
    label.position = this.length;
    for (const use of label.uses) this.#patch(use, label.position);
  }

  jmp(label: Label): void {
    this.#jump(0x14000000, label);
  }

  j(condition: Condition, label: Label): void {
    this.#jump(0x54000000 | conditions[condition], label);
  }

  call(routine: Label): void {
    this.#jump(0x94000000, routine);
  }

  /** Calls what lies at the address in a register. */
  blr(target: General): void {
    this.#word(0xd63f0000, target << 5);
  }

  ret(): void {
    this.#word(0xd65f03c0);
  }

  /** @param saved of an even count, so that the stack keeps its border of 16 */
  routine(body: () => void, saved: readonly General[] = []): Label {
    const entry = newLabel();
    this.place(entry);
    for (let pair = 0; pair < saved.length; pair += 2)
      this.#word(0xa9bf0000, (saved[pair + 1]! << 10) | (sp << 5) | saved[pair]!);
    body();
    for (let pair = saved.length - 2; pair >= 0; pair -= 2)
      this.#word(0xa8c10000, (saved[pair + 1]! << 10) | (sp << 5) | saved[pair]!);
    this.ret();
    return entry;
  }

  /** Two halves of vector registers to the stack. */
  pushHalves(first: Vector, second: Vector): void {
    this.#word(0x6dbf0000, (second << 10) | (sp << 5) | first);
  }

  popHalves(first: Vector, second: Vector): void {
    this.#word(0x6cc10000, (second << 10) | (sp << 5) | first);
  }

  repeat(counter: General, times: number, body: () => void): void {
    if (times === 0) return;
    const again = newLabel();
    this.movConstant(counter, times);
    this.place(again);
    body();
    // subs
    this.#word(0xf1000400, (counter << 5) | counter);
    this.j('ne', again);
  }

  // Whole numbers of 64 bits.

  mov(to: General, from: General | Memory): void {
    if (typeof from !== 'number') this.#access(access.x, to, from);
    // Only an addition knows the stack's pointer.
    else if (to === sp || from === sp) this.#word(0x91000000, (from << 5) | to);
    else this.#word(0xaa0003e0, (from << 16) | to);
  }

  movConstant(to: General, value: number | bigint): void {
    const bits = BigInt.asUintN(64, BigInt(value));
    const parts = [0, 1, 2, 3].map((part) => Number((bits >> BigInt(16 * part)) & 0xffffn));
    const first = Math.max(
      0,
      parts.findIndex((part) => part > 0),
    );
    for (let part = first; part < 4; part += 1) {
      if (part > first && parts[part] === 0) continue;
      // movz, movk
      this.#word(part === first ? 0xd2800000 : 0xf2800000, (part << 21) | (parts[part]! << 5) | to);
    }
  }

  store(to: Memory, from: General): void {
    this.#access(access.storeX, from, to);
  }

  lea(to: General, { base, offset }: Memory): void {
    const size = Math.abs(offset);
    const [add, addExtended] = offset < 0 ? [0xd1000000, 0xcb206000] : [0x91000000, 0x8b206000];
    if (size < 1 << 24) {
      const [low, high] = [size & 0xfff, size >> 12];
      if (high > 0) this.#word(add, (1 << 22) | (high << 10) | (base << 5) | to);
      if (low > 0 || high === 0) this.#word(add, (low << 10) | ((high > 0 ? to : base) << 5) | to);
      return;
    }
    this.movConstant(scratch, size);
    this.#word(addExtended, (scratch << 16) | (base << 5) | to);
  }

  leaLabel(to: General, label: Label): void {
    this.#jump(0x10000000 | to, label);
  }

  add(to: General, value: General): void {
    this.#word(0x8b000000, (value << 16) | (to << 5) | to);
  }

  addConstant(to: General, value: number): void {
    this.lea(to, { base: to, offset: value });
  }

  subConstant(to: General, value: number): void {
    this.lea(to, { base: to, offset: -value });
  }

  andConstant(to: General, value: number): void {
    this.movConstant(scratch, value);
    this.#word(0x8a000000, (scratch << 16) | (to << 5) | to);
  }

  cmp(left: General, right: General): void {
    this.#word(0xeb00001f, (right << 16) | (left << 5));
  }

  cmpConstant(left: General, value: number): void {
    if (value >= 0 && value < 1 << 12) {
      this.#word(0xf100001f, (value << 10) | (left << 5));
      return;
    }
    this.movConstant(scratch, value);
    this.cmp(left, scratch);
  }

  test(left: General, right: General): void {
    this.#word(0xea00001f, (right << 16) | (left << 5));
  }

  imul(to: General, from: General, factor: number): void {
    this.movConstant(scratch, factor);
    this.#word(0x9b007c00, (scratch << 16) | (from << 5) | to);
  }

  divConstant(by: number): void {
    this.movConstant(scratch, by);
    this.#word(0x9ac00800, scratch << 16);
  }

  cmov(condition: Condition, to: General, from: General): void {
    this.#word(0x9a800000, (to << 16) | (conditions[condition] << 12) | (from << 5) | to);
  }

  /** Into the first cache. */
  prfm({ base, offset }: Memory): void {
    this.#word(0xf9800000, ((offset / 8) << 10) | (base << 5));
  }

  // Vectors in memory; `Post` forms move the pointer on by so many bytes.

  ldrB = (to: Vector, from: Memory) => this.#access(access.b, to, from);
  ldrH = (to: Vector, from: Memory) => this.#access(access.h, to, from);
  /** The lowest lane; the others become 0, as after every load of a part. */
  ldrS = (to: Vector, from: Memory) => this.#access(access.s, to, from);
  ldrD = (to: Vector, from: Memory) => this.#access(access.d, to, from);
  ldrQ = (to: Vector, from: Memory) => this.#access(access.q, to, from);
  strS = (from: Vector, to: Memory) => this.#access(access.storeS, from, to);
  strQ = (from: Vector, to: Memory) => this.#access(access.storeQ, from, to);
  ldrSPost = (to: Vector, from: General) => this.#post(access.s, to, from);
  ldrQPost = (to: Vector, from: General) => this.#post(access.q, to, from);
  strSPost = (from: Vector, to: General) => this.#post(access.storeS, from, to);
  strQPost = (from: Vector, to: General) => this.#post(access.storeQ, from, to);
  ldrDPost = (to: Vector, from: General) => this.#post(access.d, to, from);
  /** One of two halves; the pointer moves on by a register. */
  st1DPost = (from: Vector, half: number, to: General, by: General) =>
    this.#word(0x0d808400, (half << 30) | (by << 16) | (to << 5) | from);
  /** One lane of four. */
  ld1S = (to: Vector, lane: number, from: General) => this.#word(0x0d408000, laneOf(lane, from, to));
  ld1SPost = (to: Vector, lane: number, from: General) => this.#word(0x0ddf8000, laneOf(lane, from, to));
  /** One byte of the first four. */
  ld1B = (to: Vector, lane: number, from: General) => this.#word(0x0d400000, (lane << 10) | (from << 5) | to);

  // Vectors of 16 bytes, or four lanes of 32 bits. `to` first, then the operands in the manual's order.

  /** The same byte everywhere. */
  moviB = (to: Vector, value: number) =>
    this.#word(0x4f00e400, ((value >> 5) << 16) | ((value & 31) << 5) | to);
  clear = (to: Vector) => this.#word(0x6f00e400, to);
  /** A general register's low 32 bits to all lanes. */
  dup = (to: Vector, from: General) => this.#word(0x4e040c00, (from << 5) | to);
  /** The lowest lane to all. */
  dupLane = (to: Vector, from: Vector) => this.#word(0x4e040400, (from << 5) | to);
  /** A general register to one of two halves. */
  insD = (to: Vector, half: number, from: General) => this.#word(0x4e081c00, (half << 20) | (from << 5) | to);
  and = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e201c00, to, a, b);
  eor = (to: Vector, a: Vector, b: Vector) => this.#three(0x6e201c00, to, a, b);
  /** Of each byte. */
  ushrB = (to: Vector, from: Vector, by: number) =>
    this.#word(0x6f000400, ((16 - by) << 16) | (from << 5) | to);
  /** Each lane to the left; by less than nothing: to the right. */
  ushl = (to: Vector, from: Vector, by: Vector) => this.#three(0x6ea04400, to, from, by);
  /** Adds to each lane four products of signed bytes. */
  sdot = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e809400, to, a, b);
  /** Of i8mm: rows of eight signed bytes, two of a and two of b: adds the products of each with each, a's first row first. */
  smmla = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e80a400, to, a, b);
  add4 = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ea08400, to, a, b);
  /** Sums of neighbors of a, then of b. */
  addp = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ea0bc00, to, a, b);
  /** The sum of all lanes in the lowest; the others become 0. */
  addv = (to: Vector, from: Vector) => this.#two(0x4eb1b800, to, from);
  uzp1B = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e001800, to, a, b);
  uzp2B = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e005800, to, a, b);
  /** The lower halves of a and b, or the upper ones. */
  zip1D = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ec03800, to, a, b);
  zip2D = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ec07800, to, a, b);
  /** Lanes to signed words, the nearest there is: to the lower half, or the upper one. */
  sqxtnH = (to: Vector, from: Vector) => this.#two(0x0e614800, to, from);
  sqxtn2H = (to: Vector, from: Vector) => this.#two(0x4e614800, to, from);
  /** Words to signed bytes, likewise. */
  sqxtnB = (to: Vector, from: Vector) => this.#two(0x0e214800, to, from);
  sqxtn2B = (to: Vector, from: Vector) => this.#two(0x4e214800, to, from);
  /** Bytes of the lower half to words; words of the lower half to lanes. */
  uxtlH = (to: Vector, from: Vector) => this.#two(0x2f08a400, to, from);
  uxtlS = (to: Vector, from: Vector) => this.#two(0x2f10a400, to, from);

  ucvtf = (to: Vector, from: Vector) => this.#two(0x6e21d800, to, from);
  scvtf = (to: Vector, from: Vector) => this.#two(0x4e21d800, to, from);
  /** To the nearest whole number, of two the even one. */
  fcvtns = (to: Vector, from: Vector) => this.#two(0x4e21a800, to, from);
  fabs = (to: Vector, from: Vector) => this.#two(0x4ea0f800, to, from);
  fmaxnm = (to: Vector, a: Vector, b: Vector) => this.#three(0x4e20c400, to, a, b);
  /** The largest of all lanes in the lowest; the others become 0. */
  fmaxnmv = (to: Vector, from: Vector) => this.#two(0x6e30c800, to, from);
  fsub = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ea0d400, to, a, b);
  fmul = (to: Vector, a: Vector, b: Vector) => this.#three(0x6e20dc00, to, a, b);
  fdiv = (to: Vector, a: Vector, b: Vector) => this.#three(0x6e20fc00, to, a, b);
  faddp = (to: Vector, a: Vector, b: Vector) => this.#three(0x6e20d400, to, a, b);
  /** to += a × one of the two lowest lanes of b. */
  fmlaLane = (to: Vector, a: Vector, b: Vector, lane: 0 | 1 = 0) =>
    this.#three(0x4f801000 | (lane << 21), to, a, b);
  /** to −= a × b. */
  fmls = (to: Vector, a: Vector, b: Vector) => this.#three(0x4ea0cc00, to, a, b);

  // Encoding.

  #word(opcode: number, fields = 0): void {
    this.#words.push((opcode | fields) >>> 0);
  }

  #two(opcode: number, to: Vector, from: Vector): void {
    this.#word(opcode, (from << 5) | to);
  }

  #three(opcode: number, to: Vector, a: Vector, b: Vector): void {
    this.#word(opcode, (b << 16) | (a << 5) | to);
  }

  /** @throws RangeError where an offset is none that the instruction can hold */
  #access([opcode, , size]: Access, register: number, { base, offset }: Memory): void {
    const steps = offset / size;
    if (!Number.isInteger(steps) || steps < 0 || steps > 4095) throw new RangeError(`offset ${offset}`);
    this.#word(opcode, (steps << 10) | (base << 5) | register);
  }

  #post([, opcode, size]: Access, register: number, base: General): void {
    this.#word(opcode, (size << 12) | (base << 5) | register);
  }

  #jump(opcode: number, label: Label): void {
    const use = this.length;
    this.#word(opcode);
    if (label.position === null) label.uses.push(use);
    else this.#patch(use, label.position);
  }

  /** Distances count from the instruction itself. */
  #patch(use: number, target: number): void {
    const word = this.#words[use / 4]!;
    const distance = target - use;
    const steps = distance / 4;
    const field =
      (word & 0x9f000000) >>> 0 === 0x10000000
        ? ((distance & 3) << 29) | (((distance >> 2) & 0x7ffff) << 5)
        : (word & 0xff000000) >>> 0 === 0x54000000
          ? (steps & 0x7ffff) << 5
          : steps & 0x3ffffff;
    this.#words[use / 4] = (word | field) >>> 0;
  }
}

const laneOf = (lane: number, from: General, to: Vector): number =>
  ((lane >> 1) << 30) | ((lane & 1) << 12) | (from << 5) | to;
