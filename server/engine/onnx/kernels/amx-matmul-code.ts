/**
 * The product of matmul-code.ts by AMX, for weights of four bits in blocks of whole tiles. Codes less their zero point are
 * signed bytes; a tile of them (16 outputs, 64 columns) times one of x (64 columns, 16 rows) is one instruction. After each
 * block a tile of sums is scaled and added to sixteen registers, an output each, a row of x a lane: a row's numbers are made
 * in one order, whatever rows run beside it, the same in which amx-few-rows.ts makes those of few rows.
 */
import type { AmxAssembler } from './amx-assembler.ts';
import { emitByRows, FewRowsEmitter } from './amx-few-rows.ts';
import { tileBytes, tileLayout, tileRows } from './amx-layout.ts';
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
  rsp,
  type Vector,
} from './assembler.ts';
import { Emitter } from './emitter.ts';
import { type MatMulShape, task } from './matmul-layout.ts';

const prefetchAhead = 3072;
const middle = 8;
const nibbles: Vector = 15;
const zeroPoint: Vector = 10;
const outputsOfTile = Array.from({ length: tileRows }, (_, output) => output);
/** Sums of an output, a row of x a lane. */
const totalOf = (output: number): Vector => 16 + output;

/** Adds `void multiply(task, piece)`, of the System V calling convention; a piece is sixteen outputs. */
export const emitTileMatMul = (
  code: AmxAssembler,
  shape: MatMulShape,
  tables: bigint,
  configAt: number,
): Label =>
  emitByRows(code, {
    few: new FewRowsEmitter(code, shape, tables).emit(),
    many: new TileMatMulEmitter(code, shape, tables).emit(configAt),
  });

