/**
 * Machine code of a product of float32 rows with weights of 4 or 8 bits, made for one shape: y = x · Wᵀ, where a weight is
 * (code − zero point) × scale, with a scale and a zero point for each block of a row. The layout is MatMulNBits'.
 *
 * A row of x is first brought to signed bytes, with a scale for each block (q ≈ x · 127 ÷ largest). Then
 *
 *   y = Σ over blocks of scale · xScale · (Σ code·q) − Σ over blocks of scale · zero point · (xScale · Σ q)
 *
 * so that the inner sum is of bytes alone, which AVX-512 VNNI adds 64 at a time. The sums over blocks stay spread over the
 * lanes of a register until the end of a row.
 */
import {
  type Assembler,
  at,
  type General,
  type Label,
  type Mask,
  type Memory,
  newLabel,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  r15,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
  type Vector,
} from './assembler.ts';

export interface ProductShape {
  /** Numbers of a row of x. */
  columns: number;
  /** Rows of W, numbers of a row of y. */
  outputs: number;
  bits: 4 | 8;
  /** 32, 64, 128 or 256. */
  block: number;
  /** Without zero points of its own, each is the middle: 8, or 128. */
  zeroPoints: boolean;
}

/** Fields of what a product works on, in bytes from its start. */
export const task = { x: 0, codes: 8, scales: 16, zeros: 24, y: 32, quantised: 40, rows: 48, size: 56 };

/** Tables that the code reads; kept at a fixed place for as long as it may run. */
export function productTables(): Int32Array {
  const lanes = Array.from({ length: 16 }, (_, lane) => lane);
  return Int32Array.from([
    ...lanes.map((lane) => 2 * lane),
    ...lanes.map((lane) => 2 * lane + 1),
    ...lanes.map((lane) => lane >> 3),
    ...lanes.map((lane) => 4 * (lane & 7)),
    ...lanes.map(() => 15),
    ...[1, 2, 4].flatMap((blocks) => lanes.map((lane) => Math.floor((lane * blocks) / 16))),
  ]);
}
/** Where they lie: even and odd places of 32; of 16 half bytes the dword, the shift and the mask; lanes of 1, 2, 4 blocks. */
const tables = { even: 0, odd: 64, halfDword: 128, halfShift: 192, halfMask: 256, blockLanes: 320 };

/** How shapes lie in memory; sizes are in bytes unless named otherwise. */
export function layoutOf({ bits, block, columns, outputs, zeroPoints }: ProductShape) {
  const blocks = Math.ceil(columns / block);
  /** Weights in 64 bytes of codes. */
  const chunk = bits === 4 ? 128 : 64;
  /** Weights that one turn of the inner loop takes: blocks, and whole chunks. */
  const step = Math.max(chunk, block);
  const stepBlocks = step / block;
  const steps = Math.ceil(blocks / stepBlocks);
  /** Of several blocks a chunk, each lane's own scale is kept; else one a block. */
  const scaleBytes = stepBlocks > 1 ? steps * 64 : blocks * 4;
  const scalesAt = steps * step;
  const sumsAt = roundUp(scalesAt + scaleBytes, 64);
  return {
    outputs,
    blocks,
    chunk,
    step,
    stepBlocks,
    steps,
    codeRow: (blocks * block * bits) / 8,
    scaleRow: blocks * 4,
    zeroRow: zeroPoints ? Math.ceil((blocks * bits) / 8) : 0,
    /** A quantised row of x: its bytes, its scales, its sums. */
    scalesAt,
    sumsAt,
    row: sumsAt + roundUp(blocks * 4, 64),
    /** Steps whose bytes of eight rows the first cache holds. */
    cachedSteps: Math.max(1, Math.floor(cachedNumbers / step)),
    /** Outputs of one piece of work: their codes stay in the second cache while all rows pass. */
    pieceOutputs: Math.max(16, Math.floor(131_072 / ((blocks * block * bits) / 8) / 4) * 4),
  };
}

