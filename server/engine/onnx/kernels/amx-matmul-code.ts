/**
 * The product of matmul-code.ts by AMX, for weights of four bits in blocks of whole tiles. Codes less their zero point are
 * signed bytes; a tile of them (16 outputs, 64 columns) times one of x (64 columns, 16 rows) is one instruction. The codes of
 * 32 outputs become bytes block by block, in the first cache, a block ahead of their use; all rows pass over them, 32 at a
 * time, so that a loaded tile is multiplied twice. After each block sums are scaled and added to totals in memory, a row of x
 * a lane: a row's numbers are made in one order, whatever rows run beside it, the same in which amx-one-row.ts makes them.
 */
import type { AmxAssembler, Tile } from './amx-assembler.ts';
import { tileBytes, tileLayout, tileOutputs, tileRows } from './amx-layout.ts';
import { emitByRows, OneRowEmitter } from './amx-one-row.ts';
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
import { Emitter } from './emitter.ts';
import { type MatMulShape, task } from './matmul-layout.ts';

/** Rows that pass over the codes together: their totals stay in the first cache. */
const passRows = 128;
const groupTotals = tileOutputs * 64;
const nibbles: Vector = 15;
const zeroPoint: Vector = 10;
const xScales: Vector = 14;
const middle = 8;
const outputsOfPiece = Array.from({ length: tileOutputs }, (_, output) => output);

/** Outputs that become bytes between the products of two tiles of one group of rows. */
const outputsBetween = 4;
const halves = [0, 1];
/** Tile of the sums of sixteen outputs and a group of rows. */
const sumsOf = (half: number, row: number): Tile => 2 * half + row;

/** Places of a block's operands; its groups of rows, of two. */
interface BlockWork {
  codes: General;
  x: General;
  scales: General;
  totals: Memory;
  rows: number[];
}

/** Behind rsp: what a pass over the codes starts from. */
const local = { codes: 0, scales: 8, zeros: 16, y: 24, rows: 32, groups: 40, size: 48 };

/** Adds `void multiply(task, piece)`, of the System V calling convention; a piece is 32 outputs. */
export const emitTileMatMul = (
  code: AmxAssembler,
  shape: MatMulShape,
  tables: bigint,
  configAt: number,
): Label =>
  emitByRows(code, {
    one: new OneRowEmitter(code, shape, tables).emit(),
    many: new TileMatMulEmitter(code, shape, tables).emit(configAt),
  });

class TileMatMulEmitter extends Emitter<AmxAssembler> {
  readonly #tiles = tileLayout(this.shape);
  /** Codes of 32 outputs of a block as bytes: the tiles of the first sixteen, then the others'. */
  readonly #blockBytes = 2 * this.#tiles.tiles * tileBytes;
  /** From r13: four tiles of sums, the codes of two blocks, totals of each group of rows. */
  readonly #codesAt = 4 * tileBytes;
  readonly #totalsAt = this.#codesAt + 2 * this.#blockBytes;

