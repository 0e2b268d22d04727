import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Arm64Assembler, sp } from '../../../../../server/engine/onnx/kernels/arm64/arm64-assembler.ts';
import { at, newLabel } from '../../../../../server/engine/onnx/kernels/assembler.ts';

const wide = 0x123456789abcdef0n;

/** Instructions in the GNU assembler's words, and their words of 32 bits as it writes them. */
const encodings: [string, (code: Arm64Assembler) => void, string][] = [
  ['blr x16', (code) => code.blr(16), 'd63f0200'],
  ['ret', (code) => code.ret(), 'd65f03c0'],
  ['stp d8, d9, [sp, #-16]!', (code) => code.pushHalves(8, 9), '6dbf27e8'],
  ['ldp d14, d15, [sp], #16', (code) => code.popHalves(14, 15), '6cc13fee'],
  ['mov x21, x1', (code) => code.mov(21, 1), 'aa0103f5'],
  ['mov x4, sp', (code) => code.mov(4, sp), '910003e4'],
  ['ldr x2, [sp, #4096]', (code) => code.mov(2, at(sp, 4096)), 'f94803e2'],
  ['ldr x27, [x19]', (code) => code.mov(27, at(19)), 'f940027b'],
  ['str x23, [x22, #32760]', (code) => code.store(at(22, 32760), 23), 'f93ffed7'],
  ['movz x9, #0', (code) => code.movConstant(9, 0), 'd2800009'],
  ['movz x9, #0x7b', (code) => code.movConstant(9, 123), 'd2800f69'],
  [
    'movz x16, #0xdef0; movk x16, #0x9abc, lsl 16; movk x16, #0x5678, lsl 32; movk x16, #0x1234, lsl 48',
    (code) => code.movConstant(16, wide),
    'd29bde10 f2b35790 f2cacf10 f2e24690',
  ],
  [
    'movz x3, #0xfff0; movk x3, #0xffff, lsl 16; movk x3, #0xffff, lsl 32; movk x3, #0xffff, lsl 48',
    (code) => code.movConstant(3, -16),
    'd29ffe03 f2bfffe3 f2dfffe3 f2ffffe3',
  ],
  ['movz x3, #2, lsl 16', (code) => code.movConstant(3, 0x20000), 'd2a00043'],
  ['add x2, sp, #80', (code) => code.lea(2, at(sp, 80)), '910143e2'],
  ['sub sp, sp, #160', (code) => code.subConstant(sp, 160), 'd10283ff'],
  ['add sp, sp, #160', (code) => code.addConstant(sp, 160), '910283ff'],
  [
    'add x9, x22, #0x12, lsl 12; add x9, x9, #0x345',
    (code) => code.lea(9, at(22, 0x12345)),
    '91404ac9 910d1529',
  ],
  ['add x9, x22, #0x12, lsl 12', (code) => code.lea(9, at(22, 0x12000)), '91404ac9'],
  [
    'movz x17, #0x5678; movk x17, #0x1234, lsl 16; add x9, x22, x17, uxtx',
    (code) => code.lea(9, at(22, 0x12345678)),
    'd28acf11 f2a24691 8b3162c9',
  ],
  [
    'movz x17, #0x5678; movk x17, #0x1234, lsl 16; sub x9, x22, x17, uxtx',
    (code) => code.lea(9, at(22, -0x12345678)),
    'd28acf11 f2a24691 cb3162c9',
  ],
  ['add x19, x19, x0', (code) => code.add(19, 0), '8b000273'],
  ['movz x17, #15; and x4, x4, x17', (code) => code.andConstant(4, 15), 'd28001f1 8a110084'],
  ['cmp x20, x19', (code) => code.cmp(20, 19), 'eb13029f'],
  ['cmp x24, #8', (code) => code.cmpConstant(24, 8), 'f100231f'],
  ['movz x17, #0x2000; cmp x0, x17', (code) => code.cmpConstant(0, 0x2000), 'd2840011 eb11001f'],
  ['tst x0, x0', (code) => code.test(0, 0), 'ea00001f'],
  ['movz x17, #640; mul x26, x1, x17', (code) => code.imul(26, 1, 640), 'd2805011 9b117c3a'],
  ['movz x17, #2048; udiv x0, x0, x17', (code) => code.divConstant(2048), 'd2810011 9ad10800'],
  ['csel x21, x16, x21, ge', (code) => code.cmov('ge', 21, 16), '9a95a215'],
  ['csel x0, x3, x0, eq', (code) => code.cmov('e', 0, 3), '9a800060'],
  ['prfm pldl1keep, [x4, #1024]', (code) => code.prfm(at(4, 1024)), 'f9820080'],
  ['ldr b29, [x3]', (code) => code.ldrB(29, at(3)), '3d40007d'],
  ['ldr h29, [x3, #6]', (code) => code.ldrH(29, at(3, 6)), '7d400c7d'],
  ['ldr s20, [x0, #1020]', (code) => code.ldrS(20, at(0, 1020)), 'bd43fc14'],
  ['ldr d20, [x9]', (code) => code.ldrD(20, at(9)), 'fd400134'],
  ['ldr q23, [x0, #1008]', (code) => code.ldrQ(23, at(0, 1008)), '3dc0fc17'],
  ['str s4, [x3, #4]', (code) => code.strS(4, at(3, 4)), 'bd000464'],
  ['str q3, [x16]', (code) => code.strQ(3, at(16)), '3d800203'],
  ['ldr d22, [x13], #8', (code) => code.ldrDPost(22, 13), 'fc4085b6'],
  ['st1 {v26.d}[0], [x2], x12', (code) => code.st1DPost(26, 0, 2, 12), '0d8c845a'],
  ['st1 {v26.d}[1], [x2], x12', (code) => code.st1DPost(26, 1, 2, 12), '4d8c845a'],
  ['ldr s29, [x19], #4', (code) => code.ldrSPost(29, 19), 'bc40467d'],
  ['ldr q27, [x12], #16', (code) => code.ldrQPost(27, 12), '3cc1059b'],
  ['str s2, [x3], #4', (code) => code.strSPost(2, 3), 'bc004462'],
  ['str q26, [x2], #16', (code) => code.strQPost(26, 2), '3c81045a'],
  ['ld1 {v20.s}[2], [x9]', (code) => code.ld1S(20, 2, 9), '4d408134'],
  ['ld1 {v28.s}[1], [x6], #4', (code) => code.ld1SPost(28, 1, 6), '0ddf90dc'],
  ['ld1 {v28.s}[3], [x8], #4', (code) => code.ld1SPost(28, 3, 8), '4ddf911c'],
  ['ld1 {v29.b}[2], [x16]', (code) => code.ld1B(29, 2, 16), '0d400a1d'],
  ['movi v31.16b, #0x0f', (code) => code.moviB(31, 0x0f), '4f00e5ff'],
  ['movi v31.16b, #0x80', (code) => code.moviB(31, 0x80), '4f04e41f'],
  ['movi v19.2d, #0', (code) => code.clear(19), '6f00e413'],
  ['dup v27.4s, w16', (code) => code.dup(27, 16), '4e040e1b'],
  ['dup v29.4s, v30.s[0]', (code) => code.dupLane(29, 30), '4e0407dd'],
  ['mov v30.d[0], x16', (code) => code.insD(30, 0, 16), '4e081e1e'],
  ['mov v30.d[1], x16', (code) => code.insD(30, 1, 16), '4e181e1e'],
  ['and v28.16b, v28.16b, v31.16b', (code) => code.and(28, 28, 31), '4e3f1f9c'],
  ['eor v28.16b, v27.16b, v31.16b', (code) => code.eor(28, 27, 31), '6e3f1f7c'],
  ['ushr v29.16b, v28.16b, #4', (code) => code.ushrB(29, 28, 4), '6f0c079d'],
  ['ushl v29.4s, v28.4s, v30.4s', (code) => code.ushl(29, 28, 30), '6ebe479d'],
  ['sdot v19.4s, v28.16b, v26.16b', (code) => code.sdot(19, 28, 26), '4e9a9793'],
  ['smmla v8.4s, v28.16b, v24.16b', (code) => code.smmla(8, 28, 24), '4e98a788'],
  ['zip1 v24.2d, v16.2d, v17.2d', (code) => code.zip1D(24, 16, 17), '4ed13a18'],
  ['zip2 v25.2d, v16.2d, v17.2d', (code) => code.zip2D(25, 16, 17), '4ed17a19'],
  ['fmla v3.4s, v20.4s, v17.s[1]', (code) => code.fmlaLane(3, 20, 17, 1), '4fb11283'],
  ['add v4.4s, v5.4s, v20.4s', (code) => code.add4(4, 5, 20), '4eb484a4'],
  ['addp v4.4s, v5.4s, v6.4s', (code) => code.addp(4, 5, 6), '4ea6bca4'],
  ['addv s4, v5.4s', (code) => code.addv(4, 5), '4eb1b8a4'],
  ['uzp1 v26.16b, v24.16b, v25.16b', (code) => code.uzp1B(26, 24, 25), '4e191b1a'],
  ['uzp2 v27.16b, v24.16b, v25.16b', (code) => code.uzp2B(27, 24, 25), '4e195b1b'],
  ['sqxtn v20.4h, v21.4s', (code) => code.sqxtnH(20, 21), '0e614ab4'],
  ['sqxtn2 v20.8h, v21.4s', (code) => code.sqxtn2H(20, 21), '4e614ab4'],
  ['sqxtn v24.8b, v20.8h', (code) => code.sqxtnB(24, 20), '0e214a98'],
  ['sqxtn2 v24.16b, v22.8h', (code) => code.sqxtn2B(24, 22), '4e214ad8'],
  ['uxtl v29.8h, v28.8b', (code) => code.uxtlH(29, 28), '2f08a79d'],
  ['uxtl v29.4s, v28.4h', (code) => code.uxtlS(29, 28), '2f10a79d'],
  ['ucvtf v29.4s, v28.4s', (code) => code.ucvtf(29, 28), '6e21db9d'],
  ['scvtf v4.4s, v5.4s', (code) => code.scvtf(4, 5), '4e21d8a4'],
  ['fcvtns v20.4s, v21.4s', (code) => code.fcvtns(20, 21), '4e21aab4'],
  ['fabs v20.4s, v21.4s', (code) => code.fabs(20, 21), '4ea0fab4'],
  ['fmaxnm v0.4s, v1.4s, v20.4s', (code) => code.fmaxnm(0, 1, 20), '4e34c420'],
  ['fmaxnmv s0, v1.4s', (code) => code.fmaxnmv(0, 1), '6e30c820'],
  ['fsub v29.4s, v28.4s, v27.4s', (code) => code.fsub(29, 28, 27), '4ebbd79d'],
  ['fmul v2.4s, v0.4s, v16.4s', (code) => code.fmul(2, 0, 16), '6e30dc02'],
  ['fdiv v3.4s, v17.4s, v0.4s', (code) => code.fdiv(3, 17, 0), '6e20fe23'],
  ['faddp v3.4s, v4.4s, v6.4s', (code) => code.faddp(3, 4, 6), '6e26d483'],
  ['fmla v3.4s, v4.4s, v29.s[0]', (code) => code.fmlaLane(3, 4, 29), '4f9d1083'],
  ['fmls v19.4s, v28.4s, v23.4s', (code) => code.fmls(19, 28, 23), '4eb7cf93'],
];

