import { describe, expect, it } from 'vitest';
import { AmxAssembler } from '../../../../server/engine/onnx/kernels/amx-assembler.ts';
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
import { AttentionAssembler } from '../../../../server/engine/onnx/kernels/attention-assembler.ts';
import { Avx2AttentionAssembler } from '../../../../server/engine/onnx/kernels/avx2-attention-assembler.ts';
import { VexAssembler } from '../../../../server/engine/onnx/kernels/vex-assembler.ts';

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
  ['sub r12, r13', (code) => code.sub(r12, r13), '4d2be5'],
  ['sub rcx, rax', (code) => code.sub(rcx, rax), '482bc8'],
  ['imul r9, r8', (code) => code.multiply(r9, r8), '4d0fafc8'],
  ['imul rsi, rax', (code) => code.multiply(rsi, rax), '480faff0'],
  ['movsxd r12, [r12+far]', (code) => code.movsxd(r12, at(r12, far)), '4d63a42445230100'],
  ['movsxd rax, [rbp+far]', (code) => code.movsxd(rax, at(rbp, far)), '48638545230100'],
  ['movzx rax, word ptr [rsp+far]', (code) => code.movzxWord(rax, at(rsp, far)), '480fb7842445230100'],
  ['mov [r9+far], ax', (code) => code.storeWord(at(r9, far), rax), '6641898145230100'],
  ['add r8, far', (code) => code.addConstant(r8, far), '4981c045230100'],
  ['sub rsp, far', (code) => code.subConstant(rsp, far), '4881ec45230100'],
  ['and r9, far', (code) => code.andConstant(r9, far), '4981e145230100'],
  ['cmp rbx, far', (code) => code.cmpConstant(rbx, far), '4881fb45230100'],
  ['imul r10, rsi, far', (code) => code.imul(r10, rsi, far), '4c69d645230100'],
  ['div rcx', (code) => code.div(rcx), '48f7f1'],
  ['cmovl r10, r14', (code) => code.cmov('l', r10, r14), '4d0f4cd6'],
  ['cmovge rcx, rax', (code) => code.cmov('ge', rcx, rax), '480f4dc8'],
  ['prefetcht0 [r13+far]', (code) => code.prefetch(at(r13, far)), '410f188d45230100'],
  ['prefetcht1 [r13+far]', (code) => code.prefetch(at(r13, far), 2), '410f189545230100'],
  ['kmovq k5, rax', (code) => code.kmovFromRax(5), 'c4e1fb92e8'],
  ['lock xadd [rdx+far], rcx', (code) => code.lockXadd(at(rdx, far), rcx), 'f0480fc18a45230100'],
  ['lock xadd [r13+far], rbx', (code) => code.lockXadd(at(r13, far), rbx), 'f0490fc19d45230100'],
  ['lock cmpxchg [rdx+far], rcx', (code) => code.lockCmpxchg(at(rdx, far), rcx), 'f0480fb18a45230100'],
  ['lock cmpxchg [r13+far], rbx', (code) => code.lockCmpxchg(at(r13, far), rbx), 'f0490fb19d45230100'],
  ['pause', (code) => code.pause(), 'f390'],
  ['cpuid', (code) => code.cpuid(), '0fa2'],
  ['xgetbv', (code) => code.xgetbv(), '0f01d0'],
  ['movups xmm9, [rsp+far]', (code) => code.movups(9, at(rsp, far)), '440f108c2445230100'],
  ['movups [rbx+far], xmm6', (code) => code.storeMovups(at(rbx, far), 6), '0f11b345230100'],
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

