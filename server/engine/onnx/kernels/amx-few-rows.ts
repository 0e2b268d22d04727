/**
 * The product of amx-matmul-code.ts for fewer rows than a tile holds, by AVX-512 VNNI: the same whole numbers, scaled and added
 * block after block as there, so that a row comes out the same to the last bit. Sixteen sums at a time, of P outputs and R
 * rows: each is first spread over a register of its own; then all are added up into the lanes of one, output after output.
 */
import type { AmxAssembler } from './amx-assembler.ts';
import { tileLayout, tileRows } from './amx-layout.ts';
import {
  at,
  calleeSaved,
  type General,
  type Label,
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
  type Vector,
} from './assembler.ts';
import { Emitter } from './emitter.ts';
import { layoutTables, task } from './matmul-layout.ts';

const prefetchAhead = 3072;
const total: Vector = 0;
const [low, high]: [Vector, Vector] = [8, 9];
/** Offsets of the outputs' scales; of their zero points the place among all, in half bytes; the last of those that can be read. */
const [scaleOffsets, zeroPlaces, lastZeros]: [Vector, Vector, Vector] = [14, 12, 13];
const one: Vector = 11;
const nibbles: Vector = 15;
/** Sum of an output and a row. */
const sumAt = (index: number): Vector => 16 + index;
const lastMask = 1;

/** From so many rows on a tile is faster, though not full. */
const leastRows = 8;

/** A function that goes on in one of two by the task's rows. */
export function emitByRows(code: AmxAssembler, { few, many }: { few: Label; many: Label }): Label {
  const entry = newLabel();
  code.place(entry);
  code.mov(rax, at(rdi, task.rows));
  code.cmpConstant(rax, leastRows);
  code.j('l', few);
  code.jmp(many);
  return entry;
}

