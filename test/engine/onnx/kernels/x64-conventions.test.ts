import { describe, expect, it } from 'vitest';
import {
  Assembler,
  at,
  calleeSaved,
  type Label,
  r8,
  r9,
  r10,
  r11,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
} from '../../../../server/engine/onnx/kernels/assembler.ts';
import { placeCode } from '../../../../server/engine/onnx/kernels/code-memory.ts';
import { askProcessor, processorSets } from '../../../../server/engine/onnx/kernels/processor-sets.ts';
import { windows64 } from '../../../../server/engine/onnx/kernels/x64-conventions.ts';
import { addressOf, functionAtAddress } from '../../../../server/engine/onnx/library/library.ts';

const here = process.platform === 'linux' && process.arch === 'x64';

/** Runs a function of this system on some memory. */
function run(code: Assembler, entry: Label, memory: BigUint64Array): void {
  const address = placeCode(code.toBytes()) + BigInt(entry.position!);
  functionAtAddress(address, 'void', ['void *'])(addressOf(memory));
}

const vectors = Array.from({ length: 10 }, (_, index) => 6 + index);
const vectorBytes = 16 * vectors.length;

describe.skipIf(!here)('the calling convention of Windows', () => {
  it('enters a routine with its arguments, and keeps what Windows wants kept', () => {
    const code = new Assembler();
    // Arguments go to rbx's memory; all that may change does, and the stack is used deep down.
    const routine = code.routine(() => {
      for (const [index, register] of [rdi, rsi, rdx, rcx].entries())
        code.store(at(rbx, index * 8), register);
      code.subConstant(rsp, 60_000);
      code.store(at(rsp), rdi);
      for (const vector of vectors) code.movups(vector, at(rsp));
      for (const register of [rdi, rsi, rcx, rdx, r8, r9, r10, r11]) code.movConstant(register, 99);
      code.addConstant(rsp, 60_000);
      code.movConstant(rax, 1234);
    });
    const entry = code.routine(() => windows64.enter!(code, routine));
    const kept = { general: 40, vectors: 200, after: 200 + vectorBytes };
    const caller = code.routine(() => {
      code.mov(rbx, rdi);
      for (const [index, vector] of vectors.entries())
        code.movups(vector, at(rbx, kept.vectors + index * 16));
      for (const [index, register] of [rcx, rdx, r8, r9].entries()) code.movConstant(register, index + 1);
      code.movConstant(rdi, 77);
      code.movConstant(rsi, 78);
      code.subConstant(rsp, 40);
      code.call(entry);
      code.addConstant(rsp, 40);
      for (const [index, register] of [rax, rdi, rsi].entries())
        code.store(at(rbx, kept.general + index * 8), register);
      for (const [index, vector] of vectors.entries())
        code.storeMovups(at(rbx, kept.after + index * 16), vector);
    }, calleeSaved);
    const memory = BigUint64Array.from({ length: 65 }, (_, index) => BigInt(index * 1000));
    run(code, caller, memory);
    const words = (from: number, count: number) => memory.slice(from / 8, from / 8 + count);
    expect(words(0, 4)).toEqual(BigUint64Array.of(1n, 2n, 3n, 4n));
    expect(words(kept.general, 3)).toEqual(BigUint64Array.of(1234n, 77n, 78n));
    expect(words(kept.after, 20)).toEqual(words(kept.vectors, 20));
  });

  it('calls with arguments in their places, room for the called function and a border of 16', () => {
    const code = new Assembler();
    const called = code.routine(() => {
      code.movConstant(r11, 99);
      // Room of its own, above the return address.
      for (let place = 8; place <= 32; place += 8) code.store(at(rsp, place), r11);
      for (const [index, register] of [rcx, rdx, r8, r9].entries()) code.store(at(rbx, index * 8), register);
      code.mov(rax, at(rsp, 40));
      code.store(at(rbx, 32), rax);
      code.lea(rax, at(rsp, 8));
      code.andConstant(rax, 15);
      code.store(at(rbx, 40), rax);
      code.movConstant(rax, 4321);
    });
    const base = placeCode(code.toBytes());
    const outer = new Assembler();
    const { registers } = windows64;
    const caller = outer.routine(() => {
      outer.subConstant(rsp, windows64.frameOf(48));
      outer.mov(rbx, rdi);
      outer.movConstant(rbp, 55);
      outer.store(at(rsp, 40), rbp);
      const { fifth, first, fourth, second, third } = registers;
      for (const [index, register] of [first, second, third, fourth, fifth].entries())
        outer.movConstant(register, index + 1);
      windows64.call(outer, base + BigInt(called.position!));
      outer.store(at(rbx, 48), rax);
      outer.mov(rax, at(rsp, 40));
      outer.store(at(rbx, 56), rax);
      outer.addConstant(rsp, windows64.frameOf(48));
    }, calleeSaved);
    const memory = new BigUint64Array(8);
    run(outer, caller, memory);
    expect(memory).toEqual(BigUint64Array.of(1n, 2n, 3n, 4n, 5n, 0n, 4321n, 55n));
  });
});

describe.skipIf(!here)('instruction sets by the processor’s own word', () => {
  it('are those that the system names', () => {
    const sets = ['fma', 'avx2', 'avx_vnni', 'avx512f', 'avx512bw', 'avx512vl', 'avx512_vnni', 'amx_int8'];
    const named = sets.filter((set) => processorSets().includes(set));
    expect(askProcessor().filter((set) => sets.includes(set))).toEqual(named);
  });
});