const shortEncodings: [string, (code: VexAssembler) => void, string][] = [
  ['vmovdqu ymm9, [r12+far]', (code) => code.vmovdqu(9, at(r12, far)), 'c4417e6f8c2445230100'],
  ['vsubps ymm8, ymm8, [r11+far]', (code) => code.vsubps(8, 8, at(r11, far)), 'c4413c5c8345230100'],
  ['vbroadcastss ymm15, xmm15', (code) => code.vbroadcastss(15, 15), 'c4427d18ff'],
  ['vmovdqu ymm3, ymm14', (code) => code.vmovdqu(3, 14), 'c4c17e6fde'],
  ['vmovdqu xmm9, [r12+far]', (code) => code.vmovdqu128(9, at(r12, far)), 'c4417a6f8c2445230100'],
  ['vmovdqu [rcx+far], ymm11', (code) => code.storeVmovdqu(at(rcx, far), 11), 'c4617e7f9945230100'],
  ['vmovdqu [r10+far], xmm4', (code) => code.storeVmovdqu128(at(r10, far), 4), 'c4c17a7fa245230100'],
  ['vmovd xmm12, [r8+far]', (code) => code.vmovd(12, at(r8, far)), 'c441796ea045230100'],
  ['vmovq xmm12, [r8+far]', (code) => code.vmovq(12, at(r8, far)), 'c4417a7ea045230100'],
  ['vmovd [r8+far], xmm10', (code) => code.storeVmovd(at(r8, far), 10), 'c441797e9045230100'],
  ['vmovlps [r10+far], xmm4', (code) => code.storeVmovlps(at(r10, far), 4), 'c4c17813a245230100'],
  ['vmovhps [r10+far], xmm4', (code) => code.storeVmovhps(at(r10, far), 4), 'c4c17817a245230100'],
  [
    'vmaskmovps ymm11, ymm11, [rcx+far]',
    (code) => code.vmaskmovps(11, 11, at(rcx, far)),
    'c462252c9945230100',
  ],
  ['vbroadcastss ymm12, [rcx+far]', (code) => code.vbroadcastss(12, at(rcx, far)), 'c4627d18a145230100'],
  ['vpinsrb xmm13, xmm13, [r8+far], 2', (code) => code.vpinsrb(13, at(r8, far), 2), 'c4431120a84523010002'],
  ['vpbroadcastd ymm13, xmm13', (code) => code.vpbroadcastd(13, 13), 'c4427d58ed'],
  ['vpmovzxbd ymm13, xmm13', (code) => code.vpmovzxbd(13, 13), 'c4427d31ed'],
  ['vpand ymm13, ymm13, [r11+far]', (code) => code.vpand(13, 13, at(r11, far)), 'c44115dbab45230100'],
  ['vpxor ymm8, ymm8, ymm8', (code) => code.vpxor(8, 8, 8), 'c4413defc0'],
  ['vpaddd ymm10, ymm10, ymm3', (code) => code.vpaddd(10, 10, 3), 'c4612dfed3'],
  ['vpaddw ymm8, ymm8, ymm14', (code) => code.vpaddw(8, 8, 14), 'c4413dfdc6'],
  ['vpsrlw ymm13, ymm12, 4', (code) => code.vpsrlw(13, 12, 4), 'c4c11571d404'],
  ['vpsrlvd ymm13, ymm13, [r11+far]', (code) => code.vpsrlvd(13, 13, at(r11, far)), 'c4421545ab45230100'],
  ['vpermd ymm12, ymm13, ymm12', (code) => code.vpermd(12, 13, 12), 'c4421536e4'],
  ['vpermq ymm12, ymm10, 0x4e', (code) => code.vpermq(12, 10, 0x4e), 'c443fd00e24e'],
  ['vshufps ymm12, ymm10, ymm10, 0xb1', (code) => code.vshufps(12, 10, 10, 0xb1), 'c4412cc6e2b1'],
  ['vpackssdw ymm0, ymm0, ymm1', (code) => code.vpackssdw(0, 0, 1), 'c4e17d6bc1'],
  ['vpacksswb ymm0, ymm0, ymm2', (code) => code.vpacksswb(0, 0, 2), 'c4e17d63c2'],
  ['vextracti128 xmm1, ymm12, 1', (code) => code.vextracti128(1, 12), 'c4637d39e101'],
  [
    '{vex} vpdpbusd ymm9, ymm12, [rdx+far]',
    (code) => code.vpdpbusd(9, 12, at(rdx, far)),
    'c4621d508a45230100',
  ],
  [
    'vpmaddubsw ymm14, ymm12, [rdx+far]',
    (code) => code.vpmaddubsw(14, 12, at(rdx, far)),
    'c4621d04b245230100',
  ],
  ['vpmaddwd ymm8, ymm8, [r11+far]', (code) => code.vpmaddwd(8, 8, at(r11, far)), 'c4413df58345230100'],
  ['vcvtdq2ps ymm9, ymm9', (code) => code.vcvtdq2ps(9, 9), 'c4417c5bc9'],
  ['vcvtps2dq ymm5, ymm5', (code) => code.vcvtps2dq(5, 5), 'c4e17d5bed'],
  ['vaddps ymm0, ymm0, ymm1', (code) => code.vaddps(0, 0, 1), 'c4e17c58c1'],
  ['vmulps ymm8, ymm8, ymm12', (code) => code.vmulps(8, 8, 12), 'c4413c59c4'],
  ['vdivps ymm13, ymm13, ymm11', (code) => code.vdivps(13, 13, 11), 'c441145eeb'],
  ['vmaxps ymm11, ymm11, ymm12', (code) => code.vmaxps(11, 11, 12), 'c441245fdc'],
  ['vfmadd231ps ymm7, ymm8, [rsi+far]', (code) => code.vfmadd231ps(7, 8, at(rsi, far)), 'c4e23db8be45230100'],
  ['vfnmadd231ps ymm3, ymm12, ymm14', (code) => code.vfnmadd231ps(3, 12, 14), 'c4c21dbcde'],
  ['vhaddps ymm0, ymm0, ymm2', (code) => code.vhaddps(0, 0, 2), 'c4e17f7cc2'],
];

