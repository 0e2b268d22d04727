/** Attention over one piece of the cache by AVX-512. */
import {
  at,
  type Label,
  type Mask,
  type Memory,
  newLabel,
  r8,
  r10,
  r11,
  r13,
  r14,
  rax,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  type Vector,
} from './assembler.ts';
import { type AttentionAssembler, comparison } from './attention-assembler.ts';
import { AttendEmitter, cacheAhead, unseenScore } from './attention-code.ts';
import { type AttentionShape, keyBlock, partialOf, scoreRow } from './attention-layout.ts';
import { broadcast, exponential, loadExponents } from './avx512-powers.ts';
import { layoutTables } from './matmul-layout.ts';

/** Vectors of keys, and of values, that queries pass at a time. */
const across = 4;

const unseenScores: Vector = 29;
const counting: Vector = 30;
const windowMask: Mask = 4;

/** Adds `void attend(task, item)`: items are pieces of token blocks of heads of rows. */
export const emitAttend = (code: AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx512AttendEmitter(code, shape, tables).emit();

class Avx512AttendEmitter extends AttendEmitter<AttentionAssembler> {
  protected readonly lanes = 16;
  /** Registers of a head's numbers. */
  readonly #vectors = this.shape.headDim / 16;

  protected scores(size: number): void {
    const { headDim } = this.shape;
    const { code } = this;
    const block = newLabel();
    const score = (query: number, vector: number): Vector => query * across + vector;
    const keys = 24;
    const unrolled = 4;
    code.mov(rsi, r13);
    code.lea(rdi, this.scoresAt);
    code.mov(rcx, r10);
    code.place(block);
    for (let each = 0; each < size * across; each += 1) code.vpxord(each, each, each);
    code.mov(rax, rbx);
    code.repeat(rdx, headDim / unrolled, () => {
      for (let number = 0; number < unrolled; number += 1) {
        const place = number * keyBlock * 2;
        for (let vector = 0; vector < across; vector += 1)
          code.vcvtph2ps(keys + vector, at(rsi, place + vector * 32));
        for (const line of [0, 64]) code.prefetch(at(rsi, place + line + cacheAhead));
        for (let query = 0; query < size; query += 1)
          for (let vector = 0; vector < across; vector += 1)
            code.vfmadd231ps(score(query, vector), keys + vector, at(rax, query * headDim * 4 + number * 4), {
              broadcast: true,
            });
      }
      code.addConstant(rsi, unrolled * keyBlock * 2);
      code.addConstant(rax, unrolled * 4);
    });
    for (let query = 0; query < size; query += 1)
      for (let vector = 0; vector < across; vector += 1)
        code.storeVmovdqu32(at(rdi, query * scoreRow * 4 + vector * 64), score(query, vector));
    code.addConstant(rdi, keyBlock * 4);
    code.subConstant(rcx, keyBlock);
    code.j('ne', block);
  }

  protected startHiding(): void {
    const { code } = this;
    broadcast(code, unseenScores, unseenScore);
    if (this.shape.window === 0) return;
    code.movConstant(rax, this.tables + BigInt(layoutTables.lanes));
    code.vmovdqu32(counting, at(rax));
  }

  protected storeUnseen(to: Memory): void {
    this.code.storeVmovdqu32(to, unseenScores);
  }

  protected storeUnseenBefore(to: Memory): void {
    const { code } = this;
    code.vpbroadcastd(0, rax);
    code.vpcmpd(windowMask, counting, 0, comparison.less);
    code.storeVmovdqu32(to, unseenScores, { mask: windowMask });
  }

  protected softmax(size: number): void {
    const { most, sum } = partialOf(this.shape);
    const { code } = this;
    const eachVector = (body: (vector: number) => void) =>
      this.eachBlock(() => {
        for (let vector = 0; vector < across; vector += 1) body(vector);
      });
    loadExponents(code);
    this.eachQuery(size, () => {
      for (let vector = 0; vector < across; vector += 1) {
        code.vmovdqu32(vector, unseenScores);
        code.vpxord(4 + vector, 4 + vector, 4 + vector);
      }
      eachVector((vector) => code.vmaxpsMemory(vector, vector, at(rax, vector * 64)));
      this.#fold(0, (to, a, b) => code.vmaxps(to, a, b));
      code.storeVmovss(at(rsi, most * 4), 0);
      eachVector((vector) => {
        const weight = 8 + vector;
        code.vmovdqu32(weight, at(rax, vector * 64));
        code.vsubps(weight, weight, 0);
        exponential(code, weight, 12 + vector, 16 + vector);
        code.storeVmovdqu32(at(rax, vector * 64), weight);
        code.vaddps(4 + vector, 4 + vector, weight);
      });
      this.#fold(4, (to, a, b) => code.vaddps(to, a, b));
      code.storeVmovss(at(rsi, sum * 4), 4);
    });
  }

  /** Four registers and all their lanes to all lanes of the first; uses the second. */
  #fold(first: Vector, join: (to: Vector, a: Vector, b: Vector) => void): void {
    const { code } = this;
    join(first, first, first + 1);
    join(first + 2, first + 2, first + 3);
    join(first, first, first + 2);
    for (const choice of [0x4e, 0xb1]) {
      code.vshuff32x4(first + 1, first, first, choice);
      join(first, first, first + 1);
    }
    for (const choice of [0x4e, 0xb1]) {
      code.vpermilps(first + 1, first, choice);
      join(first, first, first + 1);
    }
  }

  protected values(size: number): void {
    for (let first = 0; first < this.#vectors; first += across)
      this.#someValues(size, { first, count: Math.min(across, this.#vectors - first) });
  }

  /** `count` registers of a head's numbers from the `first` on. */
  #someValues(size: number, { count, first }: { first: number; count: number }): void {
    const { headDim } = this.shape;
    const { code } = this;
    const again = newLabel();
    const sum = (query: number, vector: number): Vector => query * count + vector;
    const values = 24;
    const weight = 28;
    const unrolled = 4;
    for (let each = 0; each < size * count; each += 1) code.vpxord(each, each, each);
    code.lea(rsi, at(r14, first * 32));
    code.lea(rdi, this.scoresAt);
    code.mov(rcx, this.seenAt);
    code.place(again);
    // Beyond the last key that is seen weights are zero.
    for (let key = 0; key < unrolled; key += 1) {
      const place = key * headDim * 2;
      for (let vector = 0; vector < count; vector += 1)
        code.vcvtph2ps(values + vector, at(rsi, place + vector * 32));
      for (let line = 0; line < count * 32; line += 64) code.prefetch(at(rsi, place + line + cacheAhead));
      for (let query = 0; query < size; query += 1) {
        code.vbroadcastss(weight, at(rdi, query * scoreRow * 4 + key * 4));
        for (let vector = 0; vector < count; vector += 1)
          code.vfmadd231ps(sum(query, vector), weight, values + vector);
      }
    }
    code.addConstant(rsi, unrolled * headDim * 2);
    code.addConstant(rdi, unrolled * 4);
    code.subConstant(rcx, unrolled);
    code.j('g', again);
    code.mov(rax, r11);
    for (let query = 0; query < size; query += 1) {
      for (let vector = 0; vector < count; vector += 1)
        code.storeVmovdqu32(at(rax, (first + vector) * 64), sum(query, vector));
      code.add(rax, r8);
    }
  }
}
