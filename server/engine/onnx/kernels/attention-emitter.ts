/** Writes code of attention for one shape: what its parts share. */

import { type Assembler, at, type General, r15, rcx, rdx } from './assembler.ts';
import { type AttentionShape, attentionTask as task } from './attention-layout.ts';

/** 2^r for −.5 … .5, its Taylor series: wrong by 1.2e-7 at most. */
export const exponentTerms = [1, 2, 3, 4, 5, 6].map((power) => {
  let term = 1;
  for (let factor = 1; factor <= power; factor += 1) term *= Math.LN2 / factor;
  return term;
});

export abstract class AttentionEmitter<Code extends Assembler> {
  protected readonly code: Code;
  protected readonly shape: AttentionShape;
  protected readonly tables: bigint;
  /** Query heads of a head of keys. */
  protected readonly group: number;

  /** @param tables address of the constants that the code reads */
  constructor(code: Code, shape: AttentionShape, tables: bigint) {
    this.code = code;
    this.shape = shape;
    this.tables = tables;
    this.group = shape.heads / shape.kvHeads;
  }

  /** rax = rax ÷ by, rdx = the rest. */
  protected divide(by: number | { field: number }): void {
    const { code } = this;
    code.movConstant(rdx, 0);
    if (typeof by === 'number') code.movConstant(rcx, by);
    else code.mov(rcx, at(r15, by.field));
    code.div(rcx);
  }

  /** Positions before the new tokens of row `row`, which is left as it was; uses rcx. */
  protected past(to: General, row: General): void {
    const { code } = this;
    code.imul(to, row, 4);
    code.mov(rcx, at(r15, task.seqlens));
    code.add(to, rcx);
    code.movsxd(to, at(to));
    code.addConstant(to, 1);
    code.mov(rcx, at(r15, task.tokens));
    code.sub(to, rcx);
    code.mov(rcx, at(r15, task.first));
    code.subConstant(rcx, 1);
    // rcx is zero where it is the first prompt.
    code.cmov('e', to, rcx);
  }
}