const tileEncodings: [string, (code: AmxAssembler) => void, string][] = [
  ['ldtilecfg [r11+far]', (code) => code.ldtilecfg(at(r11, far)), 'c4c278498345230100'],
  ['tilerelease', (code) => code.tilerelease(), 'c4e27849c0'],
  ['tilezero tmm3', (code) => code.tilezero(3), 'c4e27b49d8'],
  ['tileloadd tmm1, [r12+r9+far]', (code) => code.tileloadd(1, at(r12, far), r9), 'c4827b4b8c0c45230100'],
  ['tilestored [r9+rsi+far], tmm2', (code) => code.tilestored(at(r9, far), 2, rsi), 'c4c27a4b943145230100'],
  ['tdpbssd tmm3, tmm2, tmm7', (code) => code.tdpbssd(3, 2, 7), 'c4e2435eda'],
  ['movzx r10d, byte ptr [rsi+far]', (code) => code.movzxByte(r10, at(rsi, far)), '440fb69645230100'],
  ['shr r10d, cl', (code) => code.shrByRcx(r10), '41d3ea'],
  ['shr rbx, 4', (code) => code.shr(rbx, 4), '48c1eb04'],
  ['shr r12, 4', (code) => code.shr(r12, 4), '49c1ec04'],
  [
    'vfmadd213ps zmm3, zmm14, [r10+far]',
    (code) => code.vfmadd213ps(3, 14, at(r10, far)),
    '62d20d48a89a45230100',
  ],
  ['vpbroadcastb zmm10, edx', (code) => code.vpbroadcastb(10, rdx), '62727d487ad2'],
  ['vpsubb zmm8, zmm8, zmm10', (code) => code.vpsubb(8, 8, 10), '62513d48f8c2'],
  ['vpmovsdb xmm11, zmm17', (code) => code.vpmovsdb(11, 17), '62c27e4821cb'],
  [
    '{evex} vpextrd dword ptr [rcx+far], xmm11, 2',
    (code) => code.storeVpextrd(at(rcx, far), 11, 2),
    '62737d0816994523010002',
  ],
  ['vpsubd zmm8, zmm18, zmm10', (code) => code.vpsubd(8, 18, 10), '62516d40fac2'],
  ['vpminud zmm8, zmm1, zmm13', (code) => code.vpminud(8, 1, 13), '625275483bc5'],
  ['vpmulld zmm14, zmm14, zmm8', (code) => code.vpmulld(14, 14, 8), '62520d4840f0'],
  ['vpmaddwd zmm8, zmm8, zmm9', (code) => code.vpmaddwd(8, 8, 9), '62513d48f5c1'],
  ['vpsrld zmm8, zmm9, 3', (code) => code.vpsrld(8, 9, 3), '62d13d4872d103'],
  ['vpslld zmm2, zmm2, 3', (code) => code.vpslld(2, 2, 3), '62f16d4872f203'],
  ['vpbroadcastq zmm9, [rsi+far]', (code) => code.vpbroadcastq(9, at(rsi, far)), '6272fd48598e45230100'],
  [
    'vbroadcasti32x4 zmm9, [rsi+far]',
    (code) => code.vbroadcasti32x4(9, at(rsi, far)),
    '62727d485a8e45230100',
  ],
  [
    'kxnorw k7, k7, k7; vpgatherdd zmm4{k7}, [r8+zmm12]',
    (code) => code.vpgatherdd(4, r8, 12),
    'c5c446ff' + '62927d4f90a42000000000',
  ],
];

