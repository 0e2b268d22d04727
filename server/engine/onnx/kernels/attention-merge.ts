/** Machine code that puts together what the pieces of the cache gave for a token, in their order, and divides by all weights. */

import {
  type Assembler,
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
import { AttentionEmitter } from './attention-emitter.ts';
import { partialOf, pieceKeys, attentionTask as task } from './attention-layout.ts';

/** The part that all instruction sets share: the pieces that a token sees. */
export abstract class MergeEmitter<Code extends Assembler> extends AttentionEmitter<Code> {
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
          this.query();
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

  /** All that pieces gave for a query, one by one, from rsi on; uses rcx. */
  protected eachPiece(body: () => void): void {
    const { code } = this;
    const again = newLabel();
    code.mov(rsi, r11);
    code.mov(rcx, r12);
    code.place(again);
    body();
    code.addConstant(rsi, partialOf(this.shape).row * 4);
    code.subConstant(rcx, 1);
    code.j('ne', again);
  }

  protected abstract loadExponents(): void;
  /** One query, from r11 on to rdi. */
  protected abstract query(): void;
}
