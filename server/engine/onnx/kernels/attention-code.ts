/**
 * Machine code of attention over one piece of the cache: for some queries the scores of its keys, their softmax, and the values
 * weighted by it. Several queries pass a register of keys or values at a time; what one of them comes to depends on nothing
 * of the others, so that a token alone and the same one in a prompt have the same numbers.
 *
 * Scores are powers of two: the scale of queries holds log2(e).
 */

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
import type { AttentionAssembler } from './attention-assembler.ts';
import { comparison } from './attention-assembler.ts';
import { AttentionEmitter } from './attention-emitter.ts';
import {
  type AttentionShape,
  keyBlock,
  partialOf,
  pieceKeys,
  pieceTokens,
  scoreRow,
  attentionTask as task,
} from './attention-layout.ts';

/** Of keys that a query does not see. */
const unseen = -1e30;
/** Queries that pass together. */
const tileSizes = [6, 4, 3, 2, 1];
const mostQueries = 6;
/** Vectors of keys, and of values, that queries pass at a time. */
const across = 4;
/** Ahead of what is being read, so that memory is waited for less. */
const prefetchAhead = 4096;

/** The stack: locals, then scores of a tile. */
const local = { end: 0, seen: 8, row: 16, window: 24, scores: 64, size: 64 + mostQueries * scoreRow * 4 };

const unseenScores: Vector = 29;
const counting: Vector = 30;
const windowMask = 4;

/** Adds `void attend(task, item)`: items are pieces of token blocks of heads of rows. `lanes` is where 0 … 15 lie. */
export const emitAttend = (code: AttentionAssembler, shape: AttentionShape, lanes: bigint): Label =>
  new AttendEmitter(code, shape, lanes).emit();

class AttendEmitter extends AttentionEmitter {
  readonly #lanes: bigint;

  constructor(code: AttentionAssembler, shape: AttentionShape, lanes: bigint) {
    super(code, shape);
    this.#lanes = lanes;
  }

  /**
   * r15: task, r14: values, r13: keys of the piece, r12: how many of its keys the row's first new token sees, rbx: query, r11:
   * what the piece gives for it, r9: its number within the head's, r8: bytes between what the piece gives for two queries.
   */
  emit(): Label {
    const { code } = this;
    const done = newLabel();
    return code.routine(() => {
      code.mov(rbp, rsp);
      code.subConstant(rsp, local.size);
      code.andConstant(rsp, -64);
      code.mov(r15, rdi);
      this.#place(done);
      this.#queryPlaces();
      this.broadcast(unseenScores, unseen);
      if (this.shape.window > 0) {
        code.movConstant(rax, this.#lanes);
        code.vmovdqu32(counting, at(rax));
      }
      for (const size of tileSizes) this.#tiles(size);
      code.place(done);
      code.vzeroupper();
      code.mov(rsp, rbp);
    }, calleeSaved);
  }

  /** From the item in rsi to keys, values and queries; to `done` where no token sees the piece. */
  #place(done: Label): void {
    const { headDim, kvHeads, window } = this.shape;
    const { code } = this;
    code.mov(rax, rsi);
    this.divide({ field: task.pieces });
    code.mov(r11, rdx);
    code.imul(r13, rdx, pieceKeys);
    this.divide({ field: task.tokenBlocks });
    code.imul(r9, rdx, pieceTokens);
    // rbx: the head, counted over all rows.
    code.mov(rbx, rax);
    this.divide(kvHeads);
    code.mov(r10, rax);
    this.past(r12, r10);
    code.addConstant(r12, 1);
    code.sub(r12, r13);
    code.lea(rdi, at(r9, pieceTokens));
    code.mov(rax, at(r15, task.tokens));
    code.cmp(rdi, rax);
    code.cmov('ge', rdi, rax);
    // Its last token sees so many keys of the piece.
    code.lea(rax, at(rdi, -1));
    code.add(rax, r12);
    code.cmpConstant(rax, 0);
    code.j('le', done);
    if (window > 0) {
      code.mov(rax, r12);
      code.add(rax, r9);
      code.cmpConstant(rax, pieceKeys + window);
      code.j('ge', done);
    }
    code.mov(rax, at(r15, task.positions));
    code.multiply(rax, rbx);
    code.add(rax, r13);
    code.imul(rax, rax, headDim * 2);
    code.mov(r13, at(r15, task.keys));
    code.add(r13, rax);
    code.mov(r14, at(r15, task.values));
    code.add(r14, rax);
  }

