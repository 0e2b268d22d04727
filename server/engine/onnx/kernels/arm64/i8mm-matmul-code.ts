/**
 * The product of neon-matmul-code.ts by i8mm: an instruction takes eight bytes of two rows and of two outputs, 32 products. Rows lie
 * in pairs for it; one row alone takes DotProd. Blocks' sums are whole numbers either way and are scaled in the same order.
 */
import type { General, Label, Vector } from '../assembler.ts';
import type { MatMulShape } from '../matmul-layout.ts';
import type { Arm64Assembler } from './arm64-assembler.ts';
import { mask, NeonMatMulEmitter, rowBytes, rowScales, width } from './neon-matmul-code.ts';
import { pairedPlaces } from './neon-quantization.ts';

/** Vector registers: totals of up to eight rows are the first; of each pair of rows the sums with two pairs of outputs. */
const sums = Array.from({ length: 8 }, (_, index) => 8 + index);
/** Codes of four outputs, and of four bits their high halves; pairs of outputs, twice eight bytes each; of x. */
const low: Vector[] = [16, 17, 18, 19];
const high: Vector[] = [20, 21, 22, 23];
const outputs: Vector[] = [24, 25, 26, 27];
const [first, second]: Vector[] = [28, 29];

/** Adds `void multiply(task, piece)`. */
export const emitI8mmMatMul = (code: Arm64Assembler, shape: MatMulShape): Label =>
  new I8mmMatMulEmitter(code, shape).emit();

class I8mmMatMulEmitter extends NeonMatMulEmitter {
  protected override readonly groups = [8, 4, 2, 1];
  protected override readonly zero = {
    taken: Array.from({ length: 16 }, (_, index) => 8 + index),
    ofX: outputs,
    middle: mask,
  };

  protected override placesOf(r: number) {
    const places = pairedPlaces(this.layout, (r & 1) as 0 | 1);
    const pair = (r >> 1) * 2 * this.layout.row;
    return { bytes: pair + places.bytes, scales: pair + places.scales, sums: pair + places.sums };
  }

  /** The first of each pair. */
  protected override rowsOf(rows: number, each: Parameters<NeonMatMulEmitter['rowsOf']>[1]): void {
    for (let r = 0; r < rows; r += 2) each(this.placesOf(r), r / 2);
  }

  protected override loadBytes(to: Vector, from: General): void {
    const { code } = this;
    code.ldrQPost(first!, from);
    code.ldrQPost(second!, from);
    code.zip1D(to, first!, second!);
  }

  protected override loadScale(to: Vector, from: General): void {
    this.code.ldrDPost(to, from);
  }

  protected override block(rows: number): void {
    if (rows === 1) {
      super.block(rows);
      return;
    }
    const { code } = this;
    const { bits, block } = this.shape;
    const { chunk } = this.layout;
    const pairs = rows / 2;
    for (const sum of sums.slice(0, 2 * pairs)) code.clear(sum);
    for (let part = 0; part < block / chunk; part += 1) {
      for (let o = 0; o < width; o += 1) {
        this.loadCodes(low[o]!, o, part);
        if (bits === 4) {
          code.ushrB(high[o]!, low[o]!, 4);
          code.and(low[o]!, low[o]!, mask);
        } else code.eor(low[o]!, low[o]!, mask);
      }
      this.#add(pairs, low);
      if (bits === 4) this.#add(pairs, high);
    }
    this.#scalePairs(pairs);
  }

  /** Adds the products of 16 codes of four outputs with the next bytes of x. */
  #add(pairs: number, from: readonly Vector[]): void {
    const { code } = this;
    for (const pair of [0, 2]) {
      code.zip1D(outputs[pair]!, from[pair]!, from[pair + 1]!);
      code.zip2D(outputs[pair + 1]!, from[pair]!, from[pair + 1]!);
    }
    for (let pair = 0; pair < pairs; pair += 1)
      for (const [half, x] of [first!, second!].entries()) {
        code.ldrQPost(x, rowBytes[pair]!);
        for (const other of [0, 1]) code.smmla(sums[2 * pair + other]!, x, outputs[2 * other + half]!);
      }
  }

  #scalePairs(pairs: number): void {
    const { code } = this;
    const [factors, ofRows] = [low[0]!, low[1]!];
    this.loadScales(factors);
    for (let pair = 0; pair < pairs; pair += 1) {
      const [a, b] = sums.slice(2 * pair) as [Vector, Vector];
      const rows = high.slice(0, 2);
      code.zip1D(rows[0]!, a, b);
      code.zip2D(rows[1]!, a, b);
      this.loadScale(ofRows, rowScales[pair]!);
      for (const [index, row] of rows.entries()) {
        code.scvtf(row, row);
        code.fmul(row, row, factors);
        code.fmlaLane(2 * pair + index, row, ofRows, index as 0 | 1);
      }
    }
  }
}