class TileMatMulEmitter extends Emitter<AmxAssembler> {
  /**
   * r15: task, then codes, r14: first output, r12: sixteen quantized rows, rbp: rows of y, rbx: rows left, r13: codes as bytes,
   * behind a tile of sums, r11: scales of the outputs; within a row group rdi: codes as bytes, rdx: x, r9: scales of x, rax: scales.
   */
  emit(configAt: number): Label {
    const { codeRow, scaleRow, zeroRow } = this.layout;
    const { numbers } = tileLayout(this.shape);
    const { code } = this;
    const waiting = tileBytes + numbers * tileRows + 64;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(r14, rsi, tileRows);
      // The last piece reaches back rather than over the end: what it repeats comes out the same.
      code.movConstant(rax, this.shape.outputs - tileRows);
      code.cmp(r14, rax);
      code.cmov('ge', r14, rax);
      code.subConstant(rsp, waiting);
      code.lea(r13, at(rsp, tileBytes + 63));
      code.andConstant(r13, -64);
      code.movConstant(rax, this.tables + BigInt(configAt));
      code.ldtilecfg(at(rax));
      const start = (to: General, field: number, size: number) => {
        code.imul(to, r14, size);
        code.mov(rdi, at(r15, field));
        code.add(to, rdi);
      };
      start(rax, task.codes, codeRow);
      start(r11, task.scales, scaleRow);
      if (zeroRow > 0) start(r8, task.zeros, zeroRow);
      code.mov(r12, at(r15, task.quantized));
      code.mov(rbp, at(r15, task.y));
      code.mov(rbx, at(r15, task.rows));
      code.imul(r14, r14, 4);
      code.add(rbp, r14);
      code.mov(r15, rax);
      code.movConstant(rdx, 0x0f0f0f0f);
      code.vpbroadcastd(nibbles, rdx);
      code.movConstant(rdx, middle);
      code.vpbroadcastb(zeroPoint, rdx);
      const [many, done] = [newLabel(), newLabel()];
      code.cmpConstant(rbx, tileRows);
      code.j('g', many);
      this.#oneGroup();
      code.jmp(done);
      code.place(many);
      this.#groups();
      code.place(done);
      code.tilerelease();
      code.vzeroupper();
      code.addConstant(rsp, waiting);
    }, calleeSaved);
  }

  /** Up to sixteen rows: each block's codes are used as soon as they are bytes. */
  #oneGroup(): void {
    const { code } = this;
    this.#startTotals();
    code.mov(rax, r11);
    code.mov(rdi, r13);
    code.repeat(r14, this.layout.blocks, () => {
      this.#unpackBlock(r14);
      code.movConstant(rsi, 64);
      this.#block();
    });
    this.#storeTotals();
  }

  /** All codes become bytes once, for one group of rows after another. */
  #groups(): void {
    const { blocks } = this.layout;
    const { block, outputs } = this.shape;
    const { group } = tileLayout(this.shape);
    const bytes = (block / 64) * tileBytes;
    const { code } = this;
    code.mov(rdi, r13);
    code.repeat(rsi, blocks, () => {
      this.#unpackBlock(rsi);
      code.addConstant(rdi, bytes);
    });
    code.movConstant(rsi, 64);
    const again = newLabel();
    code.place(again);
    this.#startTotals();
    code.mov(rdi, r13);
    code.mov(rax, r11);
    code.repeat(rcx, blocks, () => {
      this.#block();
      code.addConstant(rdi, bytes);
    });
    this.#storeTotals();
    code.addConstant(r12, group);
    code.addConstant(rbp, tileRows * outputs * 4);
    code.subConstant(rbx, tileRows);
    code.j('g', again);
  }

  /**
   * The codes of a block of sixteen outputs to bytes less their zero points, tile by tile. r15, r8: codes and zero points,
   * which go on; takes rcx and r10.
   *
   * @param left holds how many blocks there are from this one on
   */
  #unpackBlock(left: General): void {
    const { block, zeroPoints } = this.shape;
    const { blocks, codeRow, zeroRow } = this.layout;
    const { code } = this;
    // Two zero points lie in a byte.
    const place = () => {
      code.lea(rcx, at(left, blocks % 2));
      code.andConstant(rcx, 1);
    };
    if (zeroPoints) {
      place();
      code.imul(rcx, rcx, 4);
    }
    for (const output of outputsOfTile) {
      if (zeroPoints) {
        code.movzxByte(r10, at(r8, output * zeroRow));
        code.shrByRcx(r10);
        code.andConstant(r10, 15);
        code.vpbroadcastb(zeroPoint, r10);
      }
      for (let chunk = 0; chunk < block / 128; chunk += 1) {
        code.vmovdqu32(8, at(r15, output * codeRow + chunk * 64));
        code.prefetch(at(r15, output * codeRow + chunk * 64 + prefetchAhead));
        code.vpsrlw(9, 8, 4);
        code.vpandd(8, 8, nibbles);
        code.vpandd(9, 9, nibbles);
        for (const half of [0, 1]) {
          code.vpsubb(8 + half, 8 + half, zeroPoint);
          code.storeVmovdqu32(at(rdi, (2 * chunk + half) * tileBytes + output * 64), 8 + half);
        }
      }
    }
    code.addConstant(r15, block / 2);
    if (!zeroPoints) return;
    place();
    code.add(r8, rcx);
  }

  /** Of the group at hand. */
  #startTotals(): void {
    const { code } = this;
    for (const output of outputsOfTile) {
      const total = totalOf(output);
      code.vpxord(total, total, total);
    }
    code.mov(rdx, r12);
    code.lea(r9, at(r12, tileLayout(this.shape).scalesAt));
  }

  /** A block of sixteen outputs of sixteen rows. rdi: codes as bytes, rsi: 64; rdx, r9 and rax go on. */
  #block(): void {
    const { scaleRow } = this.layout;
    const { tiles } = tileLayout(this.shape);
    const { code } = this;
    const sums = at(r13, -tileBytes);
    code.tilezero(0);
    for (let tile = 0; tile < tiles; tile += 1) {
      const [a, b] = [1 + (tile % 3), 4 + (tile % 4)];
      code.tileloadd(a, at(rdi, tile * tileBytes), rsi);
      code.tileloadd(b, at(rdx, tile * tileBytes), rsi);
      code.tdpbssd(0, a, b);
    }
    code.tilestored(sums, 0, rsi);
    code.vmovdqu32(14, at(r9));
    for (const output of outputsOfTile) {
      const sum = output % 8;
      code.vcvtdq2ps(sum, at(r13, sums.offset + output * 64));
      code.vmulps(sum, sum, at(rax, output * scaleRow), { broadcast: true });
      code.vfmadd231ps(totalOf(output), sum, 14);
    }
    code.addConstant(rdx, tiles * tileBytes);
    code.addConstant(r9, tileRows * 4);
    code.addConstant(rax, 4);
  }

  /** Sixteen outputs a row instead of sixteen rows an output, for as many rows as there are. */
  #storeTotals(): void {
    const { code } = this;
    const done = newLabel();
    for (let pair = 0; pair < 16; pair += 2) {
      code.vunpcklps(pair, 16 + pair, 17 + pair);
      code.vunpckhps(pair + 1, 16 + pair, 17 + pair);
    }
    for (let four = 0; four < 16; four += 4)
      for (const half of [0, 1]) {
        code.vunpcklpd(16 + four + 2 * half, four + half, four + half + 2);
        code.vunpckhpd(17 + four + 2 * half, four + half, four + half + 2);
      }
    for (let column = 0; column < 4; column += 1) {
      const [a, b, c, d] = [0, 4, 8, 12].map((four) => 16 + four + column) as [
        Vector,
        Vector,
        Vector,
        Vector,
      ];
      const [even, odd, evenAbove, oddAbove] = [0, 1, 2, 3].map((part) => 4 * column + part) as [
        Vector,
        Vector,
        Vector,
        Vector,
      ];
      code.vshuff32x4(even, a, b, 0x88);
      code.vshuff32x4(odd, a, b, 0xdd);
      code.vshuff32x4(evenAbove, c, d, 0x88);
      code.vshuff32x4(oddAbove, c, d, 0xdd);
    }
    for (let row = 0; row < 16; row += 1) {
      const column = row % 4;
      const [low, above] = [4 * column + ((row >> 2) & 1), 4 * column + 2 + ((row >> 2) & 1)];
      if (row > 0) {
        code.cmpConstant(rbx, row);
        code.j('le', done);
      }
      code.vshuff32x4(16, low, above, row < 8 ? 0x88 : 0xdd);
      code.storeVmovdqu32(at(rbp, row * this.shape.outputs * 4), 16);
    }
    code.place(done);
  }
}
