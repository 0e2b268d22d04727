/**
 * The product of matmul-code.ts on ARM64 with DotProd: 16 signed bytes an instruction. Codes of eight bits become signed ones,
 * 128 less, and so do their zero points. The lanes of a block's sum are put together before it is scaled, so that four outputs
 * share a register from there on.
 */
import { at, floatBits, type General, type Label, type Vector } from '../assembler.ts';
import { layoutOf, type MatMulShape, task } from '../matmul-layout.ts';
import { passRowGroup } from '../row-groups.ts';
import type { Arm64Assembler } from './arm64-assembler.ts';
import { loadLanes } from './neon-quantization.ts';

/** Outputs of a tile. */
export const width = 4;
/** Ahead of what is being read. */
const prefetchAhead = 1024;

/** General registers, the first of several: of four outputs codes (or zero points) and scales, of four rows bytes. */
const outputCodes: General[] = [1, 2, 3, 4];
const outputScales: General[] = [5, 6, 7, 8];
export const rowBytes: General[] = [9, 10, 11, 12];
export const rowScales: General[] = [13, 14, 15, 19];
const [given, other, output, end, rowsAt, yAt, rowsLeft, firstOutput, tile, left] = [
  0, 16, 20, 21, 22, 23, 24, 25, 26, 27,
] as const;
const registers = { end, firstOutput, output, rowsAt, rowsLeft, tile, yAt };
const saved = [19, 20, 21, 22, 23, 24, 25, 26, 27, 28];

/** Vector registers: after the rows' totals sums of the block, then bytes of x, and others. */
const sums = Array.from({ length: 16 }, (_, index) => 4 + index);
const numbers = Array.from({ length: 8 }, (_, index) => 20 + index);
const [low, high, shifts]: Vector[] = [28, 29, 30];
export const mask: Vector = 31;

/** Adds `void multiply(task, piece)`. */
export const emitNeonMatMul = (code: Arm64Assembler, shape: MatMulShape): Label =>
  new NeonMatMulEmitter(code, shape).emit();

/** Places of a row's parts. */
interface RowPlaces {
  bytes: number;
  scales: number;
  sums: number;
}

export class NeonMatMulEmitter {
  protected readonly code: Arm64Assembler;
  protected readonly shape: MatMulShape;
  protected readonly layout: ReturnType<typeof layoutOf>;
  /** Rows that pass together, the most first. */
  protected readonly groups: readonly number[] = [4, 2, 1];
  /** Registers that zero points take besides: results of four rows, sums of x, and a constant. */
  protected readonly zero = { taken: sums, ofX: numbers, middle: numbers[7]! };

  constructor(code: Arm64Assembler, shape: MatMulShape) {
    this.code = code;
    this.shape = shape;
    this.layout = layoutOf(shape, 16);
  }

  /** From the group's beginning. */
  protected placesOf(r: number): RowPlaces {
    const { row, scalesAt, sumsAt } = this.layout;
    return { bytes: r * row, scales: r * row + scalesAt, sums: r * row + sumsAt };
  }

  emit(): Label {
    const code = this.code;
    const { outputs } = this.shape;
    const { pieceOutputs } = this.layout;
    // Functions keep the lower halves of v8 to v15.
    const pairs = [8, 10, 12, 14].map((first) => [first, first + 1] as const);
    return code.routine(() => {
      for (const pair of pairs) code.pushHalves(...pair);
      code.imul(firstOutput, 1, pieceOutputs);
      code.lea(end, at(firstOutput, pieceOutputs));
      code.movConstant(other, outputs);
      code.cmp(end, other);
      code.cmov('ge', end, other);
      code.mov(rowsAt, at(given, task.quantized));
      code.mov(yAt, at(given, task.y));
      code.mov(rowsLeft, at(given, task.rows));
      const group = { width, outputs, row: this.layout.row };
      for (const rows of this.groups)
        passRowGroup(code, registers, { ...group, rows }, () => this.#tile(rows));
      for (const pair of pairs.toReversed()) code.popHalves(...pair);
    }, saved);
  }

  /** Four outputs of `rows` rows, whose totals lie in the first vector registers. */
  #tile(rows: number): void {
    const { code } = this;
    const { bits, outputs, zeroPoints } = this.shape;
    const { blocks, codeRow, scaleRow } = this.layout;
    for (let first = 0; first < rows; first += 4)
      if (bits === 4 || zeroPoints) this.#zeroPoints(first, Math.min(4, rows - first));
      else for (let r = first; r < Math.min(first + 4, rows); r += 1) code.clear(r);
    code.moviB(mask, bits === 4 ? 0x0f : 0x80);
    this.#outputRows(outputCodes, task.codes, codeRow);
    this.#outputRows(outputScales, task.scales, scaleRow);
    this.rowsOf(rows, (places, index) => {
      code.lea(rowBytes[index]!, at(rowsAt, places.bytes));
      code.lea(rowScales[index]!, at(rowsAt, places.scales));
    });
    code.repeat(left, blocks, () => this.block(rows));
    code.imul(other, tile, 4);
    code.add(other, yAt);
    for (let r = 0; r < rows; r += 1) {
      if (r > 0) code.addConstant(other, outputs * 4);
      code.strQ(r, at(other));
    }
  }

