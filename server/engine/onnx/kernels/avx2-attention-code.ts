/** Attention over one piece of the cache by AVX2, FMA and F16C: the plan of avx512-attention-code.ts for half as many, shorter registers. */
import {
  at,
  type Label,
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
  rsp,
  type Vector,
} from './assembler.ts';
import { AttendEmitter, cacheAhead, unseenScore } from './attention-code.ts';
import { type AttentionShape, keyBlock, partialOf, scoreRow } from './attention-layout.ts';
import type { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';
import { avx2Broadcast, avx2Exponential, loadAvx2Exponents } from './avx2-powers.ts';
import { avx2Tables } from './avx2-tables.ts';

/** Vectors of keys, and of values, that so many queries pass at a time: twelve sums at most, eight where fewer would wait. */
const vectorsOf: Record<number, number> = { 6: 2, 4: 2, 3: 4, 2: 4, 1: 8 };
const blockVectors = keyBlock / 8;
/** Numbers, and keys, of one turn of a loop. */
const unrolled = 4;

/** Behind the sums. */
const held: Vector = 12;
const passing: Vector = 15;

const unseenScores: Vector = 15;
const counting: Vector = 14;

/** Adds `void attend(task, item)`: items are pieces of token blocks of heads of rows. */
export const emitAvx2Attend = (code: Avx2AttentionAssembler, shape: AttentionShape, tables: bigint): Label =>
  new Avx2AttendEmitter(code, shape, tables).emit();

class Avx2AttendEmitter extends AttendEmitter<Avx2AttentionAssembler> {
  protected readonly lanes = 8;
  /** Registers of a head's numbers. */
  readonly #vectors = this.shape.headDim / 8;

  protected scores(size: number): void {
    const { headDim } = this.shape;
    const { code } = this;
    const block = newLabel();
    const count = vectorsOf[size]!;
    code.mov(rsi, r13);
    code.lea(rdi, this.scoresAt);
    code.mov(rcx, r10);
    code.place(block);
    for (let first = 0; first < blockVectors; first += count) {
      for (let each = 0; each < size * count; each += 1) code.vpxor(each, each, each);
      code.mov(rax, rbx);
      code.repeat(rdx, headDim / unrolled, () => {
        for (let number = 0; number < unrolled; number += 1) {
          const place = number * keyBlock * 2;
          if (first === 0) for (const line of [0, 64]) code.prefetch(at(rsi, place + line + cacheAhead));
          this.#products(size, count, {
            halves: (vector) => at(rsi, place + (first + vector) * 16),
            factor: (query) => at(rax, query * headDim * 4 + number * 4),
          });
        }
        code.addConstant(rsi, unrolled * keyBlock * 2);
        code.addConstant(rax, unrolled * 4);
      });
      for (let query = 0; query < size; query += 1)
        for (let vector = 0; vector < count; vector += 1)
          code.storeVmovdqu(at(rdi, query * scoreRow * 4 + (first + vector) * 32), query * count + vector);
      if (first + count < blockVectors) code.subConstant(rsi, headDim * keyBlock * 2);
    }
    code.addConstant(rdi, keyBlock * 4);
    code.subConstant(rcx, keyBlock);
    code.j('ne', block);
  }

  /** Adds products of vectors of halves with a factor of each query: of either kind, the fewer ones are held. */
  #products(
    size: number,
    count: number,
    { factor, halves }: { halves: (vector: number) => Memory; factor: (query: number) => Memory },
  ): void {
    const { code } = this;
    const holdsHalves = size > count;
    const load = (query: number, vector: number, to: Vector, isHalves: boolean) => {
      if (isHalves) code.vcvtph2ps(to, halves(vector));
      else code.vbroadcastss(to, factor(query));
    };
    const [outer, inner] = holdsHalves ? [size, count] : [count, size];
    for (let each = 0; each < inner; each += 1) load(each, each, held + each, holdsHalves);
    for (let passes = 0; passes < outer; passes += 1) {
      load(passes, passes, passing, !holdsHalves);
      for (let each = 0; each < inner; each += 1) {
        const [query, vector] = holdsHalves ? [passes, each] : [each, passes];
        code.vfmadd231ps(query * count + vector, held + each, passing);
      }
    }
  }

  protected startHiding(): void {
    const { code } = this;
    avx2Broadcast(code, unseenScores, unseenScore);
    code.movConstant(rax, this.tables);
    code.vmovdqu(counting, at(rax, avx2Tables.counting));
  }

  protected storeUnseen(to: Memory): void {
    this.code.storeVmovdqu(to, unseenScores);
  }

  protected storeUnseenBefore(to: Memory): void {
    const { code } = this;
    code.vmovdGeneral(0, rax);
    code.vpbroadcastd(0, 0);
    code.vpcmpgtd(0, 0, counting);
    code.storeVmaskmovps(to, 0, unseenScores);
  }

  protected softmax(size: number): void {
    const { most, sum } = partialOf(this.shape);
    const { code } = this;
    const weight = 3;
    const eachVector = (body: (place: Memory, odd: number) => void) =>
      this.eachBlock(() => {
        for (let vector = 0; vector < blockVectors; vector += 1) body(at(rax, vector * 32), vector % 2);
      });
    loadAvx2Exponents(code);
    this.eachQuery(size, () => {
      for (const each of [0, 1]) avx2Broadcast(code, each, unseenScore);
      eachVector((place, odd) => code.vmaxps(odd, odd, place));
      this.#fold(0, (to, a, b) => code.vmaxps(to, a, b));
      code.storeVmovd(at(rsi, most * 4), 0);
      for (const each of [1, 2]) code.vpxor(each, each, each);
      eachVector((place, odd) => {
        code.vmovdqu(weight, place);
        code.vsubps(weight, weight, 0);
        avx2Exponential(code, weight, 4);
        code.storeVmovdqu(place, weight);
        code.vaddps(1 + odd, 1 + odd, weight);
      });
      this.#fold(1, (to, a, b) => code.vaddps(to, a, b));
      code.storeVmovd(at(rsi, sum * 4), 1);
    });
  }

  /** Two registers and all their lanes to all lanes of the first; uses the second. */
  #fold(first: Vector, join: (to: Vector, a: Vector, b: Vector) => void): void {
    const { code } = this;
    join(first, first, first + 1);
    code.vpermq(first + 1, first, 0x4e);
    join(first, first, first + 1);
    for (const choice of [0x4e, 0xb1]) {
      code.vshufps(first + 1, first, first, choice);
      join(first, first, first + 1);
    }
  }

  /** A block of keys at a time, so that it stays in the first cache while all numbers of a head pass. */
  protected values(size: number): void {
    const { code } = this;
    const again = newLabel();
    this.#clearValues(size);
    code.movConstant(rdx, 0);
    code.mov(rcx, this.seenAt);
    code.place(again);
    const most = vectorsOf[size]!;
    for (let first = 0; first < this.#vectors; first += most)
      this.#blockValues(size, { first, count: Math.min(most, this.#vectors - first) });
    code.addConstant(rdx, keyBlock);
    code.subConstant(rcx, keyBlock);
    code.j('g', again);
  }

  #clearValues(size: number): void {
    const { code } = this;
    code.vpxor(0, 0, 0);
    code.mov(rax, r11);
    for (let query = 0; query < size; query += 1) {
      for (let vector = 0; vector < this.#vectors; vector += 1) code.storeVmovdqu(at(rax, vector * 32), 0);
      code.add(rax, r8);
    }
  }

  /** `count` registers of a head's numbers from the `first` on, over a block from key rdx on; rcx: keys left. */
  #blockValues(size: number, { count, first }: { first: number; count: number }): void {
    const { headDim } = this.shape;
    const { code } = this;
    const again = newLabel();
    const sums = (move: (place: Memory, sum: Vector) => void) => {
      code.mov(rax, r11);
      for (let query = 0; query < size; query += 1) {
        for (let vector = 0; vector < count; vector += 1)
          move(at(rax, (first + vector) * 32), query * count + vector);
        code.add(rax, r8);
      }
    };
    sums((place, sum) => code.vmovdqu(sum, place));
    code.imul(rsi, rdx, headDim * 2);
    code.add(rsi, r14);
    code.imul(rdi, rdx, 4);
    code.add(rdi, rsp);
    code.movConstant(rax, keyBlock);
    code.cmp(rcx, rax);
    code.cmov('l', rax, rcx);
    code.place(again);
    // Beyond the last key that is seen weights are zero.
    for (let key = 0; key < unrolled; key += 1) {
      const place = key * headDim * 2;
      if (first === 0)
        for (let line = 0; line < headDim * 2; line += 64) code.prefetch(at(rsi, place + line + cacheAhead));
      this.#products(size, count, {
        halves: (vector) => at(rsi, place + (first + vector) * 16),
        factor: (query) => at(rdi, this.scoresAt.offset + query * scoreRow * 4 + key * 4),
      });
    }
    code.addConstant(rsi, unrolled * headDim * 2);
    code.addConstant(rdi, unrolled * 4);
    code.subConstant(rax, unrolled);
    code.j('g', again);
    sums((place, sum) => code.storeVmovdqu(place, sum));
  }
}
