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
   * r15: task, r14: first output, r12: sixteen quantized rows, rbp: rows of y, rbx: rows left, r9: a tile of sums, r13: codes as
   * bytes, r11: scales of the outputs; within a row group rdi: codes as bytes, rdx: x, r10: scales of x, rax: scales.
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
      code.lea(r9, at(rsp, 63));
      code.andConstant(r9, -64);
      code.lea(r13, at(r9, tileBytes));
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
      this.#unpack();
      code.mov(r12, at(r15, task.quantized));
      code.mov(rbp, at(r15, task.y));
      code.imul(r14, r14, 4);
      code.add(rbp, r14);
      code.mov(rbx, at(r15, task.rows));
      const again = newLabel();
      code.place(again);
      this.#rowGroup();
      code.addConstant(r12, tileLayout(this.shape).group);
      code.addConstant(rbp, tileRows * this.shape.outputs * 4);
      code.subConstant(rbx, tileRows);
      code.j('g', again);
      code.tilerelease();
      code.vzeroupper();
      code.addConstant(rsp, waiting);
    }, calleeSaved);
  }

  /** All codes of sixteen outputs to bytes less their zero points, tile by tile. rdx: block. */
  #unpack(): void {
    const { block, zeroPoints } = this.shape;
    const { blocks, codeRow, zeroRow } = this.layout;
    const { code } = this;
    code.movConstant(rdx, 0x0f0f0f0f);
    code.vpbroadcastd(nibbles, rdx);
    code.movConstant(rdx, middle);
    code.vpbroadcastb(10, rdx);
    code.mov(rdi, r13);
    code.movConstant(rdx, 0);
    code.repeat(rsi, blocks, () => {
      // Two zero points lie in a byte.
      code.mov(rcx, rdx);
      code.andConstant(rcx, 1);
      code.imul(rcx, rcx, 4);
      for (const output of outputsOfTile) {
        if (zeroPoints) {
          code.movzxByte(r10, at(r8, output * zeroRow));
          code.shrByRcx(r10);
          code.andConstant(r10, 15);
          code.vpbroadcastb(10, r10);
        }
        for (let chunk = 0; chunk < block / 128; chunk += 1) {
          code.vmovdqu32(8, at(rax, output * codeRow + chunk * 64));
          code.prefetch(at(rax, output * codeRow + chunk * 64 + prefetchAhead));
          code.vpsrlw(9, 8, 4);
          code.vpandd(8, 8, nibbles);
          code.vpandd(9, 9, nibbles);
          for (const half of [0, 1]) {
            code.vpsubb(8 + half, 8 + half, 10);
            code.storeVmovdqu32(at(rdi, (2 * chunk + half) * tileBytes + output * 64), 8 + half);
          }
        }
      }
      code.addConstant(rax, block / 2);
      code.addConstant(rdi, (block / 64) * tileBytes);
      if (!zeroPoints) return;
      code.mov(rcx, rdx);
      code.andConstant(rcx, 1);
      code.add(r8, rcx);
      code.addConstant(rdx, 1);
    });
  }

  /** Sixteen outputs of up to sixteen rows. */
  #rowGroup(): void {
    const { blocks, scaleRow } = this.layout;
    const { scalesAt, tiles } = tileLayout(this.shape);
    const { code } = this;
    for (const output of outputsOfTile) {
      const total = totalOf(output);
      code.vpxord(total, total, total);
    }
    code.mov(rdi, r13);
    code.mov(rdx, r12);
    code.lea(r10, at(r12, scalesAt));
    code.mov(rax, r11);
    code.movConstant(rsi, 64);
    code.repeat(rcx, blocks, () => {
      code.tilezero(0);
      for (let tile = 0; tile < tiles; tile += 1) {
        const [a, b] = [1 + (tile % 3), 4 + (tile % 4)];
        code.tileloadd(a, at(rdi, tile * tileBytes), rsi);
        code.tileloadd(b, at(rdx, tile * tileBytes), rsi);
        code.tdpbssd(0, a, b);
      }
      code.tilestored(at(r9), 0, rsi);
      code.vmovdqu32(14, at(r10));
      for (const output of outputsOfTile) {
        const sum = output % 8;
        code.vcvtdq2ps(sum, at(r9, output * 64));
        code.vmulps(sum, sum, at(rax, output * scaleRow), { broadcast: true });
        code.vfmadd231ps(totalOf(output), sum, 14);
      }
      code.addConstant(rdi, tiles * tileBytes);
      code.addConstant(rdx, tiles * tileBytes);
      code.addConstant(r10, 64);
      code.addConstant(rax, 4);
    });
    this.#storeTotals();
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