  /**
   * r13: sums, codes as bytes, totals; within a pass r15, r8: codes and zero points, which run a block ahead, r11: scales,
   * r12, rbp: bytes and scales of x, r14: blocks left and one; within a block rdi: codes as bytes, rdx, r9: bytes and scales of
   * a group of rows, r10: its totals, rcx: groups left.
   */
  emit(configAt: number): Label {
    const { codeRow, scaleRow, zeroRow } = this.layout;
    const { code } = this;
    const frame = this.#totalsAt + (passRows / tileRows) * groupTotals + local.size + 64;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(r14, rsi, tileOutputs);
      // The last piece reaches back rather than over the end: what it repeats comes out the same.
      code.movConstant(rax, this.shape.outputs - tileOutputs);
      code.cmp(r14, rax);
      code.cmov('ge', r14, rax);
      code.subConstant(rsp, frame);
      code.lea(r13, at(rsp, local.size + 63));
      code.andConstant(r13, -64);
      code.movConstant(rax, this.tables + BigInt(configAt));
      code.ldtilecfg(at(rax));
      const start = (to: number, field: number, size: number) => {
        code.imul(rax, r14, size);
        code.mov(rdi, at(r15, field));
        code.add(rax, rdi);
        code.store(at(rsp, to), rax);
      };
      start(local.codes, task.codes, codeRow);
      start(local.scales, task.scales, scaleRow);
      if (zeroRow > 0) start(local.zeros, task.zeros, zeroRow);
      start(local.y, task.y, 4);
      code.mov(rbx, at(r15, task.rows));
      code.mov(r12, at(r15, task.quantized));
      const again = newLabel();
      code.place(again);
      code.store(at(rsp, local.rows), rbx);
      this.#pass();
      code.addConstant(r12, (passRows / tileRows) * this.#tiles.group);
      code.mov(rbx, at(rsp, local.rows));
      code.subConstant(rbx, passRows);
      code.j('g', again);
      code.tilerelease();
      code.vzeroupper();
      code.addConstant(rsp, frame);
    }, calleeSaved);
  }

  /** Up to 128 rows. rbx: rows left, r12: their bytes. */
  #pass(): void {
    const { blocks } = this.layout;
    const { scalesAt, tiles } = this.#tiles;
    const { code } = this;
    code.movConstant(rax, passRows);
    code.cmp(rbx, rax);
    code.cmov('ge', rbx, rax);
    code.addConstant(rbx, tileRows - 1);
    code.shr(rbx, Math.log2(tileRows));
    code.store(at(rsp, local.groups), rbx);
    this.#clearTotals();
    code.movConstant(rdx, 0x0f0f0f0f);
    code.vpbroadcastd(nibbles, rdx);
    code.movConstant(rdx, middle);
    code.vpbroadcastb(zeroPoint, rdx);
    code.mov(r15, at(rsp, local.codes));
    code.mov(r11, at(rsp, local.scales));
    if (this.shape.zeroPoints) code.mov(r8, at(rsp, local.zeros));
    code.lea(rbp, at(r12, scalesAt));
    code.movConstant(rsi, 64);
    code.repeat(r14, blocks + 1, () => {
      const [several, unpacked, done] = [newLabel(), newLabel(), newLabel()];
      code.cmpConstant(r14, 1);
      code.j('e', unpacked);
      this.#findCodes(rdi, 0);
      code.cmpConstant(r14, blocks + 1);
      code.j('e', several);
      code.mov(rax, at(rsp, local.groups));
      code.cmpConstant(rax, 1);
      code.j('ne', several);
      this.#oneGroup();
      code.jmp(done);
      code.place(several);
      this.#unpackBlock();
      code.place(unpacked);
      const next = newLabel();
      code.cmpConstant(r14, blocks + 1);
      code.j('e', next);
      this.#findCodes(rdi, 1);
      this.#allGroups();
      code.place(done);
      code.addConstant(r11, 4);
      code.addConstant(rbp, tileRows * 4);
      code.addConstant(r12, tiles * tileBytes);
      code.place(next);
    });
    code.subConstant(r12, blocks * tiles * tileBytes);
    this.#storeGroups();
  }

  #clearTotals(): void {
    const { code } = this;
    code.vpxord(0, 0, 0);
    code.lea(r10, at(r13, this.#totalsAt));
    const again = newLabel();
    code.place(again);
    for (const output of outputsOfPiece) code.storeVmovdqu32(at(r10, output * 64), 0);
    code.addConstant(r10, groupTotals);
    code.subConstant(rbx, 1);
    code.j('ne', again);
  }

  /** Place of the codes of this turn's block, or of the last turn's. */
  #findCodes(to: General, turn: 0 | 1): void {
    const { code } = this;
    code.lea(to, at(r14, turn));
    code.andConstant(to, 1);
    code.imul(to, to, this.#blockBytes);
    code.add(to, r13);
    code.addConstant(to, this.#codesAt);
  }

  /** The codes of a block of 32 outputs to bytes less their zero points, tile by tile; takes rcx and r10. */
  #unpackBlock(): void {
    this.#startUnpacking();
    for (const output of outputsOfPiece) this.#unpackOutput(output);
    this.#endUnpacking();
  }

  /** rcx: bits before a zero point, of which two lie in a byte. */
  #startUnpacking(): void {
    if (!this.shape.zeroPoints) return;
    this.#findHalf();
    this.code.imul(rcx, rcx, 4);
  }

  #findHalf(): void {
    const { code } = this;
    code.lea(rcx, at(r14, 1 + (this.layout.blocks % 2)));
    code.andConstant(rcx, 1);
  }

  #unpackOutput(output: number): void {
    const { block, zeroPoints } = this.shape;
    const { codeRow, zeroRow } = this.layout;
    const { code } = this;
    if (zeroPoints) {
      code.movzxByte(r10, at(r8, output * zeroRow));
      code.shrByRcx(r10);
      code.andConstant(r10, 15);
      code.vpbroadcastb(zeroPoint, r10);
    }
    const to = Math.floor(output / tileRows) * (this.#blockBytes / 2) + (output % tileRows) * 64;
    for (let chunk = 0; chunk < block / 128; chunk += 1) {
      const from = output * codeRow + chunk * 64;
      code.vmovdqu32(8, at(r15, from));
      // The same place of the next piece, into the second cache: the first holds what is worked on.
      code.prefetch(at(r15, from + tileOutputs * codeRow), 2);
      code.vpsrlw(9, 8, 4);
      code.vpandd(8, 8, nibbles);
      code.vpandd(9, 9, nibbles);
      for (const half of [0, 1]) {
        code.vpsubb(8 + half, 8 + half, zeroPoint);
        code.storeVmovdqu32(at(rdi, to + (2 * chunk + half) * tileBytes), 8 + half);
      }
    }
  }

  #endUnpacking(): void {
    const { block, zeroPoints } = this.shape;
    const { code } = this;
    code.addConstant(r15, block / 2);
    if (!zeroPoints) return;
    this.#findHalf();
    code.add(r8, rcx);
  }

  /** One group of rows passes over a block while the next becomes bytes: a tile's product takes long to come. */
  #oneGroup(): void {
    const { tiles } = this.#tiles;
    const work = { codes: rdx, x: r12, scales: rbp, totals: at(r13, this.#totalsAt), rows: [0] };
    this.#findCodes(rdx, 1);
    this.#startUnpacking();
    this.#clearSums(work);
    for (const output of outputsOfPiece) {
      const [tile, rest] = [Math.floor(output / outputsBetween), output % outputsBetween];
      if (rest === 0 && tile < tiles) this.#multiplyTile(work, tile);
      this.#unpackOutput(output);
    }
    this.#endUnpacking();
    this.#addSums(work);
  }

  /** Two groups of rows at a time pass over a block, and the last where they are odd. */
  #allGroups(): void {
    const { group } = this.#tiles;
    const { code } = this;
    const [pair, last, done] = [newLabel(), newLabel(), newLabel()];
    code.mov(rdx, r12);
    code.mov(r9, rbp);
    code.lea(r10, at(r13, this.#totalsAt));
    code.mov(rcx, at(rsp, local.groups));
    code.place(pair);
    code.subConstant(rcx, 2);
    code.j('l', last);
    this.#block([0, 1]);
    code.addConstant(rdx, 2 * group);
    code.addConstant(r9, 2 * group);
    code.addConstant(r10, 2 * groupTotals);
    code.jmp(pair);
    code.place(last);
    code.cmpConstant(rcx, -1);
    code.j('ne', done);
    this.#block([0]);
    code.place(done);
  }

  /** A block of 32 outputs of one or two groups of rows. */
  #block(rows: number[]): void {
    const work = { codes: rdi, x: rdx, scales: r9, totals: at(r10), rows };
    this.#clearSums(work);
    for (let tile = 0; tile < this.#tiles.tiles; tile += 1) this.#multiplyTile(work, tile);
    this.#addSums(work);
  }

  #clearSums({ rows }: BlockWork): void {
    for (const half of halves) for (const row of rows) this.code.tilezero(sumsOf(half, row));
  }

  #multiplyTile({ codes, x, rows }: BlockWork, tile: number): void {
    const { group } = this.#tiles;
    const { code } = this;
    for (const row of rows) code.tileloadd(6 + row, at(x, row * group + tile * tileBytes), rsi);
    for (const half of halves) {
      code.tileloadd(4 + half, at(codes, half * (this.#blockBytes / 2) + tile * tileBytes), rsi);
      for (const row of rows) code.tdpbssd(sumsOf(half, row), 4 + half, 6 + row);
    }
  }

  /** Scales the sums and adds them to the totals. */
  #addSums({ scales, totals, rows }: BlockWork): void {
    const { scaleRow } = this.layout;
    const { code } = this;
    for (const half of halves)
      for (const row of rows) code.tilestored(at(r13, sumsOf(half, row) * tileBytes), sumsOf(half, row), rsi);
    for (const row of rows) {
      code.vmovdqu32(xScales, at(scales, row * this.#tiles.group));
      for (const output of outputsOfPiece) {
        const sum = output % 8;
        const total = at(totals.base, totals.offset + row * groupTotals + output * 64);
        const sums = sumsOf(Math.floor(output / tileRows), row) * tileBytes;
        code.vcvtdq2ps(sum, at(r13, sums + (output % tileRows) * 64));
        code.vmulps(sum, sum, at(r11, output * scaleRow), { broadcast: true });
        code.vfmadd213ps(sum, xScales, total);
        code.storeVmovdqu32(total, sum);
      }
    }
  }

  /** The totals of a pass to its rows of y, which then are those of the next. */
  #storeGroups(): void {
    const { outputs } = this.shape;
    const { code } = this;
    code.mov(rbp, at(rsp, local.y));
    code.mov(rbx, at(rsp, local.rows));
    code.mov(rcx, at(rsp, local.groups));
    code.lea(r10, at(r13, this.#totalsAt));
    const again = newLabel();
    code.place(again);
    for (const half of [0, 1]) {
      for (let output = 0; output < tileRows; output += 1)
        code.vmovdqu32(16 + output, at(r10, (half * tileRows + output) * 64));
      this.#storeTotals(half * tileRows * 4);
    }
    code.addConstant(r10, groupTotals);
    code.addConstant(rbp, tileRows * outputs * 4);
    code.subConstant(rbx, tileRows);
    code.subConstant(rcx, 1);
    code.j('ne', again);
    code.store(at(rsp, local.y), rbp);
  }

  /** Sixteen outputs a row instead of sixteen rows an output, for as many rows as there are. */
  #storeTotals(offset: number): void {
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
      code.storeVmovdqu32(at(rbp, row * this.shape.outputs * 4 + offset), 16);
    }
    code.place(done);
  }
}
