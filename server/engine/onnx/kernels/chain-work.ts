/**
 * Machine code of the threads that work on a chain. Each passes all stages: of a stage it takes items of its own share, then what
 * others have left, and waits until all are done. It waits only for items that a running thread has taken, so that any number of
 * threads gets to the end, one as well. While it waits it fetches what it will read of the next product. Of few rows it does not wait
 * for a thread that has lost its processor: it does over again what that one has at hand.
 */

import { yieldAddress } from '../library/library.ts';
import {
  type Assembler,
  at,
  calleeSaved,
  type General,
  type Label,
  newLabel,
  r8,
  r9,
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
import { type ChainShape, chainTask } from './chain-layout.ts';
import type { ChainStage, ItemCount } from './chain-stages.ts';
import { task as productTask } from './matmul-layout.ts';
import { x64Convention } from './x64-conventions.ts';

const line = 64;
/** Of a stage a line for each thread, then one with how many items of all are done. */
export const stageBytes = (threads: number): number => (threads + 1) * line;
/** Of a thread's line: how many items of its share are taken; of those it took, from whatever share, how many it has done, and the one at hand and 1. */
export const lineFields = { taken: 0, finished: 8, atHand: 16 };

/** Bytes of the next product that a waiting thread fetches into its second cache. */
const mostFetched = 256 * 1024;
/** Lines between two looks at whether the others are done. */
const fetchedAtOnce = 8;

/** The stack: the item at hand; what is to be fetched, and its end. */
const local = { item: 0, fetch: 8, fetchEnd: 16, size: 24 };

/** Adds `void work(frame, thread)`: all stages. */
export const emitParticipant = (
  code: Assembler,
  stages: readonly ChainStage[],
  shape: Pick<ChainShape, 'threads' | 'looks'>,
): Label => new ParticipantEmitter(code, stages, shape).emit();

/** r15: frame, r14: thread, r13: counters, rbx: items done of a stage, rbp: whose share is at hand, r12: its first item. */
class ParticipantEmitter {
  readonly #code: Assembler;
  readonly #stages: readonly ChainStage[];
  readonly #threads: number;
  readonly #looks: number;

  constructor(
    code: Assembler,
    stages: readonly ChainStage[],
    { looks, threads }: Pick<ChainShape, 'threads' | 'looks'>,
  ) {
    this.#code = code;
    this.#stages = stages;
    this.#threads = threads;
    this.#looks = looks;
  }

  emit(): Label {
    const code = this.#code;
    return code.routine(() => {
      code.subConstant(rsp, local.size);
      code.mov(r15, rdi);
      code.mov(r14, rsi);
      code.mov(r13, at(r15, chainTask.counters));
      this.#fetchNext(0);
      for (const [index, stage] of this.#stages.entries()) {
        this.#work(stage);
        if (stage.codes) this.#fetchNext(index + 1);
        // The runtime waits for the last.
        if (index < this.#stages.length - 1) this.#wait(stage);
        code.addConstant(r13, stageBytes(this.#threads));
      }
      code.addConstant(rsp, local.size);
    }, calleeSaved);
  }

  #load(to: General, amount: ItemCount): void {
    if (typeof amount === 'number') this.#code.movConstant(to, amount);
    else this.#code.mov(to, at(r15, amount.field));
  }

  #work(stage: ChainStage): void {
    const code = this.#code;
    const [shares, items, next, done] = [newLabel(), newLabel(), newLabel(), newLabel()];
    code.movConstant(rbx, 0);
    code.mov(rbp, r14);
    code.place(shares);
    this.#load(r12, stage.share);
    code.multiply(r12, rbp);
    code.place(items);
    this.#findLine(rdx, rbp);
    // A look first: many threads that add would hold each other up.
    this.#load(rax, stage.share);
    code.mov(rcx, at(rdx));
    code.cmp(rcx, rax);
    code.j('ge', next);
    code.movConstant(rcx, 1);
    code.lockXadd(at(rdx), rcx);
    this.#load(rax, stage.share);
    code.cmp(rcx, rax);
    code.j('ge', next);
    code.add(rcx, r12);
    this.#load(rax, stage.count);
    code.cmp(rcx, rax);
    code.j('ge', next);
    code.store(at(rsp, local.item), rcx);
    this.#findLine(rdx, r14);
    code.addConstant(rcx, 1);
    code.store(at(rdx, lineFields.atHand), rcx);
    this.#doItem(stage);
    this.#findLine(rdx, r14);
    this.#giveBack();
    // Another thread did it as well, and has counted it.
    code.j('ne', items);
    code.addConstant(rbx, 1);
    code.store(at(rdx, lineFields.finished), rbx);
    code.jmp(items);
    code.place(next);
    code.addConstant(rbp, 1);
    code.movConstant(rcx, 0);
    code.cmpConstant(rbp, this.#threads);
    code.cmov('e', rbp, rcx);
    code.cmp(rbp, r14);
    code.j('ne', shares);
    code.test(rbx, rbx);
    code.j('e', done);
    code.lockXadd(at(r13, this.#threads * line), rbx);
    code.place(done);
  }

  /** Place of a thread's line of the stage. */
  #findLine(to: General, thread: General): void {
    const code = this.#code;
    code.imul(to, thread, line);
    code.add(to, r13);
  }

  #doItem({ routines }: ChainStage): void {
    const code = this.#code;
    for (const { address, task } of routines) {
      code.lea(rdi, at(r15, task));
      code.mov(rsi, at(rsp, local.item));
      code.movConstant(rax, address);
      code.call(rax);
    }
  }

  /** Nobody has the item at hand any more of the thread whose line is at rdx; `e`: it was there. */
  #giveBack(): void {
    const code = this.#code;
    code.mov(rax, at(rsp, local.item));
    code.addConstant(rax, 1);
    code.movConstant(rcx, 0);
    code.lockCmpxchg(at(rdx, lineFields.atHand), rcx);
  }

  /** Sets what is to be fetched: the thread's share of the next product from a stage on. */
  #fetchNext(from: number): void {
    const code = this.#code;
    const next = this.#stages.slice(from).find(({ codes }) => codes);
    code.movConstant(rax, 0);
    code.mov(rcx, rax);
    if (next) {
      const share = (next.share as number) * next.codes!;
      code.imul(rax, r14, share);
      code.mov(rcx, at(r15, next.routines[0]!.task + productTask.codes));
      code.add(rax, rcx);
      // A fetch that reached over the end would count as looks.
      const atOnce = fetchedAtOnce * line;
      code.lea(rcx, at(rax, Math.ceil(Math.min(mostFetched, share) / atOnce) * atOnce));
    }
    code.store(at(rsp, local.fetch), rax);
    code.store(at(rsp, local.fetchEnd), rcx);
  }

  #wait(stage: ChainStage): void {
    const code = this.#code;
    const [again, idle, done, over] = [newLabel(), newLabel(), newLabel(), newLabel()];
    const start = () => {
      code.mov(r8, at(rsp, local.fetch));
      code.mov(r9, at(rsp, local.fetchEnd));
      this.#load(rcx, stage.count);
    };
    start();
    code.place(again);
    code.mov(rax, at(r13, this.#threads * line));
    code.cmp(rax, rcx);
    code.j('ge', done);
    code.cmp(r8, r9);
    code.j('ge', idle);
    for (let each = 0; each < fetchedAtOnce; each += 1) code.prefetch(at(r8, each * line), 2);
    code.addConstant(r8, fetchedAtOnce * line);
    code.jmp(again);
    code.place(idle);
    code.pause();
    code.addConstant(r8, 1);
    code.lea(rax, at(r9, this.#looks));
    code.cmp(r8, rax);
    code.j('l', again);
    code.store(at(rsp, local.fetch), r9);
    this.#doOthers(stage, over);
    start();
    code.jmp(again);
    code.place(done);
    code.cmp(r8, r9);
    code.cmov('g', r8, r9);
    code.store(at(rsp, local.fetch), r8);
    code.place(over);
  }

  /**
   * Whoever works on what is missing may have lost its processor: what it has at hand is done once more where that can be, else it may have
   * this one.
   */
  #doOthers(stage: ChainStage, done: Label): void {
    const code = this.#code;
    const [each, next, yielded] = [newLabel(), newLabel(), newLabel()];
    if (stage.repeatable) {
      code.mov(rax, at(r15, chainTask.own));
      code.cmpConstant(rax, 0);
      code.j('e', yielded);
      code.movConstant(rbx, 0);
      code.movConstant(rbp, 0);
      code.place(each);
      this.#findLine(rdx, rbp);
      code.mov(rax, at(rdx, lineFields.atHand));
      code.cmpConstant(rax, 0);
      code.j('e', next);
      code.subConstant(rax, 1);
      code.store(at(rsp, local.item), rax);
      this.#doItem(stage);
      this.#findLine(rdx, rbp);
      this.#giveBack();
      code.j('ne', next);
      this.#findLine(rdx, r14);
      code.mov(rax, at(rdx, lineFields.finished));
      code.addConstant(rax, 1);
      code.store(at(rdx, lineFields.finished), rax);
      code.movConstant(rax, 1);
      code.lockXadd(at(r13, this.#threads * line), rax);
      code.place(next);
      this.#findLine(rdx, rbp);
      code.mov(rax, at(rdx, lineFields.finished));
      code.add(rbx, rax);
      code.addConstant(rbp, 1);
      code.cmpConstant(rbp, this.#threads);
      code.j('ne', each);
      this.#load(rcx, stage.count);
      code.cmp(rbx, rcx);
      code.j('ge', done);
    }
    code.place(yielded);
    x64Convention.call(code, yieldAddress());
  }
}