/** Of each of eight rows: 32 KB together, of the 48 that processors with these instructions have. */
const cachedNumbers = 4096;

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Fewest outputs: the last ones of a matrix are done together with those before them. */
export const leastOutputs = 4;

/** Ahead of what is being read, so that memory is never waited for: of 512 to 8,192, the best from 2,048 on. */
const prefetchAhead = 3072;

const halfDword: Vector = 14;
const nibbles: Vector = 15;
const blockLanes: Vector = 13;
const masks = { lastBlocks: 1, lastZeros: 2, zeros: 3, tailCodes: 4, tailScales: 5, stepScales: 6 };

export interface ProductCode {
  /** void quantise(task, row). */
  quantise: Label;
  /** void multiply(task, piece). */
  multiply: Label;
}

/** Adds both functions; they keep to the System V calling convention. */
export function emitProduct(code: Assembler, shape: ProductShape, tablesAt: bigint): ProductCode {
  const emitter = new ProductEmitter(code, shape, tablesAt);
  return { quantise: emitter.quantise(), multiply: emitter.multiply() };
}

/** Bytes of the totals of a tile of eight rows. */
const waitingTile = 16 * 64;

/** Steps of a row: from `first` to before `end`. */
interface Part {
  first: number;
  end: number;
}

class ProductEmitter {
  readonly #code: Assembler;
  readonly #shape: ProductShape;
  readonly #layout: ReturnType<typeof layoutOf>;
  readonly #tables: bigint;

  constructor(code: Assembler, shape: ProductShape, tablesAt: bigint) {
    this.#code = code;
    this.#shape = shape;
    this.#layout = layoutOf(shape);
    this.#tables = tablesAt;
  }

  // x to bytes.

  /** rdi: x, rcx: bytes, rsi: scales, r8: sums, rax: steps left. */
  quantise(): Label {
    const { columns } = this.#shape;
    const { row, scalesAt, step, sumsAt } = this.#layout;
    const code = this.#code;
    const entry = newLabel();
    code.place(entry);
    code.imul(rcx, rsi, row);
    code.imul(rsi, rsi, columns * 4);
    code.mov(rax, at(rdi, task.quantised));
    code.add(rcx, rax);
    code.mov(rdi, at(rdi, task.x));
    code.add(rdi, rsi);
    code.lea(rsi, at(rcx, scalesAt));
    code.lea(r8, at(rcx, sumsAt));
    this.#quantiseConstants();
    const whole = Math.floor(columns / step);
    this.#repeat(rax, whole, () => this.#quantiseStep(step));
    if (columns % step > 0) this.#quantiseStep(columns % step);
    code.vzeroupper();
    code.ret();
    return entry;
  }

  /** zmm0: the bits of a number without its sign, zmm1: 1 ÷ 127, zmm2: 127, zmm3: the least divisor, zmm4, 5: even and odd places. */
  #quantiseConstants(): void {
    const code = this.#code;
    const broadcast = (to: Vector, bits: number) => {
      code.movConstant(rax, bits);
      code.vpbroadcastd(to, rax);
    };
    broadcast(0, 0x7fffffff);
    broadcast(1, floatBits(1 / 127));
    broadcast(2, floatBits(127));
    broadcast(3, floatBits(1e-30));
    code.movConstant(rax, this.#tables);
    code.vmovdqu32(4, at(rax, tables.even));
    code.vmovdqu32(5, at(rax, tables.odd));
  }

