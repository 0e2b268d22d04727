/**
 * The parts that the code of every operator shares: answers to what onnxruntime asks of it before a run, and calls back into
 * onnxruntime from a kernel. Places in stack frames and registers follow the System V calling convention.
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

/** Element types of an operator's inputs and outputs, by ONNX's numbers. */
export interface OperatorSignature {
  name: string;
  inputs: readonly number[];
  outputs: readonly number[];
}

/** Answers to what onnxruntime asks of an operator before it runs. */
export function emitDescription(code: Assembler, { inputs, name, outputs }: OperatorSignature) {
  const constant = (value: number | bigint) => code.routine(() => code.movConstant(rax, value));
  const typeOf = (types: readonly number[]) =>
    code.routine(() => {
      code.movConstant(rax, types[0]!);
      for (const [index, type] of types.entries()) {
        code.movConstant(rcx, type);
        code.cmpConstant(rsi, index);
        code.cmov('e', rax, rcx);
      }
    });
  const zero = constant(0);
  return {
    GetName: constant(pinnedAddress(cString(name))),
    // None named: the CPU.
    GetExecutionProviderType: zero,
    GetInputType: typeOf(inputs),
    GetInputTypeCount: constant(inputs.length),
    GetOutputType: typeOf(outputs),
    GetOutputTypeCount: constant(outputs.length),
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
export const mostDimensions = 8;

const ortFail = 1;

/** Code that onnxruntime calls, with a stack frame that begins with the task's fields. */
export abstract class OperatorEmitter<Code extends Assembler = Assembler> {
  protected readonly code: Code;
  protected readonly frame: Record<
    'value' | 'info' | 'rank' | 'constant' | 'count' | 'dimensions' | 'size',
    number
  >;
  readonly #refusal: string;
  /** Of the function at hand: rax holds the status. */
  protected end = newLabel();

  /** @param refusal said where an input is not as the code needs it */
  constructor(code: Code, taskSize: number, refusal: string) {
    this.code = code;
    this.#refusal = refusal;
    const size = taskSize + 32 + 8 * mostDimensions;
    this.frame = {
      value: taskSize,
      info: taskSize + 8,
      // Of the two functions each needs one of these.
      rank: taskSize + 16,
      constant: taskSize + 16,
      count: taskSize + 24,
      dimensions: taskSize + 32,
      // Keeps calls on borders of 16 bytes.
      size: size % 16 === 8 ? size : size + 8,
    };
  }

  protected function(body: () => void): Label {
    const { code, frame } = this;
    this.end = newLabel();
    return code.routine(() => {
      code.subConstant(rsp, frame.size);
      body();
      code.place(this.end);
      code.addConstant(rsp, frame.size);
    }, calleeSaved);
  }

  /** Calls onnxruntime; a failure ends the function with its status. */
  protected call(name: Parameters<ReturnType<typeof ort>['functionAt']>[0], checked = true): void {
    const { code } = this;
    code.movConstant(rax, ort().functionAt(name));
    code.call(rax);
    if (!checked) return;
    code.test(rax, rax);
    code.j('ne', this.end);
  }

  /** Goes on where the condition holds after the comparison, else ends with a status of our own. */
  protected demand(condition: Condition, compare: () => void): void {
    const { code } = this;
    const fine = newLabel();
    compare();
    code.j(condition, fine);
    code.movConstant(rdi, ortFail);
    code.movConstant(rsi, textAt(this.#refusal));
    this.call('CreateStatus', false);
    code.jmp(this.end);
    code.place(fine);
  }

  /**
   * OrtStatus * create(operator, api, info, &kernel). A kernel has no state: its address is its operator's. These inputs must
   * be constants of the sizes that the code was made for, whatever the graph says of them.
   */
  protected createOf(constants: readonly { index: number; count: number }[]): Label {
    const { code } = this;
    return this.function(() => {
      code.mov(r14, rdi);
      code.mov(r12, rdx);
      code.mov(r13, rcx);
      for (const constant of constants) this.#checkConstant(constant);
      code.store(at(r13), r14);
      code.movConstant(rax, 0);
    });
  }

  /** r12: what onnxruntime knows of the kernel. */
  #checkConstant({ count, index }: { index: number; count: number }): void {
    const { code, frame } = this;
    // An int is written there; the upper half must not lie.
    code.movConstant(rax, 0);
    code.store(at(rsp, frame.constant), rax);
    code.mov(rdi, r12);
    code.movConstant(rsi, index);
    code.lea(rdx, at(rsp, frame.constant));
    code.lea(rcx, at(rsp, frame.value));
    this.call('KernelInfoGetConstantInput_tensor');
    code.mov(rax, at(rsp, frame.constant));
    this.demand('ne', () => code.test(rax, rax));
    this.readCount();
    this.releaseInfo();
    code.mov(rax, at(rsp, frame.count));
    code.movConstant(rcx, count);
    this.demand('e', () => code.cmp(rax, rcx));
  }

  /** r12: onnxruntime's context. Leaves the tensor in the frame, and its data's address in a field of the task. */
  protected readInput(index: number, field: number): void {
    const { code, frame } = this;
    code.mov(rdi, r12);
    code.movConstant(rsi, index);
    code.lea(rdx, at(rsp, frame.value));
    this.call('KernelContext_GetInput');
    this.#readData(field);
  }

  /** Its dimensions are those in the frame. */
  protected makeOutput(index: number, field: number): void {
    const { code, frame } = this;
    code.mov(rdi, r12);
    code.movConstant(rsi, index);
    code.lea(rdx, at(rsp, frame.dimensions));
    code.mov(rcx, at(rsp, frame.rank));
    code.lea(r8, at(rsp, frame.value));
    this.call('KernelContext_GetOutput');
    this.#readData(field);
  }

  #readData(field: number): void {
    const { code, frame } = this;
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, field));
    this.call('GetTensorMutableData');
  }

  /** Of the tensor at hand; what it was asked of is to be released. */
  protected readCount(): void {
    const { code, frame } = this;
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, frame.info));
    this.call('GetTensorTypeAndShape');
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.count));
    this.call('GetTensorShapeElementCount');
  }

  /** Count and dimensions of the tensor at hand. */
  protected readShape(): void {
    const { code, frame } = this;
    this.readCount();
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.rank));
    this.call('GetDimensionsCount');
    code.mov(rax, at(rsp, frame.rank));
    code.subConstant(rax, 1);
    this.demand('b', () => code.cmpConstant(rax, mostDimensions));
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.dimensions));
    code.mov(rdx, at(rsp, frame.rank));
    this.call('GetDimensions');
    this.releaseInfo();
  }

  protected releaseInfo(): void {
    const { code, frame } = this;
    code.mov(rdi, at(rsp, frame.info));
    this.call('ReleaseTensorTypeAndShapeInfo', false);
  }

  /** Memory of rsi bytes; its address goes to a field of the task. */
  protected allocate(field: number): void {
    const { code } = this;
    code.movConstant(rdi, ort().allocator);
    code.lea(rdx, at(rsp, field));
    this.call('AllocatorAlloc');
  }

  protected free(field: number): void {
    const { code } = this;
    code.movConstant(rdi, ort().allocator);
    code.mov(rsi, at(rsp, field));
    this.call('AllocatorFree', false);
  }

  /** Calls `work(task, 0 … rdx − 1)` on onnxruntime's threads; leaves the status in rax. */
  protected parallel(work: Label): void {
    const { code } = this;
    code.mov(rdi, r12);
    code.leaLabel(rsi, work);
    code.movConstant(rcx, 0);
    code.mov(r8, rsp);
    this.call('KernelContext_ParallelFor', false);
  }

  /** The same for 0 … rbx − 1; on this thread alone where they are fewer than `shared`. Uses rbp. */
  protected spread(work: Label, shared: number): void {
    const { code } = this;
    const done = newLabel();
    const alone = newLabel();
    const again = newLabel();
    code.cmpConstant(rbx, shared);
    code.j('l', alone);
    code.mov(rdx, rbx);
    this.parallel(work);
    code.jmp(done);
    code.place(alone);
    code.movConstant(rbp, 0);
    code.place(again);
    code.mov(rdi, rsp);
    code.mov(rsi, rbp);
    code.call(work);
    code.addConstant(rbp, 1);
    code.cmp(rbp, rbx);
    code.j('l', again);
    code.movConstant(rax, 0);
    code.place(done);
  }
}

const texts = new Map<string, Pointer>();

function textAt(text: string): Pointer {
  const address = texts.get(text) ?? pinnedAddress(cString(text));
  texts.set(text, address);
  return address;
}
