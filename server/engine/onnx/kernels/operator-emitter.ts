/**
 * The parts that the code of every operator shares: answers to what onnxruntime asks of it before a run, and calls back into
 * onnxruntime from a kernel. Registers are named by their part in a call (calling-convention.ts).
 */
import { cString, ort, type Pointer, pinnedAddress } from '../library/library.ts';
import { at, type Condition, type Label, newLabel } from './assembler.ts';
import type { CallCode, CallingConvention, CallRegisters } from './calling-convention.ts';

/** Element types of an operator's inputs and outputs, by ONNX's numbers. */
export interface OperatorSignature {
  name: string;
  inputs: readonly number[];
  outputs: readonly number[];
}

/** Answers to what onnxruntime asks of an operator before it runs. */
function emitDescription(
  code: CallCode,
  { fourth, result, second }: CallRegisters,
  { inputs, name, outputs }: OperatorSignature,
) {
  const constant = (value: number | bigint) => code.routine(() => code.movConstant(result, value));
  const typeOf = (types: readonly number[]) =>
    code.routine(() => {
      code.movConstant(result, types[0]!);
      for (const [index, type] of types.entries()) {
        code.movConstant(fourth, type);
        code.cmpConstant(second, index);
        code.cmov('e', result, fourth);
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

/** The functions of an operator that onnxruntime calls, by their names in `OrtCustomOp`. */
export interface EmittedOperator {
  code: Uint8Array;
  /** Offset of each within the code. */
  functions: Record<keyof ReturnType<typeof emitDescription> | 'CreateKernelV2' | 'KernelComputeV2', number>;
}

/** More dimensions than any decoder has. */
export const mostDimensions = 8;

const ortFail = 1;

/** Code that onnxruntime calls, with a stack frame that begins with the task's fields. */
export abstract class OperatorEmitter<Code extends CallCode = CallCode> {
  protected readonly code: Code;
  protected readonly convention: CallingConvention<Code>;
  protected readonly frame: Record<
    'value' | 'info' | 'rank' | 'constant' | 'count' | 'dimensions' | 'size',
    number
  >;
  readonly #refusal: string;
  /** Of the function at hand: the result is the status. */
  protected end = newLabel();
  /** Entries that calls from outside need, still to be written. */
  readonly #entries = new Map<Label, Label>();

  /** @param refusal said where an input is not as the code needs it */
  constructor(code: Code, convention: CallingConvention<Code>, taskSize: number, refusal: string) {
    this.code = code;
    this.convention = convention;
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
      size: convention.frameOf(size),
    };
  }

  emit(signature: OperatorSignature): EmittedOperator {
    const { code, convention } = this;
    const labels = {
      ...emitDescription(code, convention.registers, signature),
      CreateKernelV2: this.create(),
      KernelComputeV2: this.compute(),
    };
    const entries = Object.entries(labels).map(([name, label]) => [name, this.#entryOf(label)] as const);
    this.#enter();
    const functions = Object.fromEntries(entries.map(([name, { position }]) => [name, position]));
    return { code: code.toBytes(), functions: functions as EmittedOperator['functions'] };
  }

  protected abstract create(): Label;
  protected abstract compute(): Label;

  /** Writes the entries that are still to be written. */
  #enter(): void {
    for (const [routine, entry] of this.#entries) {
      this.code.place(entry);
      this.convention.enter!(this.code, routine);
    }
    this.#entries.clear();
  }

  protected function(body: () => void): Label {
    const { code, convention, frame } = this;
    const { stack } = convention.registers;
    this.end = newLabel();
    return code.routine(() => {
      code.subConstant(stack, frame.size);
      body();
      code.place(this.end);
      code.addConstant(stack, frame.size);
    }, convention.saved);
  }

  /** Calls onnxruntime; a failure ends the function with its status. */
  protected call(name: Parameters<ReturnType<typeof ort>['functionAt']>[0], checked = true): void {
    const { code, convention } = this;
    const { result } = convention.registers;
    convention.call(code, ort().functionAt(name));
    if (!checked) return;
    code.test(result, result);
    code.j('ne', this.end);
  }

  /** Goes on where the condition holds after the comparison, else ends with a status of our own. */
  protected demand(condition: Condition, compare: () => void): void {
    const { code } = this;
    const { first, second } = this.convention.registers;
    const fine = newLabel();
    compare();
    code.j(condition, fine);
    code.movConstant(first, ortFail);
    code.movConstant(second, textAt(this.#refusal));
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
    const { context, first, fourth, operator, result, status, third } = this.convention.registers;
    return this.function(() => {
      code.mov(operator, first);
      code.mov(context, third);
      code.mov(status, fourth);
      for (const constant of constants) this.#checkConstant(constant);
      code.store(at(status), operator);
      code.movConstant(result, 0);
    });
  }

  /** `context`: what onnxruntime knows of the kernel. */
  #checkConstant({ count, index }: { index: number; count: number }): void {
    const { code, frame } = this;
    const { context, first, fourth, result, second, stack, third } = this.convention.registers;
    // An int is written there; the upper half must not lie.
    code.movConstant(result, 0);
    code.store(at(stack, frame.constant), result);
    code.mov(first, context);
    code.movConstant(second, index);
    code.lea(third, at(stack, frame.constant));
    code.lea(fourth, at(stack, frame.value));
    this.call('KernelInfoGetConstantInput_tensor');
    code.mov(result, at(stack, frame.constant));
    this.demand('ne', () => code.test(result, result));
    this.readCount();
    this.releaseInfo();
    code.mov(result, at(stack, frame.count));
    code.movConstant(fourth, count);
    this.demand('e', () => code.cmp(result, fourth));
  }

  /** `context`: onnxruntime's. Leaves the tensor in the frame, and its data's address in a field of the task. */
  protected readInput(index: number, field: number): void {
    const { code, frame } = this;
    const { context, first, second, stack, third } = this.convention.registers;
    code.mov(first, context);
    code.movConstant(second, index);
    code.lea(third, at(stack, frame.value));
    this.call('KernelContext_GetInput');
    this.#readData(field);
  }

  /** Its dimensions are those in the frame. */
  protected makeOutput(index: number, field: number): void {
    const { code, frame } = this;
    const { context, fifth, first, fourth, second, stack, third } = this.convention.registers;
    code.mov(first, context);
    code.movConstant(second, index);
    code.lea(third, at(stack, frame.dimensions));
    code.mov(fourth, at(stack, frame.rank));
    code.lea(fifth, at(stack, frame.value));
    this.call('KernelContext_GetOutput');
    this.#readData(field);
  }

  #readData(field: number): void {
    const { code, frame } = this;
    const { first, second, stack } = this.convention.registers;
    code.mov(first, at(stack, frame.value));
    code.lea(second, at(stack, field));
    this.call('GetTensorMutableData');
  }

  /** Of the tensor at hand; what it was asked of is to be released. */
  protected readCount(): void {
    const { code, frame } = this;
    const { first, second, stack } = this.convention.registers;
    code.mov(first, at(stack, frame.value));
    code.lea(second, at(stack, frame.info));
    this.call('GetTensorTypeAndShape');
    code.mov(first, at(stack, frame.info));
    code.lea(second, at(stack, frame.count));
    this.call('GetTensorShapeElementCount');
  }

  /** Count and dimensions of the tensor at hand. */
  protected readShape(): void {
    const { code, frame } = this;
    const { first, result, second, stack, third } = this.convention.registers;
    this.readCount();
    code.mov(first, at(stack, frame.info));
    code.lea(second, at(stack, frame.rank));
    this.call('GetDimensionsCount');
    code.mov(result, at(stack, frame.rank));
    code.subConstant(result, 1);
    this.demand('b', () => code.cmpConstant(result, mostDimensions));
    code.mov(first, at(stack, frame.info));
    code.lea(second, at(stack, frame.dimensions));
    code.mov(third, at(stack, frame.rank));
    this.call('GetDimensions');
    this.releaseInfo();
  }

  /** Leaves in a register where the last dimension lies, which must be `width`. */
  protected lastDimension(into: CallRegisters['rows'], width: number): void {
    const { code, frame } = this;
    const { result, stack } = this.convention.registers;
    code.mov(into, at(stack, frame.rank));
    code.subConstant(into, 1);
    code.imul(into, into, 8);
    code.lea(result, at(stack, frame.dimensions));
    code.add(into, result);
    code.mov(result, at(into));
    this.demand('e', () => code.cmpConstant(result, width));
  }

  protected releaseInfo(): void {
    const { code, frame } = this;
    const { first, stack } = this.convention.registers;
    code.mov(first, at(stack, frame.info));
    this.call('ReleaseTensorTypeAndShapeInfo', false);
  }

  /** Memory of as many bytes as `second` says; its address goes to a field of the task. */
  protected allocate(field: number): void {
    const { code } = this;
    const { first, stack, third } = this.convention.registers;
    code.movConstant(first, ort().allocator);
    code.lea(third, at(stack, field));
    this.call('AllocatorAlloc');
  }

  protected free(field: number): void {
    const { code } = this;
    const { first, second, stack } = this.convention.registers;
    code.movConstant(first, ort().allocator);
    code.mov(second, at(stack, field));
    this.call('AllocatorFree', false);
  }

  /** Calls `work(task, 0 … third − 1)` on onnxruntime's threads; the result is the status. */
  protected parallel(work: Label): void {
    const { code } = this;
    const { context, fifth, first, fourth, second, stack } = this.convention.registers;
    code.mov(first, context);
    code.leaLabel(second, this.#entryOf(work));
    code.movConstant(fourth, 0);
    code.mov(fifth, stack);
    this.call('KernelContext_ParallelFor', false);
  }

  #entryOf(routine: Label): Label {
    if (!this.convention.enter) return routine;
    const entry = this.#entries.get(routine) ?? newLabel();
    this.#entries.set(routine, entry);
    return entry;
  }

  /** The same for 0 … rows − 1; on this thread alone where they are fewer than `shared`. Uses `counter`. */
  protected spread(work: Label, shared: number): void {
    const { code } = this;
    const { counter, first, result, rows, second, stack, third } = this.convention.registers;
    const done = newLabel();
    const alone = newLabel();
    const again = newLabel();
    code.cmpConstant(rows, shared);
    code.j('l', alone);
    code.mov(third, rows);
    this.parallel(work);
    code.jmp(done);
    code.place(alone);
    code.movConstant(counter, 0);
    code.place(again);
    code.mov(first, stack);
    code.mov(second, counter);
    code.call(work);
    code.addConstant(counter, 1);
    code.cmp(counter, rows);
    code.j('l', again);
    code.movConstant(result, 0);
    code.place(done);
  }
}

const texts = new Map<string, Pointer>();

function textAt(text: string): Pointer {
  const address = texts.get(text) ?? pinnedAddress(cString(text));
  texts.set(text, address);
  return address;
}
