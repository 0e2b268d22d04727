/** Powers of two by AVX-512, sixteen at a time. */
import { floatBits, type Mask, rax, type Vector } from './assembler.ts';
import { type AttentionAssembler, comparison } from './attention-assembler.ts';
import { exponentTerms } from './attention-emitter.ts';

/** Weights below 2^cutoff become zero: as float32 they would have fewer digits, which take long. */
const cutoff = -126;

/** Registers that hold them: terms from the first one on, then one and the cutoff. */
const constants = { terms: 20, one: 26, cutoff: 27 };

const cutoffMask: Mask = 3;

/** Uses rax. */
export function broadcast(code: AttentionAssembler, to: Vector, value: number): void {
  code.movConstant(rax, floatBits(value));
  code.vpbroadcastd(to, rax);
}

export function loadExponents(code: AttentionAssembler): void {
  for (const [index, term] of exponentTerms.entries()) broadcast(code, constants.terms + index, term);
  broadcast(code, constants.one, 1);
  broadcast(code, constants.cutoff, cutoff);
}

/** x becomes 2^x for x ≤ 0; uses two other registers. */
export function exponential(code: AttentionAssembler, x: Vector, whole: Vector, power: Vector): void {
  const last = exponentTerms.length - 1;
  code.vcmpps(cutoffMask, x, constants.cutoff, comparison.notLess);
  code.vrndscaleps(whole, x);
  code.vsubps(x, x, whole);
  code.vmovdqu32(power, constants.terms + last);
  for (let term = last - 1; term >= 0; term -= 1) code.vfmadd213ps(power, x, constants.terms + term);
  code.vfmadd213ps(power, x, constants.one);
  code.vscalefps(x, power, whole, { mask: cutoffMask, zero: true });
}
