/**
 * The product of matmul-code.ts for processors without AVX-512: 32 bytes at a time. With AVX-VNNI a product of bytes is one
 * instruction; without it, pairs are added as words. A word holds what a block may add to it: of codes of four bits up to
 * 8 pairs of 15 · 127, and codes of eight bits are taken as two of four.
 */
import {
  at,
  calleeSaved,
  type General,
  type Label,
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
import { avx2Tables } from './avx2-tables.ts';
import { Emitter } from './emitter.ts';
import { type MatMulShape, task } from './matmul-layout.ts';
import { passRowGroup, prefetched } from './row-groups.ts';
import type { VexAssembler } from './vex-assembler.ts';

/** Totals lie in ymm0 …, sums of the block at hand behind them; these are the others. */
const [low, high, product, nibbles]: Vector[] = [12, 13, 14, 15];

/** Rows that pass together. */
const mostRows = 4;
/** Blocks that scales and zero points are read for at once: the lanes of a register. */
const groupBlocks = 8;
/** From rsp: scales of a group's blocks by those of x, of each row; groups left, their sums of x, the stack before. */
const local = {
  products: 0,
  groups: mostRows * 32,
  sums: mostRows * 32 + 8,
  stack: mostRows * 32 + 16,
  size: mostRows * 32 + 32,
};

const registers = { rowsLeft: rbx, rowsAt: r12, yAt: rbp, firstOutput: r9, output: r14, end: r13, tile: r10 };

/** Adds `void multiply(task, piece)`, of the System V calling convention. */
export const emitAvx2MatMul = (
  code: VexAssembler,
  shape: MatMulShape,
  tables: bigint,
  vnni: boolean,
): Label => new Avx2MatMulEmitter(code, shape, tables, 32).emit(vnni);

class Avx2MatMulEmitter extends Emitter<VexAssembler> {
  #vnni = false;

  /**
   * r15: task, r14: output, r13: end, r12: quantized rows, rbp: rows of y, rbx: rows left, r11: tables; within a tile r10: its
   * first output, rax: codes, rcx: scales, r8: zero points, rdx, rsi: bytes and scales of x.
   */
  emit(vnni: boolean): Label {
    const { pieceOutputs } = this.layout;
    const { code } = this;
    this.#vnni = vnni;
    return code.routine(() => {
      code.mov(rax, rsp);
      code.subConstant(rsp, local.size);
      code.andConstant(rsp, -32);
      code.store(at(rsp, local.stack), rax);
      code.mov(r15, rdi);
      code.imul(r9, rsi, pieceOutputs);
      code.lea(r13, at(r9, pieceOutputs));
      code.movConstant(rax, this.shape.outputs);
      code.cmp(r13, rax);
      code.cmov('ge', r13, rax);
      code.movConstant(r11, this.tables);
      code.vmovdqu(nibbles!, at(r11, avx2Tables.nibble));
      code.mov(r12, at(r15, task.quantized));
      code.mov(rbp, at(r15, task.y));
      code.mov(rbx, at(r15, task.rows));
      const group = { outputs: this.shape.outputs, row: this.layout.row };
      for (const rows of [mostRows, 2, 1]) {
        const width = rows === mostRows ? 2 : 4;
        passRowGroup(code, registers, { ...group, rows, width }, () => this.#tile(rows, width));
      }
      code.vzeroupper();
      code.mov(rsp, at(rsp, local.stack));
    }, calleeSaved);
  }

  /** `width` outputs of `rows` rows. */
  #tile(rows: number, width: number): void {
    const { codeRow, scaleRow, zeroRow } = this.layout;
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
      Array.from({ length: width }, (_, output) => r * width + output),
    );
    for (const total of totals.flat()) code.vpxor(total, total, total);
    for (let output = 0; output < width; output += 1) this.#weightRow(totals.map((row) => row[output]!));
    code.imul(r10, r10, 4);
    code.add(r10, rbp);
    this.#storeTotals(totals.flat(), width);
  }

  /** One row of W with some of x; leaves rax, rcx and r8 at the next row's beginning. */
  #weightRow(totals: Vector[]): void {
    const { blocks, codeRow, scaleRow, scalesAt, stepBlocks, sumsAt, zeroRow } = this.layout;
    const { code } = this;
    const whole = Math.floor(blocks / groupBlocks);
    const rest = blocks % groupBlocks;
    code.mov(rdx, r12);
    if (stepBlocks > 1) code.lea(rsi, at(r12, scalesAt));
    code.lea(rdi, at(r12, sumsAt));
    code.store(at(rsp, local.sums), rdi);
    if (whole > 0) {
      const again = newLabel();
      code.movConstant(rdi, whole);
      code.place(again);
      code.store(at(rsp, local.groups), rdi);
      this.#group(totals, groupBlocks);
      code.mov(rdi, at(rsp, local.groups));
      code.subConstant(rdi, 1);
      code.j('ne', again);
    }
    if (rest > 0) this.#group(totals, rest);
    // A last chunk that is not whole leaves rax and rcx where it began.
    const taken = Math.floor(blocks / stepBlocks) * stepBlocks;
    code.addConstant(rax, codeRow - (taken * codeRow) / blocks);
    code.addConstant(rcx, scaleRow - taken * 4);
    if (zeroRow > 0) code.addConstant(r8, zeroRow - whole * this.shape.bits);
  }

  /** Up to eight blocks. */
  #group(totals: Vector[], blocks: number): void {
    const { scaleStep, step, stepBlocks } = this.layout;
    const { code } = this;
    this.#zeroPoints(totals, blocks);
    if (stepBlocks === 1) code.lea(rsi, at(rsp, local.products));
    code.repeat(rdi, Math.floor(blocks / stepBlocks), () => {
      this.#step(totals, false);
      code.addConstant(rax, (step * this.shape.bits) / 8);
      code.addConstant(rcx, stepBlocks * 4);
      code.addConstant(rdx, step);
      code.addConstant(rsi, stepBlocks === 1 ? 4 : scaleStep);
    });
    if (blocks % stepBlocks > 0) this.#step(totals, true);
  }

  /** @param half the last chunk holds one block of two */
  #step(totals: Vector[], half: boolean): void {
    const { chunk, row, step } = this.layout;
    const { code } = this;
    const { ahead, cache } = prefetched(totals.length);
    const sums = totals.map((_, r) => 8 + r);
    for (let part = 0; part < step / chunk; part += 1) {
      const codes = at(rax, part * 32);
      const bytes = (r: number, second: number) => at(rdx, r * row + part * chunk + second * 32);
      if (half) code.vmovdqu128(low!, codes);
      else code.vmovdqu(low!, codes);
      if (part % 2 === 0) code.prefetch(at(rax, part * 32 + ahead), cache);
      if (this.#vnni && this.shape.bits === 8) this.#add(sums, low!, part === 0, (r) => bytes(r, 0));
      else {
        code.vpsrlw(high!, low!, 4);
        code.vpand(low!, low!, nibbles!);
        code.vpand(high!, high!, nibbles!);
        if (this.shape.bits === 4) {
          this.#add(sums, low!, part === 0, (r) => bytes(r, 0));
          this.#add(sums, high!, false, (r) => bytes(r, 1));
        } else this.#addHalves(sums, part === 0, (r) => bytes(r, 0));
      }
    }
    this.#scale(totals, sums, half);
  }

  /** Adds the products of codes and bytes of each row; the first one starts the sum. */
  #add(sums: Vector[], codes: Vector, first: boolean, bytes: (r: number) => Memory): void {
    const { code } = this;
    for (const [r, sum] of sums.entries()) {
      if (this.#vnni) {
        if (first && this.#inFloats(sums)) code.vmovdqu(sum, at(r11, avx2Tables.steps));
        else if (first) code.vpxor(sum, sum, sum);
        code.vpdpbusd(sum, codes, bytes(r));
        continue;
      }
      code.vpmaddubsw(first ? sum : product!, codes, bytes(r));
      if (!first) code.vpaddw(sum, sum, product!);
    }
  }

  /**
   * Sums begin as the bits of a float and end as floats, but for what they began as. Taking it away is for another part of the
   * processor than products and conversions are, which of many rows are what is waited for; the numbers are the same.
   */
  #inFloats(sums: Vector[]): boolean {
    return this.#vnni && sums.length === mostRows;
  }

  /** Codes of eight bits by their halves, each worth its own factor. */
  #addHalves(sums: Vector[], first: boolean, bytes: (r: number) => Memory): void {
    const { code } = this;
    for (const [r, sum] of sums.entries()) {
      if (first) code.vpxor(sum, sum, sum);
      for (const [codes, factor] of [
        [low!, avx2Tables.one],
        [high!, avx2Tables.sixteen],
      ] as const) {
        code.vpmaddubsw(product!, codes, bytes(r));
        code.vpmaddwd(product!, product!, at(r11, factor));
        code.vpaddd(sum, sum, product!);
      }
    }
  }

  #scale(totals: Vector[], sums: Vector[], half: boolean): void {
    const { row, stepBlocks } = this.layout;
    const { code } = this;
    const words = !this.#vnni && this.shape.bits === 4;
    const [factor, scale] = [low!, high!];
    if (stepBlocks > 1) {
      if (half) code.vmovd(scale, at(rcx));
      else code.vmovq(scale, at(rcx));
      code.vmovdqu(factor, at(r11, avx2Tables.blockLanes));
      code.vpermd(scale, factor, scale);
    }
    for (const [r, sum] of sums.entries()) {
      if (words) code.vpmaddwd(sum, sum, at(r11, avx2Tables.one));
      if (this.#inFloats(sums)) code.vsubps(sum, sum, at(r11, avx2Tables.steps));
      else code.vcvtdq2ps(sum, sum);
      if (stepBlocks === 1) code.vbroadcastss(factor, at(rsi, r * 32));
      else code.vmulps(factor, scale, at(rsi, r * row));
      code.vfmadd231ps(totals[r]!, sum, factor);
    }
  }

  /**
   * Of up to eight blocks: takes away what the zero points put in, and where a block fills a chunk keeps each row's scales by
   * those of the weights.
   */
  #zeroPoints(totals: Vector[], blocks: number): void {
    const { row, scalesAt, stepBlocks, sumsAt, zeroRow } = this.layout;
    const { code } = this;
    const [scales, zeros, ofRow] = [low!, high!, product!];
    this.#loadZeroPoints(zeros, blocks);
    this.#loadFloats(scales, at(rcx), blocks);
    code.vmulps(zeros, scales, zeros);
    code.mov(rdi, at(rsp, local.sums));
    for (const [r, total] of totals.entries()) {
      this.#loadFloats(ofRow, at(rdi, r * row), blocks);
      code.vfnmadd231ps(total, zeros, ofRow);
      if (stepBlocks > 1) continue;
      this.#loadFloats(ofRow, at(rdi, r * row + scalesAt - sumsAt), blocks);
      code.vmulps(ofRow, ofRow, scales);
      code.storeVmovdqu(at(rsp, local.products + r * 32), ofRow);
    }
    code.addConstant(rdi, groupBlocks * 4);
    code.store(at(rsp, local.sums), rdi);
    if (zeroRow > 0 && blocks === groupBlocks) code.addConstant(r8, this.shape.bits);
  }

  /** Of eight floats the first `there`, 0 for the others. */
  #loadFloats(to: Vector, from: Memory, there: number): void {
    const { code } = this;
    if (there === 8) {
      code.vmovdqu(to, from);
      return;
    }
    code.vmovdqu(to, at(r11, avx2Tables.lanes + (8 - there) * 4));
    code.vmaskmovps(to, to, from);
  }

  #loadZeroPoints(to: Vector, there: number): void {
    const { bits, zeroPoints } = this.shape;
    const { code } = this;
    if (!zeroPoints) {
      code.vmovdqu(to, at(r11, bits === 4 ? avx2Tables.middle4 : avx2Tables.middle8));
      return;
    }
    const from = at(r8);
    const bytes = bits === 4 ? Math.ceil(there / 2) : there;
    if (bytes === 8) code.vmovq(to, from);
    else if (bytes === 4) code.vmovd(to, from);
    else {
      code.vpxor(to, to, to);
      for (let byte = 0; byte < bytes; byte += 1) code.vpinsrb(to, at(r8, byte), byte);
    }
    if (bits === 8) code.vpmovzxbd(to, to);
    else {
      code.vpbroadcastd(to, to);
      code.vpsrlvd(to, to, at(r11, avx2Tables.halfShift));
      code.vpand(to, to, at(r11, avx2Tables.fifteen));
    }
    code.vcvtdq2ps(to, to);
  }

  /** Adds up the lanes of four totals at once. */
  #storeTotals(totals: Vector[], width: number): void {
    const { outputs } = this.shape;
    const { code } = this;
    for (let first = 0; first < totals.length; first += 4) {
      const [a, b, c, d] = totals.slice(first, first + 4) as [Vector, Vector, Vector, Vector];
      code.vhaddps(a, a, b);
      code.vhaddps(c, c, d);
      code.vhaddps(a, a, c);
      code.vextracti128(b, a);
      code.vaddps(a, a, b);
      const place = at(r10, (first / width) * outputs * 4);
      if (width === 4) code.storeVmovdqu128(place, a);
      else {
        code.storeVmovlps(place, a);
        code.storeVmovhps(at(r10, place.offset + outputs * 4), a);
      }
    }
  }
}
