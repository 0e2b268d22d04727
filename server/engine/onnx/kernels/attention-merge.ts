/** Machine code that puts together what the pieces of the cache gave for a token, in their order, and divides by all weights. */

import {
  at,
  calleeSaved,
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
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
} from './assembler.ts';
import type { AttentionAssembler } from './attention-assembler.ts';
import { AttentionEmitter } from './attention-emitter.ts';
import { type AttentionShape, partialOf, pieceKeys, attentionTask as task } from './attention-layout.ts';

const [most, total, weight, whole, power] = [0, 1, 2, 28, 29];
/** First register of a head's sums. */
const sums = 4;

/** Adds `void merge(task, token)`, of the System V calling convention; tokens count over all rows. */
export const emitMerge = (code: AttentionAssembler, shape: AttentionShape): Label =>
  new MergeEmitter(code, shape).emit();

class MergeEmitter extends AttentionEmitter {
  /**
   * r15: task, r14: row, r13: token of the row, r12: pieces it sees, rdi: y, r9: what they gave for its first query of a head
   * of keys, r8: from one query's to the next one's, r10: from a head's to the next one's.
   */
  emit(): Label {
    const { heads, headDim, kvHeads } = this.shape;
    const { row } = partialOf(this.shape);
    const { code, group } = this;
    return code.routine(() => {
      code.mov(r15, rdi);
      code.imul(rdi, rsi, heads * headDim * 4);
      code.mov(rax, at(r15, task.y));
      code.add(rdi, rax);
      code.mov(rax, rsi);
      this.divide({ field: task.tokens });
      code.mov(r14, rax);
      code.mov(r13, rdx);
      this.#pieces();
      code.mov(r8, at(r15, task.pieces));
      code.imul(r8, r8, row * 4);
      code.mov(r10, at(r15, task.tokens));
      code.imul(r9, r14, kvHeads);
      code.multiply(r9, r10);
      code.add(r9, r13);
      code.imul(r9, r9, group);
      code.multiply(r9, r8);
      code.add(r9, r11);
      code.mov(rax, at(r15, task.partials));
      code.add(r9, rax);
      code.imul(r10, r10, group);
      code.multiply(r10, r8);
      this.loadExponents();
      code.repeat(rbx, kvHeads, () => {
        code.mov(r11, r9);
        code.repeat(rdx, group, () => {
          this.#query();
          code.add(r11, r8);
          code.addConstant(rdi, headDim * 4);
        });
        code.add(r9, r10);
      });
      code.vzeroupper();
    }, calleeSaved);
  }

  /** r12: how many pieces the token sees, r11: bytes of those before. */
  #pieces(): void {
    const { window } = this.shape;
    const { code } = this;
    this.past(r12, r14);
    code.add(r12, r13);
    code.movConstant(r11, 0);
    if (window > 0) {
      code.movConstant(rcx, 0);
      code.lea(rax, at(r12, 1 - window));
      code.cmpConstant(rax, 0);
      code.cmov('l', rax, rcx);
      this.divide(pieceKeys);
      code.mov(r11, rax);
    }
    code.mov(rax, r12);
    this.divide(pieceKeys);
    code.lea(r12, at(rax, 1));
    code.sub(r12, r11);
    code.imul(r11, r11, partialOf(this.shape).row * 4);
  }

  /** One query, from r11 on to rdi. */
  #query(): void {
    const { most: mostAt, row, sum } = partialOf(this.shape);
    const { code, vectors } = this;
    const pieces = (body: () => void) => {
      const again = newLabel();
      code.mov(rsi, r11);
      code.mov(rcx, r12);
      code.place(again);
      body();
      code.addConstant(rsi, row * 4);
      code.subConstant(rcx, 1);
      code.j('ne', again);
    };
    code.vbroadcastss(most, at(r11, mostAt * 4));
    pieces(() => code.vmaxpsMemory(most, most, at(rsi, mostAt * 4), { broadcast: true }));
    code.vpxord(total, total, total);
    for (let vector = 0; vector < vectors; vector += 1)
      code.vpxord(sums + vector, sums + vector, sums + vector);
    pieces(() => {
      code.vbroadcastss(weight, at(rsi, mostAt * 4));
      code.vsubps(weight, weight, most);
      this.exponential(weight, whole, power);
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
