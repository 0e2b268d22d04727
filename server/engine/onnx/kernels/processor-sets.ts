/** Instruction sets of this processor by Linux's names, asked of the system, else of the processor. */
import { functionAtAddress, nativeFunction, pinnedAddress, windowsFunction } from '../library/library.ts';
import { instructionSets } from '../providers/processor.ts';
import type { Label } from './assembler.ts';
import { Assembler, at, r8, r9, r10, rax, rbx, rcx, rdi, rdx, rsi } from './assembler.ts';
import { placeCode } from './code-memory.ts';
import { x64Convention } from './x64-conventions.ts';

let known: readonly string[] | undefined;

/** Found out once a process; none where nobody tells. */
export function processorSets(): readonly string[] {
  known ??= process.platform === 'linux' ? (instructionSets() ?? []) : askElsewhere();
  return known;
}

function askElsewhere(): string[] {
  if (process.arch === 'x64') return askProcessor();
  if (process.arch !== 'arm64') return [];
  return process.platform === 'darwin' ? askApple() : askWindows();
}

/** Sets that kernels need, by macOS's names and Windows' numbers. */
const armSets = [
  { name: 'asimddp', apple: 'hw.optional.arm.FEAT_DotProd', windows: 43 },
  { name: 'i8mm', apple: 'hw.optional.arm.FEAT_I8MM', windows: 66 },
];

function askApple(): string[] {
  const pointer = 'void *';
  const ask = nativeFunction('sysctlbyname', 'int', ['str', pointer, pointer, pointer, 'size_t']);
  return armSets.flatMap(({ apple, name }) => {
    const [value, size] = [new Uint32Array(1), BigUint64Array.of(4n)];
    const found = ask(apple, pinnedAddress(value), pinnedAddress(size), 0n, 0) === 0;
    return found && value[0] === 1 ? [name] : [];
  });
}

function askWindows(): string[] {
  const ask = windowsFunction('IsProcessorFeaturePresent', 'int', ['uint32_t']);
  return armSets.flatMap(({ name, windows }) => (ask(windows) !== 0 ? [name] : []));
}

type Part = 'rax' | 'rbx' | 'rcx' | 'rdx';

/** Places at which CPUID tells of each, by Intel's manual, and the states of registers that the system must keep for it. */
const x64Sets: { name: string; leaf: [number, number]; in: Part; bit: number; states: number }[] = [
  { name: 'fma', leaf: [1, 0], in: 'rcx', bit: 12, states: 0x6 },
  { name: 'avx2', leaf: [7, 0], in: 'rbx', bit: 5, states: 0x6 },
  { name: 'avx_vnni', leaf: [7, 1], in: 'rax', bit: 4, states: 0x6 },
  { name: 'avx512f', leaf: [7, 0], in: 'rbx', bit: 16, states: 0xe6 },
  { name: 'avx512bw', leaf: [7, 0], in: 'rbx', bit: 30, states: 0xe6 },
  { name: 'avx512vl', leaf: [7, 0], in: 'rbx', bit: 31, states: 0xe6 },
  { name: 'avx512_vnni', leaf: [7, 0], in: 'rcx', bit: 11, states: 0xe6 },
  { name: 'amx_tile', leaf: [7, 0], in: 'rdx', bit: 24, states: 0x60000 },
  { name: 'amx_int8', leaf: [7, 0], in: 'rdx', bit: 25, states: 0x60000 },
];
/** The processor lets programs read what states the system keeps. */
const osxsave = 27;

/** By the processor's own instruction, where no system tells. */
export function askProcessor(): string[] {
  const code = new Assembler();
  const result = new BigUint64Array(4);
  // cpuid(result, leaf, subleaf)
  const cpuid = code.routine(() => {
    code.mov(r8, rdi);
    code.mov(rax, rsi);
    code.mov(rcx, rdx);
    code.cpuid();
    for (const [index, register] of [rax, rbx, rcx, rdx].entries()) code.store(at(r8, index * 8), register);
  }, [rbx]);
  const xgetbv = code.routine(() => {
    code.mov(r9, rdi);
    code.movConstant(rcx, 0);
    code.xgetbv();
    code.store(at(r9), rax);
  }, [r10]);
  const enter = (routine: Label) => {
    if (!x64Convention.enter) return routine.position!;
    const position = code.length;
    x64Convention.enter(code, routine);
    return position;
  };
  const [cpuidAt, xgetbvAt] = [enter(cpuid), enter(xgetbv)];
  const base = placeCode(code.toBytes());
  const target = pinnedAddress(result);
  const call = functionAtAddress(base + BigInt(cpuidAt), 'void', ['void *', 'uint64_t', 'uint64_t']);
  const leaf = ([main, sub]: [number, number]): Record<Part, number> => {
    call(target, main, sub);
    const [eax, ebx, ecx, edx] = Array.from(result, Number) as [number, number, number, number];
    return { rax: eax, rbx: ebx, rcx: ecx, rdx: edx };
  };
  const has = (value: number, bit: number) => Math.floor(value / 2 ** bit) % 2 === 1;
  const { rax: leaves } = leaf([0, 0]);
  if (leaves < 7 || !has(leaf([1, 0]).rcx, osxsave)) return [];
  functionAtAddress(base + BigInt(xgetbvAt), 'void', ['void *'])(target);
  const states = Number(result[0]! & 0xffffffffn);
  const subleaves = leaf([7, 0]).rax;
  return x64Sets
    .filter((set) => (states & set.states) === set.states)
    .filter(({ leaf: [, sub] }) => sub <= subleaves)
    .filter((set) => has(leaf(set.leaf)[set.in], set.bit))
    .map(({ name }) => name);
}
