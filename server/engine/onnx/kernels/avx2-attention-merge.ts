/** Results of pieces put together by AVX2: first their weights, which are kept with them, then some numbers of a head at a time. */
import { at, type Label, r11, rdi, rsi } from './assembler.ts';
import { type AttentionShape, partialOf } from './attention-layout.ts';
import { MergeEmitter } from './attention-merge.ts';
import type { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';
import { avx2Exponential, loadAvx2Exponents } from './avx2-powers.ts';

const [most, total, weight, sum] = [0, 1, 2, 3];
/** Registers of a head's numbers that are made together, from the first one on. */
const sums = { first: 4, count: 4 };

/** Adds `void merge(task, token)`, of the System V calling convention; tokens count over all rows. */
export const emitAvx2Merge = (code: Avx2AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx2MergeEmitter(code, shape, tables).emit();

class Avx2MergeEmitter extends MergeEmitter<Avx2AttentionAssembler> {
  protected loadExponents(): void {
    loadAvx2Exponents(this.code);
  }

  protected query(): void {
    const { most: mostAt, sum: sumAt, weight: weightAt } = partialOf(this.shape);
    const { code } = this;
    code.vbroadcastss(most, at(r11, mostAt * 4));
    this.eachPiece(() => {
      code.vbroadcastss(weight, at(rsi, mostAt * 4));
      code.vmaxps(most, most, weight);
    });
    code.vpxor(total, total, total);
    this.eachPiece(() => {
      code.vbroadcastss(weight, at(rsi, mostAt * 4));
      code.vsubps(weight, weight, most);
      avx2Exponential(code, weight, sums.first);
      code.storeVmovd(at(rsi, weightAt * 4), weight);
      code.vbroadcastss(sum, at(rsi, sumAt * 4));
      code.vfmadd231ps(total, weight, sum);
    });
    const vectors = this.shape.headDim / 8;
    for (let first = 0; first < vectors; first += sums.count)
      this.#numbers(first, Math.min(sums.count, vectors - first), weightAt);
  }

  #numbers(first: number, count: number, weightAt: number): void {
    const { code } = this;
    const all = Array.from({ length: count }, (_, vector) => sums.first + vector);
    for (const each of all) code.vpxor(each, each, each);
    this.eachPiece(() => {
      code.vbroadcastss(weight, at(rsi, weightAt * 4));
      for (const [vector, each] of all.entries())
        code.vfmadd231ps(each, weight, at(rsi, (first + vector) * 32));
    });
    for (const [vector, each] of all.entries()) {
      code.vdivps(each, each, total);
      code.storeVmovdqu(at(rdi, (first + vector) * 32), each);
    }
  }
}
