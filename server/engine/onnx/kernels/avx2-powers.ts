/** Powers of two by AVX2, eight at a time. */
import { floatBits, rax, type Vector } from './assembler.ts';
import { comparison } from './attention-assembler.ts';
import { exponentTerms } from './attention-emitter.ts';
import type { Avx2AttentionAssembler } from './avx2-attention-assembler.ts';

/** Weights below 2^cutoff become zero; a power is made of an exponent's bits, of which the least are not numbers of all digits. */
const cutoff = -125;

/** Registers that hold them: terms from the first one on, then one and the cutoff. */
const constants = { terms: 8, one: 14, cutoff: 15 };

/** Uses rax. */
export function avx2Broadcast(code: Avx2AttentionAssembler, to: Vector, value: number): void {
  code.movConstant(rax, floatBits(value));
  code.vmovdGeneral(to, rax);
  code.vbroadcastss(to, to);
}

export function loadAvx2Exponents(code: Avx2AttentionAssembler): void {
  for (const [index, term] of exponentTerms.entries()) avx2Broadcast(code, constants.terms + index, term);
  avx2Broadcast(code, constants.one, 1);
  avx2Broadcast(code, constants.cutoff, cutoff);
}

/** x becomes 2^x for x ≤ 0; uses three other registers from the first one on. */
export function avx2Exponential(code: Avx2AttentionAssembler, x: Vector, first: Vector): void {
  const [whole, power, kept] = [first, first + 1, first + 2];
  const last = exponentTerms.length - 1;
  code.vcmpps(kept, x, constants.cutoff, comparison.notLess);
  code.vroundps(whole, x);
  code.vsubps(x, x, whole);
  code.vcvtps2dq(whole, whole);
  code.vpslld(whole, whole, 23);
  code.vmovdqu(power, constants.terms + last);
  for (let term = last - 1; term >= 0; term -= 1) code.vfmadd213ps(power, x, constants.terms + term);
  code.vfmadd213ps(power, x, constants.one);
  code.vpaddd(power, power, whole);
  code.vpand(x, power, kept);
}