  /** @param numbers of x that there are in this step; the others count as 0 */
  #quantiseStep(numbers: number): void {
    const { block } = this.#shape;
    const { blocks, step, stepBlocks, steps } = this.#layout;
    const code = this.#code;
    const here = numbers === step ? stepBlocks : blocks - (steps - 1) * stepBlocks;
    for (let index = 0; index < here; index += 1) {
      const first = index * block;
      this.#quantiseBlock(first, Math.max(0, Math.min(block, numbers - first)), index);
    }
    // Of a last chunk that no block fills: no codes, no scales.
    code.vpxord(16, 16, 16);
    for (let byte = here * block; byte < step; byte += 32) this.#storeBytes(byte, 16, 16);
    const lanes = 16 / stepBlocks;
    if (stepBlocks > 1)
      for (let lane = here * lanes; lane < 16; lane += 4) code.storeVmovups128(at(rsi, lane * 4), 16);
    code.addConstant(rdi, step * 4);
    code.addConstant(rcx, step);
    code.addConstant(rsi, stepBlocks > 1 ? 64 : 4);
    code.addConstant(r8, here * 4);
  }

  #quantiseBlock(first: number, numbers: number, index: number): void {
    const { block } = this.#shape;
    const { stepBlocks } = this.#layout;
    const code = this.#code;
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
    const sum = 10;
    code.vpxord(sum, sum, sum);
    for (const register of held) {
      code.vmulps(register, register, inverse);
      code.vcvtps2dq(register, register);
      code.vpaddd(sum, sum, register);
    }
    for (let vector = 0; vector < held.length; vector += 2)
      this.#storeBytes(first + vector * 16, held[vector]!, held[vector + 1]!);
    this.#across(sum, other, (to, from) => code.vpaddd(to, to, from));
    code.vcvtdq2ps(sum, sum);
    code.vmulps(sum, sum, scale);
    code.storeVmovss(at(r8, index * 4), sum);
    if (stepBlocks === 1) code.storeVmovss(at(rsi), scale);
    const lanes = 16 / stepBlocks;
    if (stepBlocks > 1)
      for (let lane = 0; lane < lanes; lane += 4)
        code.storeVmovups128(at(rsi, (index * lanes + lane) * 4), scale);
  }

  /** Of 16 numbers the first `there`, 0 for the others. */
  #loadNumbers(to: Vector, offset: number, there: number): void {
    const code = this.#code;
    if (there >= 16) code.vmovdqu32(to, at(rdi, offset));
    else if (there <= 0) code.vpxord(to, to, to);
    else {
      this.#mask(1, there);
      code.vmovdqu32(to, at(rdi, offset), { mask: 1, zero: true });
    }
  }

  /** All lanes get what `combine` makes of all. */
  #across(register: Vector, other: Vector, combine: (to: Vector, from: Vector) => void): void {
    const code = this.#code;
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
  #storeBytes(first: number, a: Vector, b: Vector): void {
    const code = this.#code;
    if (this.#shape.bits === 8) {
      code.storeVpmovsdb(at(rcx, first), a);
      code.storeVpmovsdb(at(rcx, first + 16), b);
      return;
    }
    const { chunk } = this.#layout;
    const place = Math.floor(first / chunk) * chunk + (first % chunk) / 2;
    for (const [half, index] of [4, 5].entries()) {
      code.vmovdqu32(11, a);
      code.vpermt2d(11, index, b);
      code.storeVpmovsdb(at(rcx, place + half * 64), 11);
    }
  }

  // The product.

  /**
   * r15: task, r14: output, r13: end, r12: quantised rows, rbp: rows of y, rbx: rows left; within a tile r10: its first
   * output, r9: where its totals wait, rax: codes, rcx: scales, r8: zero points, rdx, rsi: bytes and scales of x.
   */
  multiply(): Label {
    const { outputs, pieceOutputs } = this.#layout;
    const code = this.#code;
    const saved = [rbx, rbp, r12, r13, r14, r15];
    const entry = newLabel();
    code.place(entry);
    for (const register of saved) code.push(register);
    // The first output of the piece lies on the stack, above what waits there.
    code.mov(r15, rdi);
    code.imul(r14, rsi, pieceOutputs);
    code.push(r14);
    code.subConstant(rsp, this.#waiting());
    code.lea(r13, at(r14, pieceOutputs));
    code.movConstant(rax, outputs);
    code.cmp(r13, rax);
    code.cmov('ge', r13, rax);
    this.#multiplyConstants();
    code.mov(r12, at(r15, task.quantised));
    code.mov(rbp, at(r15, task.y));
    code.mov(rbx, at(r15, task.rows));
    for (const rows of [8, 4, 3, 2, 1]) this.#rowGroup(rows);
    code.vzeroupper();
    code.addConstant(rsp, this.#waiting());
    code.pop(r14);
    for (const register of saved.toReversed()) code.pop(register);
    code.ret();
    return entry;
  }

  #multiplyConstants(): void {
    const { blocks, codeRow, stepBlocks } = this.#layout;
    const { bits } = this.#shape;
    const code = this.#code;
    const zeroBytes = (count: number) => (bits === 4 ? Math.ceil(count / 2) : count);
    const lastBlocks = blocks % 16 || 16;
    this.#mask(masks.lastBlocks, lastBlocks);
    this.#mask(masks.lastZeros, zeroBytes(lastBlocks));
    this.#mask(masks.zeros, zeroBytes(16));
    this.#mask(masks.tailCodes, codeRow % 64);
    this.#mask(masks.tailScales, this.#tail());
    this.#mask(masks.stepScales, stepBlocks);
    code.movConstant(rax, 0x0f0f0f0f);
    code.vpbroadcastd(nibbles, rax);
    code.movConstant(r11, this.#tables);
    code.vmovdqu32(halfDword, at(r11, tables.halfDword));
    code.vmovdqu32(blockLanes, at(r11, tables.blockLanes + 64 * Math.log2(stepBlocks)));
  }

  /** Sets the first lanes of a mask. */
  #mask(mask: Mask, lanes: number): void {
    this.#code.movConstant(rax, (1n << BigInt(lanes)) - 1n);
    this.#code.kmovFromRax(mask);
  }

  #repeat(counter: General, times: number, body: () => void): void {
    const code = this.#code;
    if (times === 0) return;
    const again = newLabel();
    code.movConstant(counter, times);
    code.place(again);
    body();
    code.subConstant(counter, 1);
    code.j('ne', again);
  }

  /** As long as there are that many rows: all outputs of the piece for them. */
  #rowGroup(rows: number): void {
    const { cachedSteps, outputs, row, steps } = this.#layout;
    const code = this.#code;
    const again = newLabel();
    const next = newLabel();
    code.place(again);
    code.cmpConstant(rbx, rows);
    code.j('l', next);
    // Rows that the first cache does not hold pass in parts; between them totals wait on the stack.
    const part = rows > 4 ? cachedSteps : steps;
    for (let first = 0; first < steps; first += part)
      this.#tiles(rows, { first, end: Math.min(steps, first + part) });
    code.addConstant(r12, rows * row);
    code.addConstant(rbp, rows * outputs * 4);
    code.subConstant(rbx, rows);
    code.jmp(again);
    code.place(next);
  }

  #tiles(rows: number, part: Part): void {
    const { outputs } = this.#layout;
    const code = this.#code;
    const tile = newLabel();
    const width = rows > 4 ? 2 : 4;
    code.mov(r14, at(rsp, this.#waiting()));
    code.lea(r9, at(rsp, 63));
    code.andConstant(r9, -64);
    code.place(tile);
    // The last tile reaches back rather than over the end: what it repeats comes out the same.
    code.movConstant(r10, outputs - width);
    code.cmp(r14, r10);
    code.cmov('l', r10, r14);
    this.#tile(rows, width, part);
    code.addConstant(r9, waitingTile);
    code.addConstant(r14, width);
    code.cmp(r14, r13);
    code.j('l', tile);
  }

  /** `width` outputs of `rows` rows. */
  #tile(rows: number, width: number, part: Part): void {
    const { codeRow, scaleRow, steps, zeroRow } = this.#layout;
    const code = this.#code;
    const start = (to: General, field: number, size: number) => {
      code.imul(to, r10, size);
      code.mov(rdi, at(r15, field));
      code.add(to, rdi);
    };
    start(rax, task.codes, codeRow);
    start(rcx, task.scales, scaleRow);
    if (zeroRow > 0) start(r8, task.zeros, zeroRow);
    const totals = Array.from({ length: rows }, (_, r) =>
      Array.from({ length: width }, (_, output) => 16 + r * width + output),
    );
    for (const [index, total] of totals.flat().entries())
      if (part.first > 0) code.vmovdqu32(total, at(r9, index * 64));
      else code.vpxord(total, total, total);
    for (let output = 0; output < width; output += 1)
      this.#weightRow(
        totals.map((row) => row[output]!),
        part,
      );
    if (part.end < steps) {
      for (const [index, total] of totals.flat().entries()) code.storeVmovdqu32(at(r9, index * 64), total);
      return;
    }
    code.imul(r10, r10, 4);
    code.add(r10, rbp);
    this.#storeTotals(totals);
  }

  /** Bytes of the stack where totals wait for the next part of their rows; a border of 64 is found within. */
  #waiting(): number {
    const { cachedSteps, pieceOutputs, steps } = this.#layout;
    return steps > cachedSteps ? 64 + Math.ceil(pieceOutputs / 2) * waitingTile : 0;
  }

  /** A part of one row of W with some of x; leaves rax, rcx and r8 at the next row's beginning. */
  #weightRow(totals: Vector[], { end, first }: Part): void {
    const { codeRow, scaleRow, scalesAt, step, stepBlocks, steps } = this.#layout;
    const { bits } = this.#shape;
    const code = this.#code;
    const perStep = { codes: (step * bits) / 8, scales: stepBlocks * 4, xScales: stepBlocks > 1 ? 64 : 4 };
    if (first === 0) this.#zeroPoints(totals);
    if (first > 0) {
      code.addConstant(rax, first * perStep.codes);
      code.addConstant(rcx, first * perStep.scales);
    }
    code.lea(rdx, at(r12, first * step));
    code.lea(rsi, at(r12, scalesAt + first * perStep.xScales));
    const hasTail = end === steps && this.#tail() > 0;
    const whole = hasTail ? end - 1 : end;
    this.#repeat(rdi, whole - first, () => {
      this.#step(totals);
      code.addConstant(rax, perStep.codes);
      code.addConstant(rcx, perStep.scales);
      code.addConstant(rdx, step);
      code.addConstant(rsi, perStep.xScales);
    });
    if (hasTail) this.#step(totals, masks.tailCodes);
    code.addConstant(rax, codeRow - whole * perStep.codes);
    code.addConstant(rcx, scaleRow - whole * perStep.scales);
  }

  /** Blocks of a last chunk that they do not fill; 0: there is none. */
  #tail(): number {
    return this.#layout.blocks % this.#layout.stepBlocks;
  }

  #step(totals: Vector[], tailCodes?: Mask): void {
    const { chunk, row, step, stepBlocks } = this.#layout;
    const code = this.#code;
    const sums = totals.map((_, r) => r);
    for (const sum of sums) code.vpxord(sum, sum, sum);
    for (let part = 0; part < step / chunk; part += 1) {
      const codes = at(rax, part * 64);
      const bytes = (r: number, half: number): Memory => at(rdx, r * row + part * chunk + half * 64);
      code.vmovdqu8(8, codes, tailCodes ? { mask: tailCodes, zero: true } : {});
      code.prefetch(at(rax, part * 64 + prefetchAhead));
      if (this.#shape.bits === 8) {
        for (const sum of sums) code.vpdpbusd(sum, 8, bytes(sum, 0));
        continue;
      }
      code.vpsrlw(9, 8, 4);
      code.vpandd(8, 8, nibbles);
      code.vpandd(9, 9, nibbles);
      for (const sum of sums) code.vpdpbusd(sum, 8, bytes(sum, 0));
      for (const sum of sums) code.vpdpbusd(sum, 9, bytes(sum, 1));
    }
    const scale = 10;
    if (stepBlocks === 1) code.vbroadcastss(scale, at(rcx));
    else {
      code.vmovdqu32(scale, at(rcx), { mask: tailCodes ? masks.tailScales : masks.stepScales, zero: true });
      code.vpermd(scale, blockLanes, scale);
    }
    for (const [r, sum] of sums.entries()) {
      code.vcvtdq2ps(sum, sum);
      code.vmulps(sum, sum, scale);
      code.vfmadd231ps(totals[r]!, sum, at(rsi, r * row), { broadcast: stepBlocks === 1 });
    }
  }

  /** Takes away what the zero points have put in, 16 blocks at a time. */
  #zeroPoints(totals: Vector[]): void {
    const { blocks, row, sumsAt, zeroRow } = this.#layout;
    const code = this.#code;
    const weights = 11;
    const zeros = 12;
    for (let first = 0; first < blocks; first += 16) {
      const last = first + 16 >= blocks;
      code.vmovdqu32(weights, at(rcx, first * 4), last ? { mask: masks.lastBlocks, zero: true } : {});
      this.#loadZeroPoints(zeros, first, last);
      code.vmulps(weights, weights, zeros);
      for (const [r, total] of totals.entries()) {
        const sums = at(r12, r * row + sumsAt + first * 4);
        code.vfnmadd231ps(total, weights, sums, last ? { mask: masks.lastBlocks } : {});
      }
    }
    if (zeroRow > 0) code.addConstant(r8, zeroRow);
  }

  #loadZeroPoints(to: Vector, first: number, last: boolean): void {
    const { bits, zeroPoints } = this.#shape;
    const code = this.#code;
    if (!zeroPoints) {
      code.movConstant(rdi, floatBits(2 ** (bits - 1)));
      code.vpbroadcastd(to, rdi);
      return;
    }
    const from = at(r8, (first * bits) / 8);
    const lanes = { mask: last ? masks.lastZeros : masks.zeros, zero: true };
    if (bits === 8) code.vpmovzxbd(to, from, lanes);
    else {
      code.vmovdqu8(to, from, lanes);
      code.vpermd(to, halfDword, to);
      code.vpsrlvd(to, to, at(r11, tables.halfShift));
      code.vpandd(to, to, at(r11, tables.halfMask));
    }
    code.vcvtdq2ps(to, to);
  }

  /** Adds up the lanes of four totals at once. */
  #storeTotals(totals: Vector[][]): void {
    const { outputs } = this.#layout;
    const code = this.#code;
    const all = totals.flat();
    const width = totals[0]!.length;
    for (let first = 0; first < all.length; first += 4) {
      const [a, b, c, d] = all.slice(first, first + 4) as [Vector, Vector, Vector, Vector];
      const addHalves = (to: Vector, low: () => void, high: () => void) => {
        low();
        high();
        code.vaddps(to, 0, 1);
      };
      addHalves(
        2,
        () => code.vunpcklps(0, a, b),
        () => code.vunpckhps(1, a, b),
      );
      addHalves(
        3,
        () => code.vunpcklps(0, c, d),
        () => code.vunpckhps(1, c, d),
      );
      addHalves(
        4,
        () => code.vunpcklpd(0, 2, 3),
        () => code.vunpckhpd(1, 2, 3),
      );
      for (const choice of [0x4e, 0xb1]) {
        code.vshuff32x4(0, 4, 4, choice);
        code.vaddps(4, 4, 0);
      }
      const place = at(r10, (first / width) * outputs * 4);
      if (width === 4) code.storeVmovups128(place, 4);
      else {
        code.storeVmovlps(place, 4);
        code.storeVmovhps(at(r10, place.offset + outputs * 4), 4);
      }
    }
  }
}

/** The bits of a number as float32. */
const floatBits = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0]!;