  /** Rows that have pointers of their own. */
  protected rowsOf(rows: number, each: (places: RowPlaces, index: number) => void): void {
    for (let r = 0; r < rows; r += 1) each(this.placesOf(r), r);
  }

  /** Places of the tile's outputs in one of the weights' parts. */
  #outputRows(to: readonly General[], field: number, size: number): void {
    const code = this.code;
    const [first] = to as [General];
    code.imul(first, tile, size);
    code.mov(other, at(given, field));
    code.add(first, other);
    for (const [index, register] of to.slice(1).entries()) code.lea(register, at(to[index]!, size));
  }

  /** One block of four rows of W with some of x. */
  protected block(rows: number): void {
    const code = this.code;
    const { bits, block } = this.shape;
    const { chunk } = this.layout;
    // Few rows have registers for a second sum each, which shortens what waits for each other.
    const twice = bits === 4 && rows <= 2;
    const sumOf = (r: number, o: number, second = false) =>
      sums[(second ? rows * width : 0) + r * width + o]!;
    for (const sum of sums.slice(0, rows * width * (twice ? 2 : 1))) code.clear(sum);
    for (let part = 0; part < block / chunk; part += 1) {
      for (let r = 0; r < rows; r += 1)
        for (let half = 0; half < chunk / 16; half += 1) this.loadBytes(numbers[2 * r + half]!, rowBytes[r]!);
      for (let o = 0; o < width; o += 1) {
        this.loadCodes(low!, o, part);
        if (bits === 4) {
          code.ushrB(high!, low!, 4);
          code.and(low!, low!, mask);
        } else code.eor(low!, low!, mask);
        for (let r = 0; r < rows; r += 1) code.sdot(sumOf(r, o), low!, numbers[2 * r]!);
        if (bits === 4)
          for (let r = 0; r < rows; r += 1) code.sdot(sumOf(r, o, twice), high!, numbers[2 * r + 1]!);
      }
    }
    if (twice)
      for (let r = 0; r < rows; r += 1)
        for (let o = 0; o < width; o += 1) code.add4(sumOf(r, o), sumOf(r, o), sumOf(r, o, true));
    this.#scale(rows, sumOf);
  }

  /** 16 bytes of a row. */
  protected loadBytes(to: Vector, from: General): void {
    this.code.ldrQPost(to, from);
  }

  /** The scale of a row in the lowest lane. */
  protected loadScale(to: Vector, from: General): void {
    this.code.ldrSPost(to, from);
  }

  /** 16 bytes of an output's codes; those ahead are asked for now and then. */
  protected loadCodes(to: Vector, o: number, part: number): void {
    this.code.ldrQPost(to, outputCodes[o]!);
    if (part % 4 === 0) this.code.prfm(at(outputCodes[o]!, prefetchAhead));
  }

  /** The scales of four outputs. */
  protected loadScales(to: Vector): void {
    this.code.ldrSPost(to, outputScales[0]!);
    for (let o = 1; o < width; o += 1) this.code.ld1SPost(to, o, outputScales[o]!);
  }

  #scale(rows: number, sumOf: (r: number, o: number) => Vector): void {
    const code = this.code;
    this.loadScales(low!);
    for (let r = 0; r < rows; r += 1) {
      const [a, b, c, d] = [0, 1, 2, 3].map((o) => sumOf(r, o)) as [Vector, Vector, Vector, Vector];
      code.addp(a, a, b);
      code.addp(c, c, d);
      code.addp(a, a, c);
      code.scvtf(a, a);
      code.fmul(a, a, low!);
      this.loadScale(high!, rowScales[r]!);
      code.fmlaLane(r, a, high!);
    }
  }

  /** Totals begin with what the zero points have put in, taken away: four blocks at a time. */
  #zeroPoints(first: number, rows: number): void {
    const code = this.code;
    const { blocks, scaleRow, zeroRow } = this.layout;
    const [whole, rest] = [Math.floor(blocks / 4), blocks % 4];
    this.#outputRows(outputScales, task.scales, scaleRow);
    if (zeroRow > 0) this.#outputRows(outputCodes, task.zeros, zeroRow);
    for (let r = 0; r < rows; r += 1) code.lea(rowBytes[r]!, at(rowsAt, this.placesOf(first + r).sums));
    const taken = this.zero.taken.slice(0, rows * width);
    for (const sum of taken) code.clear(sum);
    this.#zeroConstants();
    code.repeat(left, whole, () => this.#zeroStep(rows, 4));
    if (rest > 0) this.#zeroStep(rows, rest);
    for (let r = 0; r < rows; r += 1) {
      const [a, b, c, d] = taken.slice(r * width) as [Vector, Vector, Vector, Vector];
      code.faddp(a, a, b);
      code.faddp(c, c, d);
      code.faddp(first + r, a, c);
    }
  }

  /** Shifts of four half bytes and their mask; or the middle. */
  #zeroConstants(): void {
    const code = this.code;
    const { bits, zeroPoints } = this.shape;
    const { middle } = this.zero;
    code.movConstant(other, bits === 4 && zeroPoints ? 15 : floatBits(2 ** (bits - 1)));
    code.dup(middle, other);
    if (bits === 8) return;
    // By 0, −4, −8 and −12.
    for (const [half, pair] of [0xfffffffc_00000000n, 0xfffffff4_fffffff8n].entries()) {
      code.movConstant(other, pair);
      code.insD(shifts!, half, other);
    }
  }

  /** @param there blocks of these four */
  #zeroStep(rows: number, there: number): void {
    const code = this.code;
    const load = (to: Vector, from: General) => {
      if (there === 4) code.ldrQPost(to, from);
      else loadLanes(code, { to, from: at(from), there, other });
    };
    const { ofX, taken } = this.zero;
    for (let r = 0; r < rows; r += 1) load(ofX[r]!, rowBytes[r]!);
    for (let o = 0; o < width; o += 1) {
      load(low!, outputScales[o]!);
      this.#loadZeros(high!, outputCodes[o]!, there);
      code.fmul(low!, low!, high!);
      for (let r = 0; r < rows; r += 1) code.fmls(taken[r * width + o]!, low!, ofX[r]!);
    }
  }

  #loadZeros(to: Vector, from: General, there: number): void {
    const code = this.code;
    const { bits, zeroPoints } = this.shape;
    const { middle } = this.zero;
    if (!zeroPoints) {
      code.and(to, middle, middle);
      return;
    }
    const bytes = bits === 4 ? Math.ceil(there / 2) : there;
    if (bytes === 4) code.ldrS(to, at(from));
    else if (bytes === 2) code.ldrH(to, at(from));
    else code.ldrB(to, at(from));
    if (bytes === 3) {
      code.ldrH(to, at(from));
      code.lea(other, at(from, 2));
      code.ld1B(to, 2, other);
    }
    if (there === 4) code.addConstant(from, bytes);
    if (bits === 4) {
      code.dupLane(to, to);
      code.ushl(to, to, shifts!);
      code.and(to, to, middle);
      code.ucvtf(to, to);
    } else {
      code.uxtlH(to, to);
      code.uxtlS(to, to);
      code.ucvtf(to, to);
      code.fsub(to, to, middle);
    }
  }
}
