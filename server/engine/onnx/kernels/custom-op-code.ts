/**
 * The functions of an operator that onnxruntime calls: what it asks before a run, and the making and running of a kernel.
 * Places in stack frames and registers follow the System V calling convention.
 */
import { cString, ort, type Pointer, pinnedAddress } from '../library/library.ts';
import {
  type Assembler,
  at,
  type Condition,
  calleeSaved,
  type Label,
  newLabel,
  r8,
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
import { Emitter } from './emitter.ts';
import type { FamilyCode } from './families.ts';
import { type MatMulShape, task, weightCounts } from './matmul-layout.ts';

/** The fields of a task that inputs give, in the operator's order. */
const inputsOf = ({ zeroPoints }: MatMulShape): number[] => [
  task.x,
  task.codes,
  task.scales,
  ...(zeroPoints ? [task.zeros] : []),
];

/** Answers to what onnxruntime asks of an operator before it runs. */
export function emitDescription(code: Assembler, name: Pointer, shape: MatMulShape) {
  const constant = (value: number | bigint) => code.routine(() => code.movConstant(rax, value));
  const [zero, one] = [constant(0), constant(1)];
  return {
    GetName: constant(name),
    // None named: the CPU.
    GetExecutionProviderType: zero,
    // x float32 (1), codes uint8 (2), scales float32, zero points uint8.
    GetInputType: code.routine(() => {
      code.mov(rax, rsi);
      code.andConstant(rax, 1);
      code.addConstant(rax, 1);
    }),
    GetInputTypeCount: constant(inputsOf(shape).length),
    GetOutputType: one,
    GetOutputTypeCount: one,
    GetInputCharacteristic: zero,
    GetOutputCharacteristic: zero,
    GetInputMemoryType: zero,
    GetVariadicInputMinArity: zero,
    GetVariadicInputHomogeneity: zero,
    GetVariadicOutputMinArity: zero,
    GetVariadicOutputHomogeneity: zero,
    KernelDestroy: zero,
  };
}

/** More dimensions than any decoder has. */
const mostDimensions = 8;
/** Rows from which on several threads bring x to bytes. */
const sharedRows = 8;

/** The stack while a product runs; its size keeps calls on borders of 16 bytes. */
const frame = {
  task: 0,
  value: task.size,
  info: 64,
  // Of the two functions each needs one of these.
  rank: 72,
  constant: 72,
  count: 80,
  dimensions: 88,
  size: 88 + 8 * mostDimensions,
};

const ortFail = 1;

/** Makes and runs a kernel: the parts that call onnxruntime back. */
export class KernelEmitter extends Emitter {
  readonly #family: FamilyCode;
  /** Of the function at hand: rax holds the status. */
  #end = newLabel();

  constructor(code: Assembler, shape: MatMulShape, tables: bigint, family: FamilyCode) {
    super(code, shape, tables, family.vector);
    this.#family = family;
  }

  /**
   * OrtStatus * create(operator, api, info, &kernel). A kernel has no state: its address is its operator's. Weights must be
   * constants of the sizes that the code was made for, whatever the graph says of them.
   */
  create(): Label {
    const { code } = this;
    return this.#function(() => {
      code.mov(r14, rdi);
      code.mov(r12, rdx);
      code.mov(r13, rcx);
      for (const [index, count] of weightCounts(this.shape).entries()) this.#checkWeight(index + 1, count);
      code.store(at(r13), r14);
      code.movConstant(rax, 0);
    });
  }

  /** OrtStatus * compute(kernel, context). rbx: rows, r12: context, r13: status. */
  compute(): Label {
    const { code } = this;
    const quantize = this.#family.emitRow(code, this.shape, this.tables);
    const multiply = this.#family.emitMatMul(code, this.shape, this.tables);
    return this.#function(() => {
      code.mov(r12, rsi);
      for (const [index, field] of inputsOf(this.shape).entries()) this.#readInput(index, field);
      this.#makeOutput();
      this.#product(quantize, multiply);
    });
  }

  #function(body: () => void): Label {
    const { code } = this;
    this.#end = newLabel();
    return code.routine(() => {
      code.subConstant(rsp, frame.size);
      body();
      code.place(this.#end);
      code.addConstant(rsp, frame.size);
    }, calleeSaved);
  }

  /** r12: what onnxruntime knows of the kernel. */
  #checkWeight(index: number, count: number): void {
    const { code } = this;
    // An int is written there; the upper half must not lie.
    code.movConstant(rax, 0);
    code.store(at(rsp, frame.constant), rax);
    code.mov(rdi, r12);
    code.movConstant(rsi, index);
    code.lea(rdx, at(rsp, frame.constant));
    code.lea(rcx, at(rsp, frame.value));
    this.#call('KernelInfoGetConstantInput_tensor');
    code.mov(rax, at(rsp, frame.constant));
    this.#demand('ne', () => code.test(rax, rax));
    this.#readCount();
    code.mov(rdi, at(rsp, frame.info));
    this.#call('ReleaseTensorTypeAndShapeInfo', false);
    code.mov(rax, at(rsp, frame.count));
    code.movConstant(rcx, count);
    this.#demand('e', () => code.cmp(rax, rcx));
  }

  /** Of the tensor at hand; what it was asked of is to be released. */
  #readCount(): void {
    const { code } = this;
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, frame.info));
    this.#call('GetTensorTypeAndShape');
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.count));
    this.#call('GetTensorShapeElementCount');
  }

  /** Goes on where the condition holds after the comparison, else ends with a status of our own. */
  #demand(condition: Condition, compare: () => void): void {
    const { code } = this;
    const fine = newLabel();
    compare();
    code.j(condition, fine);
    code.movConstant(rdi, ortFail);
    code.movConstant(rsi, refusal());
    this.#call('CreateStatus', false);
    code.jmp(this.#end);
    code.place(fine);
  }

  /** Calls onnxruntime; a failure ends the product with its status. */
  #call(name: Parameters<ReturnType<typeof ort>['functionAt']>[0], checked = true): void {
    const { code } = this;
    code.movConstant(rax, ort().functionAt(name));
    code.call(rax);
    if (!checked) return;
    code.test(rax, rax);
    code.j('ne', this.#end);
  }

  #readInput(index: number, field: number): void {
    const { code } = this;
    code.mov(rdi, r12);
    code.movConstant(rsi, index);
    code.lea(rdx, at(rsp, frame.value));
    this.#call('KernelContext_GetInput');
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, frame.task + field));
    this.#call('GetTensorMutableData');
    if (index === 0) this.#readShape();
  }

  #readShape(): void {
    const { code } = this;
    this.#readCount();
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.rank));
    this.#call('GetDimensionsCount');
    code.mov(rbx, at(rsp, frame.rank));
    code.subConstant(rbx, 1);
    this.#demand('b', () => code.cmpConstant(rbx, mostDimensions));
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.dimensions));
    code.mov(rdx, at(rsp, frame.rank));
    this.#call('GetDimensions');
    code.mov(rdi, at(rsp, frame.info));
    this.#call('ReleaseTensorTypeAndShapeInfo', false);
    code.imul(rbx, rbx, 8);
    code.lea(rax, at(rsp, frame.dimensions));
    code.add(rbx, rax);
    code.mov(rax, at(rbx));
    this.#demand('e', () => code.cmpConstant(rax, this.shape.columns));
  }

  /** rbx: where the last dimension lies. */
  #makeOutput(): void {
    const { code } = this;
    code.movConstant(rax, this.shape.outputs);
    code.store(at(rbx), rax);
    code.mov(rdi, r12);
    code.movConstant(rsi, 0);
    code.lea(rdx, at(rsp, frame.dimensions));
    code.mov(rcx, at(rsp, frame.rank));
    code.lea(r8, at(rsp, frame.value));
    this.#call('KernelContext_GetOutput');
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, frame.task + task.y));
    this.#call('GetTensorMutableData');
  }

  #product(quantize: Label, multiply: Label): void {
    const { allocator } = ort();
    const { pieceOutputs, row, rowsTogether } = this.#family.plan(this.shape);
    const { code } = this;
    code.mov(rax, at(rsp, frame.count));
    code.movConstant(rdx, 0);
    code.movConstant(rcx, this.shape.columns);
    code.div(rcx);
    code.mov(rbx, rax);
    code.store(at(rsp, frame.task + task.rows), rbx);
    code.test(rax, rax);
    code.j('e', this.#end);
    code.movConstant(rdi, allocator);
    code.lea(rsi, at(rbx, rowsTogether - 1));
    code.andConstant(rsi, -rowsTogether);
    code.imul(rsi, rsi, row);
    code.lea(rdx, at(rsp, frame.task + task.quantized));
    this.#call('AllocatorAlloc');
    const free = newLabel();
    this.#quantizeAll(quantize);
    code.mov(r13, rax);
    code.test(rax, rax);
    code.j('ne', free);
    code.movConstant(rdx, Math.ceil(this.shape.outputs / pieceOutputs));
    this.#parallel(multiply);
    code.mov(r13, rax);
    code.place(free);
    code.movConstant(rdi, allocator);
    code.mov(rsi, at(rsp, frame.task + task.quantized));
    this.#call('AllocatorFree', false);
    code.mov(rax, r13);
  }

  /** Leaves the status in rax. */
  #quantizeAll(quantize: Label): void {
    const { code } = this;
    const done = newLabel();
    const alone = newLabel();
    const again = newLabel();
    code.cmpConstant(rbx, sharedRows);
    code.j('l', alone);
    code.mov(rdx, rbx);
    this.#parallel(quantize);
    code.jmp(done);
    code.place(alone);
    code.movConstant(rbp, 0);
    code.place(again);
    code.mov(rdi, rsp);
    code.mov(rsi, rbp);
    code.call(quantize);
    code.addConstant(rbp, 1);
    code.cmp(rbp, rbx);
    code.j('l', again);
    code.movConstant(rax, 0);
    code.place(done);
  }

  /** Calls `work(task, 0 … rdx − 1)` on onnxruntime's threads; leaves the status in rax. */
  #parallel(work: Label): void {
    const { code } = this;
    code.mov(rdi, r12);
    code.leaLabel(rsi, work);
    code.movConstant(rcx, 0);
    code.mov(r8, rsp);
    this.#call('KernelContext_ParallelFor', false);
  }
}

let refusalText: Pointer | undefined;

function refusal(): Pointer {
  refusalText ??= pinnedAddress(
    cString('an input of a product is not of the shape that its code was made for'),
  );
  return refusalText;
}
