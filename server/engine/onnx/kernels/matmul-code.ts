/**
 * Machine code of a product of float32 rows with weights of 4 or 8 bits, made for one shape: y = x · Wᵀ, where a weight is
 * (code − zero point) × scale, with a scale and a zero point for each block of a row. With x in bytes (activation-quantization.ts)
 *
 *   y = Σ over blocks of scale · xScale · (Σ code·q) − Σ over blocks of scale · zero point · (xScale · Σ q)
 *
 * so that the inner sum is of bytes alone, which AVX-512 VNNI adds 64 at a time. The sums over blocks stay spread over the
 * lanes of a register until the end of a row.
 */
import {
  type Assembler,
  at,
  calleeSaved,
  floatBits,
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
import { Emitter } from './emitter.ts';
import { layoutTables, type MatMulShape, task } from './matmul-layout.ts';
import { prefetched } from './row-groups.ts';

const halfDword: Vector = 14;
const nibbles: Vector = 15;
const blockLanes: Vector = 13;
const masks = { lastBlocks: 1, lastZeros: 2, zeros: 3, tailCodes: 4, tailScales: 5, stepScales: 6 };

/** Bytes of the totals of a tile of eight rows. */
const waitingTile = 16 * 64;

/** Steps of a row: from `first` to before `end`. */
interface Part {
  first: number;
  end: number;
}

/** Adds `void multiply(task, piece)`, of the System V calling convention. */
export const emitMatMul = (code: Assembler, shape: MatMulShape, tablesAt: bigint): Label =>
  new MatMulEmitter(code, shape, tablesAt).emit();

class MatMulEmitter extends Emitter {
  /**
   * r15: task, r14: output, r13: end, r12: quantized rows, rbp: rows of y, rbx: rows left; within a tile r10: its first
   * output, r9: where its totals wait, rax: codes, rcx: scales, r8: zero points, rdx, rsi: bytes and scales of x.
   */
  emit(): Label {
    const { pieceOutputs } = this.layout;
    const { code } = this;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(r14, rsi, pieceOutputs);
      // The first output of the piece lies on the stack, above what waits there.
      code.push(r14);
      code.subConstant(rsp, this.#waiting());
      code.lea(r13, at(r14, pieceOutputs));
      code.movConstant(rax, this.shape.outputs);
      code.cmp(r13, rax);
      code.cmov('ge', r13, rax);
      this.#multiplyConstants();
      code.mov(r12, at(r15, task.quantized));
      code.mov(rbp, at(r15, task.y));
      code.mov(rbx, at(r15, task.rows));
      for (const rows of [8, 4, 3, 2, 1]) this.#rowGroup(rows);
      code.vzeroupper();
      code.addConstant(rsp, this.#waiting());
      code.pop(r14);
    }, calleeSaved);
  }

  #multiplyConstants(): void {
    const { blocks, codeRow, stepBlocks } = this.layout;
    const { bits } = this.shape;
    const { code } = this;
    const zeroBytes = (count: number) => (bits === 4 ? Math.ceil(count / 2) : count);
    const lastBlocks = blocks % 16 || 16;
    code.setMask(masks.lastBlocks, lastBlocks);
    code.setMask(masks.lastZeros, zeroBytes(lastBlocks));
    code.setMask(masks.zeros, zeroBytes(16));
    code.setMask(masks.tailCodes, codeRow % 64);
    code.setMask(masks.tailScales, this.#tail());
    code.setMask(masks.stepScales, stepBlocks);
    code.movConstant(rax, 0x0f0f0f0f);
    code.vpbroadcastd(nibbles, rax);
    code.movConstant(r11, this.tables);
    code.vmovdqu32(halfDword, at(r11, layoutTables.halfDword));
    code.vmovdqu32(blockLanes, at(r11, layoutTables.blockLanes + 64 * Math.log2(stepBlocks)));
  }

  /** As long as there are that many rows: all outputs of the piece for them. */
  #rowGroup(rows: number): void {
    const { cachedSteps, row, steps } = this.layout;
    const { outputs } = this.shape;
    const { code } = this;
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
    const { outputs } = this.shape;
    const { code } = this;
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
    const { codeRow, scaleRow, steps, zeroRow } = this.layout;
    const { code } = this;
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
    const { cachedSteps, pieceOutputs, steps } = this.layout;
    return steps > cachedSteps ? 64 + Math.ceil(pieceOutputs / 2) * waitingTile : 0;
  }

  /** A part of one row of W with some of x; leaves rax, rcx and r8 at the next row's beginning. */
  #weightRow(totals: Vector[], { end, first }: Part): void {
    const { codeRow, scaleRow, scaleStep, scalesAt, step, stepBlocks, steps } = this.layout;
    const { bits } = this.shape;
    const { code } = this;
    const perStep = { codes: (step * bits) / 8, scales: stepBlocks * 4 };
    if (first === 0) this.#zeroPoints(totals);
    if (first > 0) {
      code.addConstant(rax, first * perStep.codes);
      code.addConstant(rcx, first * perStep.scales);
    }
    code.lea(rdx, at(r12, first * step));
    code.lea(rsi, at(r12, scalesAt + first * scaleStep));
    const hasTail = end === steps && this.#tail() > 0;
    const whole = hasTail ? end - 1 : end;
    code.repeat(rdi, whole - first, () => {
      this.#step(totals);
      code.addConstant(rax, perStep.codes);
      code.addConstant(rcx, perStep.scales);
      code.addConstant(rdx, step);
      code.addConstant(rsi, scaleStep);
    });
    if (hasTail) this.#step(totals, masks.tailCodes);
    code.addConstant(rax, codeRow - whole * perStep.codes);
    code.addConstant(rcx, scaleRow - whole * perStep.scales);
  }

  /** Blocks of a last chunk that they do not fill; 0: there is none. */
  #tail(): number {
    return this.layout.blocks % this.layout.stepBlocks;
  }

  #step(totals: Vector[], tailCodes?: Mask): void {
    const { chunk, row, step, stepBlocks } = this.layout;
    const { code } = this;
    const { ahead, cache } = prefetched(totals.length);
    const sums = totals.map((_, r) => r);
    for (const sum of sums) code.vpxord(sum, sum, sum);
    for (let part = 0; part < step / chunk; part += 1) {
      const codes = at(rax, part * 64);
      const bytes = (r: number, half: number): Memory => at(rdx, r * row + part * chunk + half * 64);
      code.vmovdqu8(8, codes, tailCodes ? { mask: tailCodes, zero: true } : {});
      code.prefetch(at(rax, part * 64 + ahead), cache);
      if (this.shape.bits === 8) {
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
    const { blocks, row, sumsAt, zeroRow } = this.layout;
    const { code } = this;
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
    const { bits, zeroPoints } = this.shape;
    const { code } = this;
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
      code.vpsrlvd(to, to, at(r11, layoutTables.halfShift));
      code.vpandd(to, to, at(r11, layoutTables.halfMask));
    }
    code.vcvtdq2ps(to, to);
  }

  /** Adds up the lanes of four totals at once. */
  #storeTotals(totals: Vector[][]): void {
    const { outputs } = this.shape;
    const { code } = this;
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
