/** Writes code of attention for one shape: what its parts share. */

import { at, floatBits, type General, r15, rax, rcx, rdx, type Vector } from './assembler.ts';
import type { AttentionAssembler } from './attention-assembler.ts';
import { comparison } from './attention-assembler.ts';
import { type AttentionShape, attentionTask as task } from './attention-layout.ts';

/** 2^r for −.5 … .5, its Taylor series: wrong by 1.2e-7 at most. */
const terms = [1, 2, 3, 4, 5, 6].map((power) => {
  let term = 1;
  for (let factor = 1; factor <= power; factor += 1) term *= Math.LN2 / factor;
  return term;
});
/** Weights below 2^cutoff become zero: as float32 they would have fewer digits, which take long. */
const cutoff = -126;

/** Registers that hold them: terms from the first one on, then one and the cutoff. */
const constants = { terms: 20, one: 26, cutoff: 27 };

export const cutoffMask = 3;

export abstract class AttentionEmitter {
  protected readonly code: AttentionAssembler;
  protected readonly shape: AttentionShape;
  /** Query heads of a head of keys. */
  protected readonly group: number;
  /** Registers of a head's numbers. */
  protected readonly vectors: number;

  constructor(code: AttentionAssembler, shape: AttentionShape) {
    this.code = code;
    this.shape = shape;
    this.group = shape.heads / shape.kvHeads;
    this.vectors = shape.headDim / 16;
  }

  /** Uses rax. */
  protected broadcast(to: Vector, value: number): void {
    this.code.movConstant(rax, floatBits(value));
    this.code.vpbroadcastd(to, rax);
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

  protected loadExponents(): void {
    for (const [index, term] of terms.entries()) this.broadcast(constants.terms + index, term);
    this.broadcast(constants.one, 1);
    this.broadcast(constants.cutoff, cutoff);
  }

  /** x becomes 2^x for x ≤ 0; uses two other registers. */
  protected exponential(x: Vector, whole: Vector, power: Vector): void {
    const { code } = this;
    const last = terms.length - 1;
    code.vcmpps(cutoffMask, x, constants.cutoff, comparison.notLess);
    code.vrndscaleps(whole, x);
    code.vsubps(x, x, whole);
    code.vmovdqu32(power, constants.terms + last);
    for (let term = last - 1; term >= 0; term -= 1) code.vfmadd213ps(power, x, constants.terms + term);
    code.vfmadd213ps(power, x, constants.one);
    code.vscalefps(x, power, whole, { mask: cutoffMask, zero: true });
  }
}
