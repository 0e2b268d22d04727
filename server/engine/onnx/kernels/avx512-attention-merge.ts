/** Results of pieces put together by AVX-512. */
import { at, type Label, r11, rdi, rsi } from './assembler.ts';
import type { AttentionAssembler } from './attention-assembler.ts';
import { type AttentionShape, partialOf } from './attention-layout.ts';
import { MergeEmitter } from './attention-merge.ts';
import { exponential, loadExponents } from './avx512-powers.ts';

const [most, total, weight, whole, power] = [0, 1, 2, 28, 29];
/** First register of a head's sums. */
const sums = 4;

/** Adds `void merge(task, token)`, of the System V calling convention; tokens count over all rows. */
export const emitMerge = (code: AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx512MergeEmitter(code, shape, tables).emit();

class Avx512MergeEmitter extends MergeEmitter<AttentionAssembler> {
  protected loadExponents(): void {
    loadExponents(this.code);
  }

  protected query(): void {
    const { most: mostAt, sum } = partialOf(this.shape);
    const { code } = this;
    const vectors = this.shape.headDim / 16;
    code.vbroadcastss(most, at(r11, mostAt * 4));
    this.eachPiece(() => code.vmaxpsMemory(most, most, at(rsi, mostAt * 4), { broadcast: true }));
    code.vpxord(total, total, total);
    for (let vector = 0; vector < vectors; vector += 1)
      code.vpxord(sums + vector, sums + vector, sums + vector);
    this.eachPiece(() => {
      code.vbroadcastss(weight, at(rsi, mostAt * 4));
      code.vsubps(weight, weight, most);
      exponential(code, weight, whole, power);
      code.vfmadd231ps(total, weight, at(rsi, sum * 4), { broadcast: true });
      for (let vector = 0; vector < vectors; vector += 1)
        code.vfmadd231ps(sums + vector, weight, at(rsi, vector * 64));
    });
    for (let vector = 0; vector < vectors; vector += 1) {
      code.vdivps(weight, sums + vector, total);
      code.storeVmovdqu32(at(rdi, vector * 64), weight);
    }
  }
}
