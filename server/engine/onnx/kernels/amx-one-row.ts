/**
 * The product of amx-matmul-code.ts for one row, by AVX-512 VNNI: the same whole numbers, scaled and added block after block
 * as there, so that a row comes out the same to the last bit. Sixteen outputs at a time: the sum of each is first spread over
 * a register of its own; then all are added up into the lanes of one.
 */
import type { AmxAssembler } from './amx-assembler.ts';
import { tileLayout, tileOutputs, tileRows } from './amx-layout.ts';
import {
  at,
  calleeSaved,
  type General,
  type Label,
  newLabel,
  r8,
  r9,
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

const total: Vector = 0;
const [low, high]: [Vector, Vector] = [8, 9];
/** Offsets of the outputs' scales; of their zero points the place among all, in half bytes; the last of those that can be read. */
const [scaleOffsets, zeroPlaces, lastZeros]: [Vector, Vector, Vector] = [14, 12, 13];
const one: Vector = 11;
const nibbles: Vector = 15;
/** Sum of an output. */
const sumAt = (output: number): Vector => 16 + output;
const outputsOfPart = Array.from({ length: tileRows }, (_, output) => output);

/** A function that goes on in one of two by the task's rows. From two rows on a tile is faster, though not full. */
export function emitByRows(code: AmxAssembler, { one, many }: { one: Label; many: Label }): Label {
  const entry = newLabel();
  code.place(entry);
  code.mov(rax, at(rdi, task.rows));
  code.cmpConstant(rax, 1);
  code.j('e', one);
  code.jmp(many);
  return entry;
}

/** `void multiply(task, piece)`; a piece is 32 outputs. */
export class OneRowEmitter extends Emitter<AmxAssembler> {
  /**
   * r15: task, r14: parts left, r9: first output of a part, r12: bytes and r13: scales of the row, rbp: y, r11: tables; within
   * a part rax: codes, rbx: those to be fetched, rcx: scales, rdx: x, rsi: its scales, r8: zero points.
   */
  emit(): Label {
    const { outputs, zeroPoints } = this.shape;
    const { scaleRow, zeroRow } = this.layout;
    const { scalesAt } = tileLayout(this.shape);
    const { code } = this;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(r9, rsi, tileOutputs);
      // The last piece reaches back rather than over the end: what it repeats comes out the same.
      code.movConstant(rax, outputs - tileOutputs);
      code.cmp(r9, rax);
      code.cmov('ge', r9, rax);
      code.movConstant(r11, this.tables);
      code.movConstant(rax, 0x0f0f0f0f);
      code.vpbroadcastd(nibbles, rax);
      code.movConstant(rax, 1);
      code.vpbroadcastd(one, rax);
      code.mov(r12, at(r15, task.quantized));
      code.lea(r13, at(r12, scalesAt));
      code.mov(rbp, at(r15, task.y));
      this.#timesOutputs(scaleOffsets, scaleRow);
      if (zeroPoints) {
        code.movConstant(rax, outputs * zeroRow - 4);
        code.vpbroadcastd(lastZeros, rax);
        code.mov(r8, at(r15, task.zeros));
      }
      code.repeat(r14, tileOutputs / tileRows, () => {
        this.#part();
        code.addConstant(r9, tileRows);
      });
      code.vzeroupper();
    }, calleeSaved);
  }

  /** The number of each lane times a factor. */
  #timesOutputs(to: Vector, factor: number): void {
    const { code } = this;
    code.vmovdqu32(low, at(r11, layoutTables.even));
    code.vpsrld(low, low, 1);
    code.movConstant(rax, factor);
    code.vpbroadcastd(to, rax);
    code.vpmulld(to, to, low);
  }

  #part(): void {
    const { block, zeroPoints } = this.shape;
    const { blocks, codeRow, scaleRow, zeroRow } = this.layout;
    const { code } = this;
    if (zeroPoints) {
      this.#timesOutputs(zeroPlaces, 2 * zeroRow);
      code.imul(rax, r9, 2 * zeroRow);
      code.vpbroadcastd(low, rax);
      code.vpaddd(zeroPlaces, zeroPlaces, low);
    }
    const start = (to: General, field: number, size: number) => {
      code.imul(to, r9, size);
      code.mov(rdi, at(r15, field));
      code.add(to, rdi);
    };
    start(rax, task.codes, codeRow);
    code.lea(rbx, at(rax, tileRows * codeRow));
    start(rcx, task.scales, scaleRow);
    code.mov(rdx, r12);
    code.mov(rsi, r13);
    code.vpxord(total, total, total);
    code.repeat(rdi, blocks, () => {
      this.#products();
      this.#addUp();
      this.#scale();
      code.addConstant(rax, block / 2);
      code.addConstant(rbx, (tileRows * block) / 2);
      code.addConstant(rcx, 4);
      code.addConstant(rdx, block);
      code.addConstant(rsi, tileRows * 4);
    });
    code.imul(rdi, r9, 4);
    code.add(rdi, rbp);
    code.storeVmovdqu32(at(rdi), total);
  }

  /** Of a block: products of the codes of each output with the bytes of the row. */
  #products(): void {
    const { codeRow } = this.layout;
    const { code } = this;
    const chunks = this.shape.block / 128;
    for (const output of outputsOfPart) {
      const sum = sumAt(output);
      code.vpxord(sum, sum, sum);
      for (let chunk = 0; chunk < chunks; chunk += 1) {
        code.vmovdqu32(low, at(rax, output * codeRow + chunk * 64));
        // The next part into the second cache, line after line as it lies: a tenth faster than in the order of its use.
        code.prefetch(at(rbx, (output * chunks + chunk) * 64), 2);
        code.vpsrlw(high, low, 4);
        code.vpandd(low, low, nibbles);
        code.vpandd(high, high, nibbles);
        code.vpdpbusd(sum, low, at(rdx, chunk * 128));
        code.vpdpbusd(sum, high, at(rdx, chunk * 128 + 64));
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
  #scale(): void {
    const { scalesAt, sumsAt } = tileLayout(this.shape);
    const { code } = this;
    const sum = sumAt(0);
    this.#loadZeroPoints(low);
    code.vbroadcastss(high, at(rsi, sumsAt - scalesAt));
    // Both fit into words, of which the upper ones count for nothing beside those of zero points, which are 0.
    code.vpmaddwd(low, low, high);
    code.vpsubd(sum, sum, low);
    code.vcvtdq2ps(sum, sum);
    code.vpgatherdd(low, rcx, scaleOffsets);
    code.vmulps(sum, sum, low);
    code.vbroadcastss(high, at(rsi));
    code.vfmadd231ps(total, sum, high);
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
}