/** `void multiply(task, piece)`; a piece is sixteen outputs. */
export class FewRowsEmitter extends Emitter<AmxAssembler> {
  /**
   * r15: task, r14: first output, rbx: rows, r12: bytes and r13: scales of the next rows, rbp: rows of y, r11: tables; within a
   * part of the outputs r9: the first of them, rax: codes, rcx: scales, rdx: x, rsi: its scales, r8: zero points.
   */
  emit(): Label {
    const { outputs } = this.shape;
    const { numbers, scalesAt } = tileLayout(this.shape);
    const { code } = this;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(r14, rsi, tileRows);
      // The last piece reaches back rather than over the end: what it repeats comes out the same.
      code.movConstant(rax, outputs - tileRows);
      code.cmp(r14, rax);
      code.cmov('ge', r14, rax);
      code.movConstant(r11, this.tables);
      code.movConstant(rax, 0x0f0f0f0f);
      code.vpbroadcastd(nibbles, rax);
      code.movConstant(rax, 1);
      code.vpbroadcastd(one, rax);
      code.mov(r12, at(r15, task.quantized));
      code.lea(r13, at(r12, scalesAt));
      code.mov(rbp, at(r15, task.y));
      code.mov(rbx, at(r15, task.rows));
      for (const rows of [4, 2, 1]) {
        const next = newLabel();
        code.mov(rax, rbx);
        code.andConstant(rax, rows);
        code.j('e', next);
        this.#rows(rows);
        code.addConstant(r12, rows * numbers);
        code.addConstant(r13, rows * 4);
        code.addConstant(rbp, rows * outputs * 4);
        code.place(next);
      }
      code.vzeroupper();
    }, calleeSaved);
  }

  /** Sixteen outputs of so many rows. */
  #rows(rows: number): void {
    const { zeroPoints } = this.shape;
    const { scaleRow, zeroRow } = this.layout;
    const { code } = this;
    const width = tileRows / rows;
    // Lane → output.
    code.vmovdqu32(low, at(r11, layoutTables.even));
    code.vpsrld(low, low, 1 + Math.log2(rows));
    const times = (to: Vector, factor: number) => {
      code.movConstant(rax, factor);
      code.vpbroadcastd(to, rax);
      code.vpmulld(to, to, low);
    };
    times(scaleOffsets, scaleRow);
    if (zeroPoints) {
      code.movConstant(rax, this.shape.outputs * zeroRow - 4);
      code.vpbroadcastd(lastZeros, rax);
      code.mov(r8, at(r15, task.zeros));
    }
    code.setMask(lastMask, width);
    code.mov(r9, r14);
    code.movConstant(r10, rows);
    const again = newLabel();
    code.place(again);
    if (zeroPoints) {
      code.vmovdqu32(low, at(r11, layoutTables.even));
      code.vpsrld(low, low, 1 + Math.log2(rows));
      times(zeroPlaces, 2 * zeroRow);
      code.imul(rax, r9, 2 * zeroRow);
      code.vpbroadcastd(low, rax);
      code.vpaddd(zeroPlaces, zeroPlaces, low);
    }
    this.#part(rows, width);
    code.addConstant(r9, width);
    code.subConstant(r10, 1);
    code.j('ne', again);
  }

  #part(rows: number, width: number): void {
    const { block } = this.shape;
    const { blocks, codeRow, scaleRow } = this.layout;
    const { code } = this;
    const start = (to: General, field: number, size: number) => {
      code.imul(to, r9, size);
      code.mov(rdi, at(r15, field));
      code.add(to, rdi);
    };
    start(rax, task.codes, codeRow);
    start(rcx, task.scales, scaleRow);
    code.mov(rdx, r12);
    code.mov(rsi, r13);
    code.vpxord(total, total, total);
    code.repeat(rdi, blocks, () => {
      this.#products(rows, width);
      this.#addUp();
      this.#scale(rows);
      code.addConstant(rax, block / 2);
      code.addConstant(rcx, 4);
      code.addConstant(rdx, block);
      code.addConstant(rsi, tileRows * 4);
    });
    this.#store(rows);
  }

  /** Of a block: products of the codes of each output with the bytes of each row. */
  #products(rows: number, width: number): void {
    const { codeRow } = this.layout;
    const { numbers } = tileLayout(this.shape);
    const { code } = this;
    for (let output = 0; output < width; output += 1) {
      const sums = Array.from({ length: rows }, (_, r) => sumAt(output * rows + r));
      for (const sum of sums) code.vpxord(sum, sum, sum);
      for (let chunk = 0; chunk < this.shape.block / 128; chunk += 1) {
        code.vmovdqu32(low, at(rax, output * codeRow + chunk * 64));
        code.prefetch(at(rax, output * codeRow + chunk * 64 + prefetchAhead));
        code.vpsrlw(high, low, 4);
        code.vpandd(low, low, nibbles);
        code.vpandd(high, high, nibbles);
        for (const [r, sum] of sums.entries()) {
          code.vpdpbusd(sum, low, at(rdx, r * numbers + chunk * 128));
          code.vpdpbusd(sum, high, at(rdx, r * numbers + chunk * 128 + 64));
        }
      }
    }
  }

  /** The lanes of sixteen registers, each into its lane of the first. */
  #addUp(): void {
    const { code } = this;
    const fold = (to: Vector, lowPart: () => void, highPart: () => void) => {
      lowPart();
      highPart();
      code.vpaddd(to, low, high);
    };
    for (let first = 0; first < 16; first += 2) {
      const [a, b] = [sumAt(first), sumAt(first + 1)];
      fold(
        a,
        () => code.vunpcklps(low, a, b),
        () => code.vunpckhps(high, a, b),
      );
    }
    for (let first = 0; first < 16; first += 4) {
      const [a, b] = [sumAt(first), sumAt(first + 2)];
      fold(
        a,
        () => code.vunpcklpd(low, a, b),
        () => code.vunpckhpd(high, a, b),
      );
    }
    for (const [a, b] of [
      [sumAt(0), sumAt(4)],
      [sumAt(8), sumAt(12)],
      [sumAt(0), sumAt(8)],
    ] as const)
      fold(
        a,
        () => code.vshuff32x4(low, a, b, 0x88),
        () => code.vshuff32x4(high, a, b, 0xdd),
      );
  }

  /** Takes away the zero points, scales the sums and adds them to the totals. */
  #scale(rows: number): void {
    const { scalesAt, sumsAt } = tileLayout(this.shape);
    const { code } = this;
    const sum = sumAt(0);
    this.#loadZeroPoints(low);
    this.#loadRows(high, sumsAt - scalesAt, rows);
    // Both fit into words, of which the upper ones count for nothing beside those of zero points, which are 0.
    code.vpmaddwd(low, low, high);
    code.vpsubd(sum, sum, low);
    code.vcvtdq2ps(sum, sum);
    code.vpgatherdd(low, rcx, scaleOffsets);
    code.vmulps(sum, sum, low);
    this.#loadRows(high, 0, rows);
    code.vfmadd231ps(total, sum, high);
  }

  /** A number of each row, to the lanes of all outputs. */
  #loadRows(to: Vector, offset: number, rows: number): void {
    const { code } = this;
    const from = at(rsi, offset);
    if (rows === 1) code.vbroadcastss(to, from);
    else if (rows === 2) code.vpbroadcastq(to, from);
    else code.vbroadcasti32x4(to, from);
  }

  /** Four bytes at a time, of which the last ones of all lie behind others. */
  #loadZeroPoints(to: Vector): void {
    const { code } = this;
    if (!this.shape.zeroPoints) {
      code.movConstant(r8, 8);
      code.vpbroadcastd(to, r8);
      return;
    }
    const [bytes, shift, odd]: [Vector, Vector, Vector] = [1, 2, 3];
    code.vpsrld(bytes, zeroPlaces, 1);
    code.vpminud(to, bytes, lastZeros);
    code.vpsubd(shift, bytes, to);
    code.vpslld(shift, shift, 3);
    code.vpandd(odd, zeroPlaces, one);
    code.vpslld(odd, odd, 2);
    code.vpaddd(shift, shift, odd);
    code.vpgatherdd(4, r8, to);
    code.vpsrlvd(to, 4, shift);
    code.vpandd(to, to, at(r11, layoutTables.halfMask));
    code.vpaddd(zeroPlaces, zeroPlaces, one);
  }

  /** To each row its outputs. */
  #store(rows: number): void {
    const { code } = this;
    code.imul(rdi, r9, 4);
    code.add(rdi, rbp);
    for (let row = 0; row < rows; row += 1) {
      // Lane → lane · rows + row.
      code.vmovdqu32(low, at(r11, layoutTables.even));
      if (rows > 1) code.vpslld(low, low, Math.log2(rows) - 1);
      else code.vpsrld(low, low, 1);
      code.movConstant(rax, row);
      code.vpbroadcastd(high, rax);
      code.vpaddd(low, low, high);
      code.vpermd(high, low, total);
      code.storeVmovdqu32(at(rdi, row * this.shape.outputs * 4), high, { mask: lastMask });
    }
  }
}