const wordsOf = (bytes: Uint8Array): string =>
  Array.from(new Uint32Array(Uint8Array.from(bytes).buffer), (word) =>
    word.toString(16).padStart(8, '0'),
  ).join(' ');

const written = (emit: (code: Arm64Assembler) => void): string => {
  const code = new Arm64Assembler();
  emit(code);
  return wordsOf(code.toBytes());
};

/** Words of the GNU assembler; null where it is not installed. */
function assemble(text: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'lokal-arm64-'));
  const [source, object, bytes] = ['a.s', 'a.o', 'a.bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    writeFileSync(source, `.arch armv8.6-a\n${text.replaceAll('; ', '\n')}\n`);
    execFileSync('aarch64-linux-gnu-as', ['-o', object, source], { stdio: 'pipe' });
    execFileSync('aarch64-linux-gnu-objcopy', ['-O', 'binary', '-j', '.text', object, bytes]);
    return wordsOf(readFileSync(bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const installed = assemble('ret') !== null;

describe('the assembler of ARM64', () => {
  it.each(encodings)('writes %s', (_text, emit, expected) => {
    expect(written(emit)).toBe(expected);
  });

  it.skipIf(!installed)('writes what the GNU assembler writes', () => {
    const text = encodings.map(([each]) => each).join('\n');
    expect(assemble(text)).toBe(encodings.map(([, , expected]) => expected).join(' '));
  });

  const jumps = `
    0: stp x19, x20, [sp, #-16]!
    stp x29, x30, [sp, #-16]!
    1: b.ne 2f
    b.lt 1b
    b.lo 1b
    b.ge 2f
    b.le 2f
    b.gt 2f
    b.eq 1b
    b 1b
    adr x1, 1b
    adr x2, 2f
    bl 0b
    movz x27, #3
    3: add x0, x0, #1
    subs x27, x27, #1
    b.ne 3b
    2: ldp x29, x30, [sp], #16
    ldp x19, x20, [sp], #16
    ret`;
  const jumping = (code: Arm64Assembler) => {
    const [back, ahead, start] = [newLabel(), newLabel(), newLabel()];
    code.place(start);
    code.routine(() => {
      code.place(back);
      code.j('ne', ahead);
      code.j('l', back);
      code.j('b', back);
      code.j('ge', ahead);
      code.j('le', ahead);
      code.j('g', ahead);
      code.j('e', back);
      code.jmp(back);
      code.leaLabel(1, back);
      code.leaLabel(2, ahead);
      code.call(start);
      code.repeat(27, 3, () => code.addConstant(0, 1));
      code.place(ahead);
    }, [19, 20, 29, 30]);
  };

  it('knows how far labels are, before and after them', () => {
    expect(written(jumping)).toBe(
      'a9bf53f3 a9bf7bfd 540001e1 54ffffeb 54ffffc3 5400018a 5400016d 5400014c 54ffff40 17fffff9 10ffff01 100000c2 97fffff4 d280007b 91000400 f100077b 54ffffc1 a8c17bfd a8c153f3 d65f03c0',
    );
  });

  it.skipIf(!installed)('jumps as the GNU assembler does', () => {
    expect(assemble(jumps)).toBe(written(jumping));
  });

  it('refuses an offset that an instruction cannot hold', () => {
    const code = new Arm64Assembler();
    expect(() => code.mov(0, at(1, 4))).toThrow(RangeError);
    expect(() => code.mov(0, at(1, 32768))).toThrow(RangeError);
    expect(() => code.ldrQ(0, at(1, -16))).toThrow(RangeError);
  });
});
