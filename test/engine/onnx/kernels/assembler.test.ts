import { describe, expect, it } from 'vitest';
import {
  Assembler,
  at,
  newLabel,
  r8,
  r9,
  r10,
  r11,
  r12,
  r13,
  r14,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
} from '../../../../server/engine/onnx/kernels/assembler.ts';

const far = 0x12345;

/** Bytes as the GNU assembler writes them; of two forms between registers, as its disassembler reads the other one. */
const encodings: [string, (code: Assembler) => void, string][] = [
  ['push rbp', (code) => code.push(rbp), '55'],
  ['push r12', (code) => code.push(r12), '4154'],
  ['pop r12', (code) => code.pop(r12), '415c'],
  ['mov rdi, rsp', (code) => code.mov(rdi, rsp), '488bfc'],
  ['add rcx, rax', (code) => code.add(rcx, rax), '4803c8'],
  ['cmp r13, rax', (code) => code.cmp(r13, rax), '4c3be8'],
  ['test rax, rax', (code) => code.test(rax, rax), '4885c0'],
  ['mov rdi, [rsp+far]', (code) => code.mov(rdi, at(rsp, far)), '488bbc2445230100'],
  ['mov r9, [r12+far]', (code) => code.mov(r9, at(r12, far)), '4d8b8c2445230100'],
  ['mov [r13+far], r14', (code) => code.store(at(r13, far), r14), '4d89b545230100'],
  ['lea rsi, [rbp+far]', (code) => code.lea(rsi, at(rbp, far)), '488db545230100'],
  ['mov r10, constant', (code) => code.movConstant(r10, 0x123456789abcdef0n), '49baf0debc9a78563412'],
  ['call rax', (code) => code.call(rax), 'ffd0'],
  ['call r11', (code) => code.call(r11), '41ffd3'],
  ['add r8, far', (code) => code.addConstant(r8, far), '4981c045230100'],
  ['sub rsp, far', (code) => code.subConstant(rsp, far), '4881ec45230100'],
  ['and r9, far', (code) => code.andConstant(r9, far), '4981e145230100'],
  ['cmp rbx, far', (code) => code.cmpConstant(rbx, far), '4881fb45230100'],
  ['imul r10, rsi, far', (code) => code.imul(r10, rsi, far), '4c69d645230100'],
  ['div rcx', (code) => code.div(rcx), '48f7f1'],
  ['cmovl r10, r14', (code) => code.cmov('l', r10, r14), '4d0f4cd6'],
  ['cmovge rcx, rax', (code) => code.cmov('ge', rcx, rax), '480f4dc8'],
  ['prefetcht0 [r13+far]', (code) => code.prefetch(at(r13, far)), '410f188d45230100'],
  ['kmovq k5, rax', (code) => code.kmovFromRax(5), 'c4e1fb92e8'],
  ['vzeroupper', (code) => code.vzeroupper(), 'c5f877'],
  ['vmovdqu32 zmm17, [r12+far]', (code) => code.vmovdqu32(17, at(r12, far)), '62c17e486f8c2445230100'],
  ['vmovdqu32 zmm3, zmm30', (code) => code.vmovdqu32(3, 30), '62917e486fde'],
  [
    'vmovdqu32 zmm17{k3}{z}, [rdi+far]',
    (code) => code.vmovdqu32(17, at(rdi, far), { mask: 3, zero: true }),
    '62e17ecb6f8f45230100',
  ],
  ['vmovdqu32 [r9+far], zmm22', (code) => code.storeVmovdqu32(at(r9, far), 22), '62c17e487fb145230100'],
  [
    'vmovdqu8 zmm12{k5}{z}, [r8+far]',
    (code) => code.vmovdqu8(12, at(r8, far), { mask: 5, zero: true }),
    '62517fcd6fa045230100',
  ],
  ['vmovups [r10+far], xmm4', (code) => code.storeVmovups128(at(r10, far), 4), '62d17c0811a245230100'],
  ['vmovlps [r10+far], xmm4', (code) => code.storeVmovlps(at(r10, far), 4), '62d17c0813a245230100'],
  ['vmovhps [r10+far], xmm4', (code) => code.storeVmovhps(at(r10, far), 4), '62d17c0817a245230100'],
  ['vmovss [r8+far], xmm10', (code) => code.storeVmovss(at(r8, far), 10), '62517e08119045230100'],
  ['vbroadcastss zmm10, [rcx+far]', (code) => code.vbroadcastss(10, at(rcx, far)), '62727d48189145230100'],
  ['vpbroadcastd zmm12, edi', (code) => code.vpbroadcastd(12, rdi), '62727d487ce7'],
  [
    'vpmovzxbd zmm12{k2}{z}, [r8+far]',
    (code) => code.vpmovzxbd(12, at(r8, far), { mask: 2, zero: true }),
    '62527dca31a045230100',
  ],
  ['vpmovsdb [rcx+far], zmm11', (code) => code.storeVpmovsdb(at(rcx, far), 11), '62727e48219945230100'],
  ['vpandd zmm9, zmm9, zmm15', (code) => code.vpandd(9, 9, 15), '62513548dbcf'],
  ['vpandd zmm12, zmm12, [r11+far]', (code) => code.vpandd(12, 12, at(r11, far)), '62511d48dba345230100'],
  ['vpxord zmm31, zmm31, zmm31', (code) => code.vpxord(31, 31, 31), '62010540efff'],
  ['vpaddd zmm10, zmm10, zmm16', (code) => code.vpaddd(10, 10, 16), '62312d48fed0'],
  ['vpsrlw zmm9, zmm8, 4', (code) => code.vpsrlw(9, 8, 4), '62d1354871d004'],
  ['vpsrlvd zmm12, zmm12, [r11+far]', (code) => code.vpsrlvd(12, 12, at(r11, far)), '62521d4845a345230100'],
  ['vpermd zmm12, zmm14, zmm12', (code) => code.vpermd(12, 14, 12), '62520d4836e4'],
  ['vpermt2d zmm11, zmm4, zmm17', (code) => code.vpermt2d(11, 4, 17), '62325d487ed9'],
  ['vpdpbusd zmm7, zmm8, [rdx+far]', (code) => code.vpdpbusd(7, 8, at(rdx, far)), '62f23d4850ba45230100'],
  ['vpdpbusd zmm25, zmm18, zmm29', (code) => code.vpdpbusd(25, 18, 29), '62026d4050cd'],
  ['vcvtdq2ps zmm5, zmm5', (code) => code.vcvtdq2ps(5, 5), '62f17c485bed'],
  ['vcvtps2dq zmm16, zmm16', (code) => code.vcvtps2dq(16, 16), '62a17d485bc0'],
  ['vaddps zmm4, zmm0, zmm1', (code) => code.vaddps(4, 0, 1), '62f17c4858e1'],
  ['vmulps zmm16, zmm16, zmm9', (code) => code.vmulps(16, 16, 9), '62c17c4059c1'],
  ['vdivps zmm9, zmm2, zmm6', (code) => code.vdivps(9, 2, 6), '62716c485ece'],
  ['vmaxps zmm6, zmm6, zmm7', (code) => code.vmaxps(6, 6, 7), '62f14c485ff7'],
  [
    'vfmadd231ps zmm31, zmm6, [rsi+far]{1to16}',
    (code) => code.vfmadd231ps(31, 6, at(rsi, far), { broadcast: true }),
    '62624d58b8be45230100',
  ],
  [
    'vfnmadd231ps zmm24{k1}, zmm11, [r12+far]',
    (code) => code.vfnmadd231ps(24, 11, at(r12, far), { mask: 1 }),
    '62422549bc842445230100',
  ],
  ['vunpcklps zmm0, zmm16, zmm17', (code) => code.vunpcklps(0, 16, 17), '62b17c4014c1'],
  ['vunpckhps zmm1, zmm18, zmm19', (code) => code.vunpckhps(1, 18, 19), '62b16c4015cb'],
  ['vunpcklpd zmm0, zmm2, zmm3', (code) => code.vunpcklpd(0, 2, 3), '62f1ed4814c3'],
  ['vunpckhpd zmm1, zmm2, zmm3', (code) => code.vunpckhpd(1, 2, 3), '62f1ed4815cb'],
  ['vpermilps zmm7, zmm6, 0x4e', (code) => code.vpermilps(7, 6, 0x4e), '62f37d4804fe4e'],
  ['vshuff32x4 zmm7, zmm6, zmm6, 0xb1', (code) => code.vshuff32x4(7, 6, 6, 0xb1), '62f34d4823feb1'],
];

const hex = (code: Assembler): string => Buffer.from(code.toBytes()).toString('hex');

describe('the assembler', () => {
  it.each(encodings)('writes %s', (_text, emit, expected) => {
    const code = new Assembler();
    emit(code);
    expect(hex(code)).toBe(expected);
  });

  it('knows how far labels are, before and after them', () => {
    const code = new Assembler();
    const [back, ahead] = [newLabel(), newLabel()];
    code.place(back);
    code.j('ne', ahead);
    code.jmp(back);
    code.leaLabel(rdx, back);
    code.call(back);
    code.place(ahead);
    code.ret();
    // jne +17; jmp −11; lea rdx, [rip − 18]; call −23; ret
    expect(hex(code)).toBe('0f8511000000' + 'e9f5ffffff' + '488d15eeffffff' + 'e8e9ffffff' + 'c3');
  });
});
