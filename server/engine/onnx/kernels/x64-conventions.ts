/**
 * Calling conventions of x86-64. All code here keeps to System V's; on Windows, functions are entered and left through a few
 * instructions that bring arguments to their places and keep what Windows wants kept.
 */
import {
  type Assembler,
  at,
  calleeSaved,
  type Label,
  r8,
  r9,
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
} from './assembler.ts';
import type { CallingConvention } from './calling-convention.ts';

export const systemV: CallingConvention<Assembler> = {
  registers: {
    ...{ first: rdi, second: rsi, third: rdx, fourth: rcx, fifth: r8, result: rax },
    ...{ rows: rbx, counter: rbp, context: r12, status: r13, operator: r14, stack: rsp },
  },
  saved: calleeSaved,
  // Seven pushed addresses lie above.
  frameOf: (size) => (size % 16 === 8 ? size : size + 8),
  call(code, address) {
    code.movConstant(rax, address);
    code.call(rax);
  },
};

/** xmm6 … xmm15, which Windows wants kept. */
const keptVectors = Array.from({ length: 10 }, (_, index) => 6 + index);
const vectorsFrame = 16 * keptVectors.length + 8;
/** Room above a call's return address that belongs to the called function, and the arguments behind it. */
const shadow = 32;
/** Windows gives a thread's stack page by page, in their order; routines may skip some. */
const page = 4096;
const deepestFrame = 16 * page;

export const windows64: CallingConvention<Assembler> = {
  ...systemV,
  call(code, address) {
    const frame = shadow + 16;
    code.subConstant(rsp, frame);
    code.store(at(rsp, shadow), r8);
    code.mov(r9, rcx);
    code.mov(r8, rdx);
    code.mov(rdx, rsi);
    code.mov(rcx, rdi);
    systemV.call(code, address);
    code.addConstant(rsp, frame);
  },
  enter(code: Assembler, routine: Label) {
    code.push(rdi);
    code.push(rsi);
    code.subConstant(rsp, vectorsFrame);
    for (const [index, vector] of keptVectors.entries()) code.storeMovups(at(rsp, index * 16), vector);
    for (let depth = page; depth <= deepestFrame; depth += page) code.mov(rax, at(rsp, -depth));
    code.mov(rdi, rcx);
    code.mov(rsi, rdx);
    code.mov(rdx, r8);
    code.mov(rcx, r9);
    code.call(routine);
    for (const [index, vector] of keptVectors.entries()) code.movups(vector, at(rsp, index * 16));
    code.addConstant(rsp, vectorsFrame);
    code.pop(rsi);
    code.pop(rdi);
    code.ret();
  },
};

/** This system's. */
export const x64Convention = process.platform === 'win32' ? windows64 : systemV;
