/** A new token taken in by AVX2 and F16C. */
import { at, type General, type Label, r10, r11, rax, rsi, type Vector } from './assembler.ts';
import type { AttentionShape } from './attention-layout.ts';
import { largestHalf, PrepareEmitter } from './attention-prepare.ts';
import type { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';
import { avx2Broadcast } from './avx2-powers.ts';
import { avx2Tables } from './avx2-tables.ts';

const factor: Vector = 15;
const largest: Vector = 14;
const smallest: Vector = 13;
/** Lanes that are there in the last registers of the numbers that turn, and of the others. */
const masks = { half: 12, rest: 11 };

/** Adds `void prepare(task, token)`, of the System V calling convention; tokens count over all rows. */
export const emitAvx2Prepare = (code: Avx2AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx2PrepareEmitter(code, shape, tables).emit();

class Avx2PrepareEmitter extends PrepareEmitter<Avx2AttentionAssembler> {
  protected constants(): void {
    const { headDim, rotaryDims } = this.shape;
    const { code } = this;
    code.movConstant(rax, this.tables);
    code.vmovdqu(masks.half, at(rax, avx2Tables.lanes + (8 - ((rotaryDims / 2) % 8)) * 4));
    code.vmovdqu(masks.rest, at(rax, avx2Tables.lanes + (8 - ((headDim - rotaryDims) % 8)) * 4));
    avx2Broadcast(code, largest, largestHalf);
    avx2Broadcast(code, smallest, -largestHalf);
  }

  protected setFactor(value: number): void {
    avx2Broadcast(this.code, factor, value);
  }

  protected toHalves(to: General, from: General): void {
    const { code } = this;
    for (let vector = 0; vector < this.shape.headDim / 8; vector += 1) {
      code.vmovdqu(0, at(from, vector * 32));
      code.vminps(0, 0, largest);
      code.vmaxps(0, 0, smallest);
      code.storeVcvtps2ph(at(to, vector * 16), 0);
    }
  }

  protected turn(to: General): void {
    const { headDim, rotaryDims } = this.shape;
    const { code } = this;
    const half = rotaryDims / 2;
    for (let first = 0; first < half; first += 8) {
      const mask = half - first < 8 ? masks.half : null;
      this.#load(0, rsi, first, mask);
      this.#load(1, rsi, half + first, mask);
      this.#load(2, r10, first, mask);
      this.#load(3, r11, first, mask);
      code.vmulps(4, 0, 2);
      code.vfnmadd231ps(4, 1, 3);
      code.vmulps(5, 1, 2);
      code.vfmadd231ps(5, 0, 3);
      this.#store(to, first, 4, mask);
      this.#store(to, half + first, 5, mask);
    }
    for (let first = rotaryDims; first < headDim; first += 8) {
      const mask = headDim - first < 8 ? masks.rest : null;
      this.#load(0, rsi, first, mask);
      this.#store(to, first, 0, mask);
    }
  }

  #load(to: Vector, from: General, number: number, mask: Vector | null): void {
    if (mask === null) this.code.vmovdqu(to, at(from, number * 4));
    else this.code.vmaskmovps(to, mask, at(from, number * 4));
  }

  /** Times the factor. */
  #store(to: General, number: number, from: Vector, mask: Vector | null): void {
    const { code } = this;
    code.vmulps(from, from, factor);
    if (mask === null) code.storeVmovdqu(at(to, number * 4), from);
    else code.storeVmaskmovps(at(to, number * 4), mask, from);
  }
}
