/**
 * Machine code that takes a new token in: its queries are turned by its position and scaled, its keys turned, and keys and
 * values put into the cache as halves. No half is infinite or no number, so that what was once there spoils nothing.
 */

import {
  type Assembler,
  at,
  calleeSaved,
  type General,
  type Label,
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
import { keyBlock, attentionTask as task } from './attention-layout.ts';

/** The largest half. */
export const largestHalf = 65_504;

/** The part that all instruction sets share: places of what is read, and of what is written. */
export abstract class PrepareEmitter<Code extends Assembler> extends AttentionEmitter<Code> {
  /**
   * r15: task, r14: row, r13: token of the row, r12: position, rsi: what is read, r10, r11: cosines and sines of the position,
   * r9: a head's place, r8: from one head's to the next one's.
   */
  emit(): Label {
    const { heads, headDim, kvHeads, packed, rotaryDims, scale } = this.shape;
    const { code } = this;
    return code.routine(() => {
      code.mov(rbp, rsp);
      code.subConstant(rsp, headDim * 4);
      code.andConstant(rsp, -64);
      code.mov(r15, rdi);
      code.mov(rbx, rsi);
      code.mov(rax, rsi);
      this.divide({ field: task.tokens });
      code.mov(r14, rax);
      code.mov(r13, rdx);
      this.past(r12, r14);
      code.add(r12, r13);
      this.constants();
      code.imul(rsi, rbx, (packed ? heads + 2 * kvHeads : heads) * headDim * 4);
      this.#addField(rsi, task.query);
      code.imul(r10, r12, rotaryDims * 2);
      code.mov(r11, r10);
      this.#addField(r10, task.cosines);
      this.#addField(r11, task.sines);
      this.setFactor(scale * Math.LOG2E);
      this.#queries();
      this.setFactor(1);
      if (!packed) this.#startOf(task.key);
      this.#keys();
      if (!packed) this.#startOf(task.value);
      this.#values();
      code.vzeroupper();
      code.mov(rsp, rbp);
    }, calleeSaved);
  }

  #addField(to: General, field: number): void {
    this.code.mov(rax, at(r15, field));
    this.code.add(to, rax);
  }

  /** rsi: the token's numbers of a tensor of its own; rbx: the token. */
  #startOf(field: number): void {
    const { headDim, kvHeads } = this.shape;
    this.code.imul(rsi, rbx, kvHeads * headDim * 4);
    this.#addField(rsi, field);
  }

  /** For each head of keys those of its queries, as they lie in a run's memory. */
  #queries(): void {
    const { headDim, kvHeads } = this.shape;
    const { code, group } = this;
    code.mov(r8, at(r15, task.tokens));
    code.imul(r9, r14, kvHeads);
    code.multiply(r9, r8);
    code.add(r9, r13);
    code.imul(r9, r9, group * headDim * 4);
    this.#addField(r9, task.queries);
    code.imul(r8, r8, group * headDim * 4);
    code.repeat(rdx, kvHeads, () => {
      code.mov(rdi, r9);
      code.repeat(rcx, group, () => {
        this.turn(rdi);
        code.addConstant(rsi, headDim * 4);
        code.addConstant(rdi, headDim * 4);
      });
      code.add(r9, r8);
    });
  }

  /** Bytes between heads of the cache to r8, the first one of the row to r9. */
  #cacheHeads(field: number): void {
    const { headDim, kvHeads } = this.shape;
    const { code } = this;
    code.mov(r8, at(r15, task.positions));
    code.imul(r8, r8, headDim * 2);
    code.imul(r9, r14, kvHeads);
    code.multiply(r9, r8);
    this.#addField(r9, field);
  }

  #keys(): void {
    const { headDim, kvHeads } = this.shape;
    const { code } = this;
    this.#cacheHeads(task.keys);
    code.mov(rax, r12);
    code.andConstant(rax, keyBlock - 1);
    code.mov(rcx, r12);
    code.sub(rcx, rax);
    code.imul(rcx, rcx, headDim * 2);
    code.imul(rax, rax, 2);
    code.add(rcx, rax);
    code.add(r9, rcx);
    code.repeat(rdx, kvHeads, () => {
      this.turn(rsp);
      // In place: what a half takes has been read.
      this.toHalves(rsp, rsp);
      for (let number = 0; number < headDim; number += 1) {
        code.movzxWord(rax, at(rsp, number * 2));
        code.storeWord(at(r9, number * keyBlock * 2), rax);
      }
      code.addConstant(rsi, headDim * 4);
      code.add(r9, r8);
    });
  }

  #values(): void {
    const { headDim, kvHeads } = this.shape;
    const { code } = this;
    this.#cacheHeads(task.values);
    code.imul(rcx, r12, headDim * 2);
    code.add(r9, rcx);
    code.repeat(rdx, kvHeads, () => {
      this.toHalves(r9, rsi);
      code.addConstant(rsi, headDim * 4);
      code.add(r9, r8);
    });
  }

  /** May use rax. */
  protected abstract constants(): void;
  /** A factor of heads; may use rax. */
  protected abstract setFactor(value: number): void;
  protected abstract toHalves(to: General, from: General): void;
  /** A head at rsi, times the factor, to another place; the first numbers of it turned. */
  protected abstract turn(to: General): void;
}
