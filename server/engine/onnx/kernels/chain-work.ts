/**
 * Machine code of the threads that work on a chain. Each passes all stages: of a stage it takes items of its own share, then what
 * others have left, and waits until all are done. It waits only for items that a running thread has taken, so that any number of
 * threads gets to the end, one as well. While it waits it fetches what it will read of the next product.
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
import { chainTask } from './chain-layout.ts';
import type { ChainStage, ItemCount } from './chain-stages.ts';
import { task as productTask } from './matmul-layout.ts';
import { x64Convention } from './x64-conventions.ts';

const line = 64;
/** Of a stage: how many items of each share are taken, and how many of all are done, each in a line of its own. */
export const stageBytes = (threads: number): number => (threads + 1) * line;

/** Bytes of the next product that a waiting thread fetches into its second cache. */
const mostFetched = 256 * 1024;
/** Lines between two looks at whether the others are done. */
const fetchedAtOnce = 8;
/** Times that a thread looks, some 50 µs, before others may have its processor. */
const spins = 1000;

/** The stack: the item at hand; what is to be fetched, and its end. */
const local = { item: 0, fetch: 8, fetchEnd: 16, size: 24 };

/** Adds `void work(frame, thread)`: all stages. */
export const emitParticipant = (code: Assembler, stages: readonly ChainStage[], threads: number): Label =>
  new ParticipantEmitter(code, stages, threads).emit();

/** r15: frame, r14: thread, r13: counters, rbx: items done of a stage, rbp: whose share is at hand, r12: its first item. */
class ParticipantEmitter {
  readonly #code: Assembler;
  readonly #stages: readonly ChainStage[];
  readonly #threads: number;

  constructor(code: Assembler, stages: readonly ChainStage[], threads: number) {
    this.#code = code;
    this.#stages = stages;
    this.#threads = threads;
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
    code.imul(rdx, rbp, line);
    code.add(rdx, r13);
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
    for (const { address, task } of stage.routines) {
      code.lea(rdi, at(r15, task));
      code.mov(rsi, at(rsp, local.item));
      code.movConstant(rax, address);
      code.call(rax);
    }
    code.addConstant(rbx, 1);
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
      code.lea(rcx, at(rax, Math.min(mostFetched, share)));
    }
    code.store(at(rsp, local.fetch), rax);
    code.store(at(rsp, local.fetchEnd), rcx);
  }

  #wait({ count }: ChainStage): void {
    const code = this.#code;
    const [again, idle, done] = [newLabel(), newLabel(), newLabel()];
    code.mov(r8, at(rsp, local.fetch));
    code.mov(r9, at(rsp, local.fetchEnd));
    this.#load(rcx, count);
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
    code.lea(rax, at(r9, spins));
    code.cmp(r8, rax);
    code.j('l', again);
    // Whoever works on what is missing may wait for this processor.
    x64Convention.call(code, yieldAddress());
    code.mov(r9, at(rsp, local.fetchEnd));
    code.mov(r8, r9);
    this.#load(rcx, count);
    code.jmp(again);
    code.place(done);
    code.store(at(rsp, local.fetch), r8);
  }
}
