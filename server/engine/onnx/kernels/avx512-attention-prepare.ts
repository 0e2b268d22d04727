/** A new token taken in by AVX-512. */
import { at, type General, type Label, type Mask, type Memory, r10, r11, rsi } from './assembler.ts';
import type { AttentionAssembler } from './attention-assembler.ts';
import type { AttentionShape } from './attention-layout.ts';
import { largestHalf, PrepareEmitter } from './attention-prepare.ts';
import { broadcast } from './avx512-powers.ts';

const masks = { half: 1, rest: 2 };
const factor = 31;
const largest = 30;
const smallest = 29;

/** Adds `void prepare(task, token)`, of the System V calling convention; tokens count over all rows. */
export const emitPrepare = (code: AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx512PrepareEmitter(code, shape, tables).emit();

class Avx512PrepareEmitter extends PrepareEmitter<AttentionAssembler> {
  protected constants(): void {
    const { headDim, rotaryDims } = this.shape;
    const { code } = this;
    code.setMask(masks.half, (rotaryDims / 2) % 16);
    code.setMask(masks.rest, (headDim - rotaryDims) % 16);
    broadcast(code, largest, largestHalf);
    broadcast(code, smallest, -largestHalf);
  }

  protected setFactor(value: number): void {
    broadcast(this.code, factor, value);
  }

  protected toHalves(to: General, from: General): void {
    const { headDim } = this.shape;
    const { code } = this;
    for (let vector = 0; vector < headDim / 16; vector += 1) {
      code.vmovdqu32(0, at(from, vector * 64));
      code.vminps(0, 0, largest);
      code.vmaxps(0, 0, smallest);
      code.storeVcvtps2ph(at(to, vector * 32), 0);
    }
  }

  protected turn(to: General): void {
    const { headDim, rotaryDims } = this.shape;
    const { code } = this;
    const half = rotaryDims / 2;
    for (let first = 0; first < half; first += 16) {
      const lanes = half - first < 16 ? { mask: masks.half, zero: true } : {};
      const load = (register: number, from: Memory) => code.vmovdqu32(register, from, lanes);
      load(0, at(rsi, first * 4));
      load(1, at(rsi, (half + first) * 4));
      load(2, at(r10, first * 4));
      load(3, at(r11, first * 4));
      code.vmulps(4, 0, 2);
      code.vfnmadd231ps(4, 1, 3);
      code.vmulps(5, 1, 2);
      code.vfmadd231ps(5, 0, 3);
      code.vmulps(4, 4, factor);
      code.vmulps(5, 5, factor);
      const some: { mask?: Mask } = half - first < 16 ? { mask: masks.half } : {};
      code.storeVmovdqu32(at(to, first * 4), 4, some);
      code.storeVmovdqu32(at(to, (half + first) * 4), 5, some);
    }
    for (let first = rotaryDims; first < headDim; first += 16) {
      const few = headDim - first < 16;
      code.vmovdqu32(0, at(rsi, first * 4), few ? { mask: masks.rest, zero: true } : {});
      code.vmulps(0, 0, factor);
      code.storeVmovdqu32(at(to, first * 4), 0, few ? { mask: masks.rest } : {});
    }
  }
}