  /** r9, rdi: first and last token, rbx: head, r11: piece. */
  #queryPlaces(): void {
    const { headDim } = this.shape;
    const { code, group } = this;
    code.imul(rdi, rdi, group);
    code.store(at(rsp, local.end), rdi);
    code.imul(r9, r9, group);
    code.mov(rax, at(r15, task.tokens));
    code.imul(rax, rax, group);
    code.multiply(rbx, rax);
    code.add(rbx, r9);
    code.mov(r8, at(r15, task.pieces));
    code.mov(rax, r8);
    code.multiply(rax, rbx);
    code.add(rax, r11);
    code.imul(r11, rax, partialOf(this.shape).row * 4);
    code.mov(rax, at(r15, task.partials));
    code.add(r11, rax);
    code.imul(r8, r8, partialOf(this.shape).row * 4);
    code.imul(rbx, rbx, headDim * 4);
    code.mov(rax, at(r15, task.queries));
    code.add(rbx, rax);
  }

  /** As long as there are that many queries. */
  #tiles(size: number): void {
    const { code } = this;
    const again = newLabel();
    const next = newLabel();
    const skip = newLabel();
    code.place(again);
    code.lea(rax, at(r9, size));
    code.mov(rcx, at(rsp, local.end));
    code.cmp(rax, rcx);
    code.j('g', next);
    this.#seenBy(rax, size - 1);
    code.cmpConstant(rax, 0);
    code.j('le', skip);
    code.store(at(rsp, local.seen), rax);
    code.lea(r10, at(rax, keyBlock - 1));
    code.andConstant(r10, -keyBlock);
    this.#scores(size);
    for (let query = 0; query < size; query += 1) this.#hide(query);
    this.#softmax(size);
    for (let first = 0; first < this.vectors; first += across)
      this.#values(size, { first, count: Math.min(across, this.vectors - first) });
    code.place(skip);
    code.addConstant(r9, size);
    code.addConstant(rbx, size * this.shape.headDim * 4);
    code.imul(rax, r8, size);
    code.add(r11, rax);
    code.jmp(again);
    code.place(next);
  }

  /** Keys of the piece that the query r9 + `query` sees, none or less where none; uses rax, rcx, rdx. */
  #seenBy(to: General, query: number): void {
    const { code } = this;
    code.lea(rax, at(r9, query));
    this.divide(this.group);
    code.add(rax, r12);
    code.movConstant(rcx, pieceKeys);
    code.cmp(rax, rcx);
    code.cmov('g', rax, rcx);
    if (to !== rax) code.mov(to, rax);
  }

  /** r10: keys, whole blocks. */
  #scores(size: number): void {
    const { headDim } = this.shape;
    const { code } = this;
    const block = newLabel();
    const score = (query: number, vector: number): Vector => query * across + vector;
    const keys = 24;
    const unrolled = 4;
    code.mov(rsi, r13);
    code.lea(rdi, at(rsp, local.scores));
    code.mov(rcx, r10);
    code.place(block);
    for (let each = 0; each < size * across; each += 1) code.vpxord(each, each, each);
    code.mov(rax, rbx);
    code.repeat(rdx, headDim / unrolled, () => {
      for (let number = 0; number < unrolled; number += 1) {
        const place = number * keyBlock * 2;
        for (let vector = 0; vector < across; vector += 1)
          code.vcvtph2ps(keys + vector, at(rsi, place + vector * 32));
        for (const line of [0, 64]) code.prefetch(at(rsi, place + line + prefetchAhead));
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

  /** Scores of keys beyond those that a query sees. */
  #hide(query: number): void {
    const { window } = this.shape;
    const { code } = this;
    const row = local.scores + query * scoreRow * 4;
    const [later, seen] = [newLabel(), newLabel()];
    this.#seenBy(rsi, query);
    code.movConstant(rcx, 0);
    code.cmpConstant(rsi, 0);
    code.cmov('l', rsi, rcx);
    code.imul(rdi, rsi, 4);
    code.add(rdi, rsp);
    code.place(later);
    code.cmp(rsi, r10);
    code.j('ge', seen);
    code.storeVmovdqu32(at(rdi, row), unseenScores);
    code.addConstant(rsi, 16);
    code.addConstant(rdi, 64);
    code.jmp(later);
    code.place(seen);
    if (window > 0) this.#hideEarlier(query, row);
  }

  /** Scores of keys before the window. */
  #hideEarlier(query: number, row: number): void {
    const { code } = this;
    const [earlier, seen] = [newLabel(), newLabel()];
    // Not as many as the piece holds, at most.
    code.lea(rax, at(r9, query));
    this.divide(this.group);
    code.add(rax, r12);
    code.subConstant(rax, this.shape.window);
    code.cmp(rax, r10);
    code.cmov('g', rax, r10);
    code.mov(rdi, rsp);
    code.place(earlier);
    code.cmpConstant(rax, 0);
    code.j('le', seen);
    code.vpbroadcastd(0, rax);
    code.vpcmpd(windowMask, counting, 0, comparison.less);
    code.storeVmovdqu32(at(rdi, row), unseenScores, { mask: windowMask });
    code.subConstant(rax, 16);
    code.addConstant(rdi, 64);
    code.jmp(earlier);
    code.place(seen);
  }

  /** Of each query: scores become weights; the largest score and the weights' sum go to what the piece gives. */
  #softmax(size: number): void {
    const { most, sum } = partialOf(this.shape);
    const { code } = this;
    this.loadExponents();
    code.lea(rdi, at(rsp, local.scores));
    code.mov(rsi, r11);
    code.repeat(rdx, size, () => {
      const blocks = (body: (vector: number) => void) => {
        const again = newLabel();
        code.mov(rax, rdi);
        code.mov(rcx, r10);
        code.place(again);
        for (let vector = 0; vector < across; vector += 1) body(vector);
        code.addConstant(rax, keyBlock * 4);
        code.subConstant(rcx, keyBlock);
        code.j('ne', again);
      };
      for (let vector = 0; vector < across; vector += 1) {
        code.vmovdqu32(vector, unseenScores);
        code.vpxord(4 + vector, 4 + vector, 4 + vector);
      }
      blocks((vector) => code.vmaxpsMemory(vector, vector, at(rax, vector * 64)));
      this.#fold(0, (to, a, b) => code.vmaxps(to, a, b));
      code.storeVmovss(at(rsi, most * 4), 0);
      blocks((vector) => {
        const weight = 8 + vector;
        code.vmovdqu32(weight, at(rax, vector * 64));
        code.vsubps(weight, weight, 0);
        this.exponential(weight, 12 + vector, 16 + vector);
        code.storeVmovdqu32(at(rax, vector * 64), weight);
        code.vaddps(4 + vector, 4 + vector, weight);
      });
      this.#fold(4, (to, a, b) => code.vaddps(to, a, b));
      code.storeVmovss(at(rsi, sum * 4), 4);
      code.addConstant(rdi, scoreRow * 4);
      code.add(rsi, r8);
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

  /** `count` registers of a head's numbers from the `first` on. */
  #values(size: number, { count, first }: { first: number; count: number }): void {
    const { headDim } = this.shape;
    const { code } = this;
    const again = newLabel();
    const sum = (query: number, vector: number): Vector => query * count + vector;
    const values = 24;
    const weight = 28;
    const unrolled = 4;
    for (let each = 0; each < size * count; each += 1) code.vpxord(each, each, each);
    code.lea(rsi, at(r14, first * 32));
    code.lea(rdi, at(rsp, local.scores));
    code.mov(rcx, at(rsp, local.seen));
    code.place(again);
    // Beyond the last key that is seen weights are zero.
    for (let key = 0; key < unrolled; key += 1) {
      const place = key * headDim * 2;
      for (let vector = 0; vector < count; vector += 1)
        code.vcvtph2ps(values + vector, at(rsi, place + vector * 32));
      for (let line = 0; line < count * 32; line += 64) code.prefetch(at(rsi, place + line + prefetchAhead));
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