const attentionEncodings: [string, (code: AttentionAssembler) => void, string][] = [
  ['vcvtph2ps zmm27, [rsi+far]', (code) => code.vcvtph2ps(27, at(rsi, far)), '62627d48139e45230100'],
  ['vcvtps2ph [r9+far], zmm16, 0', (code) => code.storeVcvtps2ph(at(r9, far), 16), '62c37d481d814523010000'],
  ['vsubps zmm8, zmm18, zmm0', (code) => code.vsubps(8, 18, 0), '62716c405cc0'],
  ['vsqrtps zmm9, zmm18', (code) => code.vsqrtps(9, 18), '62317c4851ca'],
  ['vminps zmm0, zmm0, zmm30', (code) => code.vminps(0, 0, 30), '62917c485dc6'],
  ['vmaxps zmm3, zmm3, [rax+far]', (code) => code.vmaxpsMemory(3, 3, at(rax, far)), '62f164485f9845230100'],
  [
    'vmaxps zmm0, zmm0, [rsi+far]{1to16}',
    (code) => code.vmaxpsMemory(0, 0, at(rsi, far), { broadcast: true }),
    '62f17c585f8645230100',
  ],
  ['vfmadd213ps zmm17, zmm9, zmm24', (code) => code.vfmadd213ps(17, 9, 24), '62823548a8c8'],
  ['vrndscaleps zmm13, zmm9, 0', (code) => code.vrndscaleps(13, 9), '62537d4808e900'],
  [
    'vscalefps zmm9{k3}{z}, zmm17, zmm13',
    (code) => code.vscalefps(9, 17, 13, { mask: 3, zero: true }),
    '625275c32ccd',
  ],
  ['vcmpps k3, zmm9, zmm27, 5', (code) => code.vcmpps(3, 9, 27, 5), '62913448c2db05'],
  ['vpcmpd k4, zmm30, zmm0, 1', (code) => code.vpcmpd(4, 30, 0, 1), '62f30d401fe001'],
];

const shortAttentionEncodings: [string, (code: Avx2AttentionAssembler) => void, string][] = [
  ['{vex3} vmovd xmm0, eax', (code) => code.vmovdGeneral(0, rax), 'c4e1796ec0'],
  ['vmovd xmm9, r12d', (code) => code.vmovdGeneral(9, r12), 'c441796ecc'],
  [
    'vmaskmovps [rdi+far], ymm0, ymm15',
    (code) => code.storeVmaskmovps(at(rdi, far), 0, 15),
    'c4627d2ebf45230100',
  ],
  ['vcvtph2ps ymm15, [rsi+far]', (code) => code.vcvtph2ps(15, at(rsi, far)), 'c4627d13be45230100'],
  ['vcvtps2ph [r9+far], ymm10, 0', (code) => code.storeVcvtps2ph(at(r9, far), 10), 'c4437d1d914523010000'],
  ['vsqrtps ymm9, ymm4', (code) => code.vsqrtps(9, 4), 'c4617c51cc'],
  ['vminps ymm0, ymm0, ymm14', (code) => code.vminps(0, 0, 14), 'c4c17c5dc6'],
  ['vroundps ymm4, ymm3, 0', (code) => code.vroundps(4, 3), 'c4e37d08e300'],
  ['vcmpps ymm6, ymm3, ymm15, 5', (code) => code.vcmpps(6, 3, 15, 5), 'c4c164c2f705'],
  ['vpcmpgtd ymm0, ymm0, ymm14', (code) => code.vpcmpgtd(0, 0, 14), 'c4c17d66c6'],
  ['{vex3} vpslld ymm4, ymm4, 23', (code) => code.vpslld(4, 4, 23), 'c4e15d72f417'],
  ['vfmadd213ps ymm5, ymm3, ymm12', (code) => code.vfmadd213ps(5, 3, 12), 'c4c265a8ec'],
];

const hex = (code: Assembler): string => Buffer.from(code.toBytes()).toString('hex');

describe('the assembler', () => {
  it.each(encodings)('writes %s', (_text, emit, expected) => {
    const code = new Assembler();
    emit(code);
    expect(hex(code)).toBe(expected);
  });

  it.each(shortEncodings)('writes %s', (_text, emit, expected) => {
    const code = new VexAssembler();
    emit(code);
    expect(hex(code)).toBe(expected);
  });

  it.each(tileEncodings)('writes %s', (_text, emit, expected) => {
    const code = new AmxAssembler();
    emit(code);
    expect(hex(code)).toBe(expected);
  });

  it.each(attentionEncodings)('writes %s', (_text, emit, expected) => {
    const code = new AttentionAssembler();
    emit(code);
    expect(hex(code)).toBe(expected);
  });

  it.each(shortAttentionEncodings)('writes %s', (_text, emit, expected) => {
    const code = new Avx2AttentionAssembler();
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
