/** The calling convention of ARM64, the same on every system as far as it is used here; x18 is left alone for those that own it. */
import type { CallingConvention } from '../calling-convention.ts';
import { type Arm64Assembler, sp } from './arm64-assembler.ts';

/** Holds the address of a call. */
const target = 16;

/** Those with the frame's and the return's address, in pairs. */
const saved = [19, 20, 21, 22, 23, 24, 29, 30];

export const arm64Convention: CallingConvention<Arm64Assembler> = {
  registers: {
    ...{ first: 0, second: 1, third: 2, fourth: 3, fifth: 4, result: 0 },
    ...{ rows: 19, counter: 20, context: 21, status: 22, operator: 23, stack: sp },
  },
  saved,
  frameOf: (size) => Math.ceil(size / 16) * 16,
  call(code, address) {
    code.movConstant(target, address);
    code.blr(target);
  },
};
