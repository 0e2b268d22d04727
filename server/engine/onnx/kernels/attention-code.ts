/**
 * Machine code of attention over one piece of the cache: for some queries the scores of its keys, their softmax, and the values
 * weighted by it. Several queries pass a register of keys or values at a time; what one of them comes to depends on nothing
 * of the others, so that a token alone and the same one in a prompt have the same numbers.
 *
 * Scores are powers of two: the scale of queries holds log2(e).
 */

import {
  type Assembler,
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
} from './assembler.ts';
import { AttentionEmitter } from './attention-emitter.ts';
import {
  keyBlock,
  partialOf,
  pieceKeys,
  pieceTokens,
  scoreRow,
  attentionTask as task,
} from './attention-layout.ts';

/** Of keys that a query does not see. */
export const unseenScore = -1e30;
/** Queries that pass together. */
const tileSizes = [6, 4, 3, 2, 1];
const mostQueries = 6;
/** Ahead of what is being read, so that memory is waited for less. */
export const cacheAhead = 4096;

/** The stack: locals, then scores of a tile. */
const local = { end: 0, seen: 8, row: 16, window: 24, scores: 64, size: 64 + mostQueries * scoreRow * 4 };

/** The part that all instruction sets share: the keys and queries of an item. The others do something with them. */
export abstract class AttendEmitter<Code extends Assembler> extends AttentionEmitter<Code> {
  /** Numbers of a register. */
  protected abstract readonly lanes: number;

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
    this.scores(size);
    for (let query = 0; query < size; query += 1) this.#hide(query);
    this.softmax(size);
    this.values(size);
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

  /** Scores of keys beyond those that a query sees. */
  #hide(query: number): void {
    const { window } = this.shape;
    const { code } = this;
    const row = local.scores + query * scoreRow * 4;
    const [later, seen] = [newLabel(), newLabel()];
    this.startHiding();
    this.#seenBy(rsi, query);
    code.movConstant(rcx, 0);
    code.cmpConstant(rsi, 0);
    code.cmov('l', rsi, rcx);
    code.imul(rdi, rsi, 4);
    code.add(rdi, rsp);
    code.place(later);
    code.cmp(rsi, r10);
    code.j('ge', seen);
    this.storeUnseen(at(rdi, row));
    code.addConstant(rsi, this.lanes);
    code.addConstant(rdi, this.lanes * 4);
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
    this.storeUnseenBefore(at(rdi, row));
    code.subConstant(rax, this.lanes);
    code.addConstant(rdi, this.lanes * 4);
    code.jmp(earlier);
    code.place(seen);
  }

  /** Each query: its scores from rdi on, what the piece gives for it from rsi on. */
  protected eachQuery(size: number, body: () => void): void {
    const { code } = this;
    code.lea(rdi, at(rsp, local.scores));
    code.mov(rsi, r11);
    code.repeat(rdx, size, () => {
      body();
      code.addConstant(rdi, scoreRow * 4);
      code.add(rsi, r8);
    });
  }

  /** Scores of a query, a block from rax on; uses rcx. */
  protected eachBlock(body: () => void): void {
    const { code } = this;
    const again = newLabel();
    code.mov(rax, rdi);
    code.mov(rcx, r10);
    code.place(again);
    body();
    code.addConstant(rax, keyBlock * 4);
    code.subConstant(rcx, keyBlock);
    code.j('ne', again);
  }

  /** The scores of a tile, and how many keys its last query sees. */
  protected readonly scoresAt = at(rsp, local.scores);
  protected readonly seenAt = at(rsp, local.seen);

  /** Scores of all queries of a tile. r10: keys, whole blocks. */
  protected abstract scores(size: number): void;
  protected abstract startHiding(): void;
  /** A register of scores that count for nothing. */
  protected abstract storeUnseen(to: Memory): void;
  /** Of a register the lanes before rax. */
  protected abstract storeUnseenBefore(to: Memory): void;
  /** Of each query: scores become weights; the largest score and the weights' sum go to what the piece gives. */
  protected abstract softmax(size: number): void;
  /** Values weighted. */
  protected abstract values(size: number): void;
}
