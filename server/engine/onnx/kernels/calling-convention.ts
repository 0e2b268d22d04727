/**
 * Calls between onnxruntime and code of ours, as far as they differ by processor and system. Code that is the same everywhere
 * (operator-emitter.ts, custom-op-code.ts) names registers by their part in a call, and is written in the instructions below.
 */
import type { Condition, General, Label, Memory } from './assembler.ts';

/** Registers by their part in a call. */
export interface CallRegisters {
  /** Arguments; the first may be the result's as well. */
  first: General;
  second: General;
  third: General;
  fourth: General;
  fifth: General;
  result: General;
  /** Registers that functions leave as they were. */
  rows: General;
  counter: General;
  context: General;
  status: General;
  operator: General;
  stack: General;
}

/** Instructions that every processor has, by the names of x86-64. */
export interface CallCode {
  toBytes(): Uint8Array;
  place(label: Label): void;
  jmp(label: Label): void;
  j(condition: Condition, label: Label): void;
  call(routine: Label): void;
  /** A function that returns at the end of its body; `saved` come back as they were. */
  routine(body: () => void, saved?: readonly General[]): Label;
  mov(to: General, from: General | Memory): void;
  movConstant(to: General, value: number | bigint): void;
  store(to: Memory, from: General): void;
  lea(to: General, from: Memory): void;
  leaLabel(to: General, label: Label): void;
  add(to: General, value: General): void;
  addConstant(to: General, value: number): void;
  subConstant(to: General, value: number): void;
  andConstant(to: General, value: number): void;
  cmp(left: General, right: General): void;
  cmpConstant(left: General, value: number): void;
  test(left: General, right: General): void;
  imul(to: General, from: General, factor: number): void;
  cmov(condition: Condition, to: General, from: General): void;
  /** The result's register ÷ a constant, both unsigned; the third and fourth arguments' registers are lost. */
  divConstant(by: number): void;
}

export interface CallingConvention<Code extends CallCode = CallCode> {
  registers: CallRegisters;
  /** Registers that a function saves. */
  saved: readonly General[];
  /** Bytes of a frame for so many, after which calls lie on borders of 16. */
  frameOf(size: number): number;
  /** Calls what lies at an address. */
  call(code: Code, address: bigint): void;
  /** Code through which a routine is called from outside; without it, a routine is called as it is. */
  enter?(code: Code, routine: Label): void;
}
