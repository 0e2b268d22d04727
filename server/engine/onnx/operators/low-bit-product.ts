/**
 * MatMulNBits as an operator of our own: the same inputs (x, codes, scales, zero points) and the same numbers to within the
 * rounding of x, from the code of product-code.ts. Weights are used as they lie in the file, mapped, without packing.
 *
 * onnxruntime takes operators as a table of C functions (`OrtCustomOp` in onnxruntime_c_api.h). Those are made here too, of
 * machine code: it calls them from its own threads, where no JavaScript can run.
 */
import { cString, ort, type Pointer, pinnedAddress } from '../library.ts';
import {
  Assembler,
  at,
  type Label,
  newLabel,
  r8,
  r12,
  r13,
  r14,
  r15,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
} from './assembler.ts';
import { placeCode } from './code-memory.ts';
import { emitProduct } from './product-code.ts';
import { layoutOf, type ProductShape, productTables, task } from './product-layout.ts';
import { emitRow } from './row-code.ts';

/** The operators' domain in a graph, and its version. */
export const operatorDomain = 'lokal';
export const operatorVersion = 1;

export const operatorName = ({ bits, block, columns, outputs, zeroPoints }: ProductShape): string =>
  `Product${bits}Bits_${columns}x${outputs}_${block}${zeroPoints ? '' : '_Symmetric'}`;

/** The fields of a task that inputs give, in the operator's order. */
const inputsOf = ({ zeroPoints }: ProductShape): number[] => [
  task.x,
  task.codes,
  task.scales,
  ...(zeroPoints ? [task.zeros] : []),
];

/** Places in `OrtCustomOp`, counted in pointers; the first holds the version of the table that is filled. */
const table = {
  version: 0,
  GetName: 2,
  GetExecutionProviderType: 3,
  GetInputType: 4,
  GetInputTypeCount: 5,
  GetOutputType: 6,
  GetOutputTypeCount: 7,
  KernelDestroy: 9,
  GetInputCharacteristic: 10,
  GetOutputCharacteristic: 11,
  GetInputMemoryType: 12,
  GetVariadicInputMinArity: 13,
  GetVariadicInputHomogeneity: 14,
  GetVariadicOutputMinArity: 15,
  GetVariadicOutputHomogeneity: 16,
  CreateKernelV2: 17,
  KernelComputeV2: 18,
  size: 19,
};
/** The first version with functions that return a status, and no later ones that would have to be filled. */
const tableVersion = 16n;

const operators = new Map<string, Pointer>();
const domains = new Map<string, Pointer>();

/** A domain with these operators, for session options. Lives as long as the process, as sessions may. */
export function operatorDomainOf(shapes: readonly ProductShape[]): Pointer {
  const byName = new Map(shapes.map((shape) => [operatorName(shape), shape]));
  const key = [...byName.keys()].sort().join();
  const known = domains.get(key);
  if (known !== undefined) return known;
  const { call, create } = ort();
  const domain = create('CreateCustomOpDomain', operatorDomain);
  for (const [name, shape] of byName) {
    const operator = operators.get(name) ?? makeOperator(name, shape);
    operators.set(name, operator);
    call('CustomOpDomain_Add', domain, operator);
  }
  domains.set(key, domain);
  return domain;
}

let tables: Pointer | undefined;

function makeOperator(name: string, shape: ProductShape): Pointer {
  tables ??= pinnedAddress(productTables());
  const code = new Assembler();
  const functions = {
    ...emitDescription(code, pinnedAddress(cString(name)), inputsOf(shape).length),
    KernelComputeV2: new ComputeEmitter(code, shape, tables).emit(),
  };
  const base = placeCode(code.toBytes());
  const operator = new BigUint64Array(table.size);
  operator[table.version] = tableVersion;
  for (const [field, label] of Object.entries(functions))
    operator[table[field as keyof typeof functions]] = base + BigInt(label.position!);
  return pinnedAddress(operator);
}

/** What onnxruntime asks of an operator before it runs. */
function emitDescription(code: Assembler, name: Pointer, inputs: number) {
  const entry = (body: () => void): Label => {
    const label = newLabel();
    code.place(label);
    body();
    code.ret();
    return label;
  };
  const constant = (value: number | bigint) => entry(() => code.movConstant(rax, value));
  const [zero, one] = [constant(0), constant(1)];
  return {
    GetName: constant(name),
    // None named: the CPU.
    GetExecutionProviderType: zero,
    // x float32 (1), codes uint8 (2), scales float32, zero points uint8.
    GetInputType: entry(() => {
      code.mov(rax, rsi);
      code.andConstant(rax, 1);
      code.addConstant(rax, 1);
    }),
    GetInputTypeCount: constant(inputs),
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
    // A kernel has no state; its address is its operator's.
    CreateKernelV2: entry(() => {
      code.store(at(rcx), rdi);
      code.movConstant(rax, 0);
    }),
  };
}

/** More dimensions than any decoder has. */
const mostDimensions = 8;
/** Rows from which on several threads bring x to bytes. */
const sharedRows = 8;

/** The stack while a product runs; its size keeps calls on borders of 16 bytes. */
const frame = {
  task: 0,
  value: 56,
  info: 64,
  rank: 72,
  count: 80,
  dimensions: 88,
  size: 88 + 8 * mostDimensions,
};

const ortFail = 1;

class ComputeEmitter {
  readonly #code: Assembler;
  readonly #shape: ProductShape;
  readonly #tables: Pointer;
  readonly #end = newLabel();

  constructor(code: Assembler, shape: ProductShape, tablesAt: Pointer) {
    this.#code = code;
    this.#shape = shape;
    this.#tables = tablesAt;
  }

  /** OrtStatus * compute(kernel, context). rbx: rows, r12: context, r13: status. */
  emit(): Label {
    const code = this.#code;
    const quantise = emitRow(code, this.#shape, this.#tables);
    const multiply = emitProduct(code, this.#shape, this.#tables);
    const entry = newLabel();
    const saved = [rbx, rbp, r12, r13, r14, r15];
    code.place(entry);
    for (const register of saved) code.push(register);
    code.subConstant(rsp, frame.size);
    code.mov(r12, rsi);
    for (const [index, field] of inputsOf(this.#shape).entries()) this.#readInput(index, field);
    this.#makeOutput();
    this.#product(quantise, multiply);
    code.place(this.#end);
    code.addConstant(rsp, frame.size);
    for (const register of saved.toReversed()) code.pop(register);
    code.ret();
    return entry;
  }

  /** Calls onnxruntime; a failure ends the product with its status. */
  #call(name: Parameters<ReturnType<typeof ort>['functionAt']>[0], checked = true): void {
    const code = this.#code;
    code.movConstant(rax, ort().functionAt(name));
    code.call(rax);
    if (!checked) return;
    code.test(rax, rax);
    code.j('ne', this.#end);
  }

  #readInput(index: number, field: number): void {
    const code = this.#code;
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
    const code = this.#code;
    code.mov(rdi, at(rsp, frame.value));
    code.lea(rsi, at(rsp, frame.info));
    this.#call('GetTensorTypeAndShape');
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.rank));
    this.#call('GetDimensionsCount');
    code.mov(rbx, at(rsp, frame.rank));
    code.subConstant(rbx, 1);
    code.cmpConstant(rbx, mostDimensions);
    const fits = newLabel();
    code.j('b', fits);
    this.#refuse();
    code.place(fits);
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.dimensions));
    code.mov(rdx, at(rsp, frame.rank));
    this.#call('GetDimensions');
    code.mov(rdi, at(rsp, frame.info));
    code.lea(rsi, at(rsp, frame.count));
    this.#call('GetTensorShapeElementCount');
    code.mov(rdi, at(rsp, frame.info));
    this.#call('ReleaseTensorTypeAndShapeInfo', false);
    code.lea(rbx, at(rsp, frame.dimensions - 8));
    code.mov(rax, at(rsp, frame.rank));
    code.imul(rax, rax, 8);
    code.add(rbx, rax);
    code.mov(rax, at(rbx));
    code.cmpConstant(rax, this.#shape.columns);
    const right = newLabel();
    code.j('e', right);
    this.#refuse();
    code.place(right);
  }

  /** Ends with a status of our own. */
  #refuse(): void {
    const code = this.#code;
    code.movConstant(rdi, ortFail);
    code.movConstant(rsi, refusal());
    this.#call('CreateStatus', false);
    code.jmp(this.#end);
  }

  /** rbx: where the last dimension lies. */
  #makeOutput(): void {
    const code = this.#code;
    code.movConstant(rax, this.#shape.outputs);
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

  #product(quantise: Label, multiply: Label): void {
    const { allocator } = ort();
    const { outputs, pieceOutputs, row } = layoutOf(this.#shape);
    const code = this.#code;
    code.mov(rax, at(rsp, frame.count));
    code.movConstant(rdx, 0);
    code.movConstant(rcx, this.#shape.columns);
    code.div(rcx);
    code.mov(rbx, rax);
    code.store(at(rsp, frame.task + task.rows), rbx);
    code.test(rax, rax);
    code.j('e', this.#end);
    code.movConstant(rdi, allocator);
    code.imul(rsi, rbx, row);
    code.lea(rdx, at(rsp, frame.task + task.quantised));
    this.#call('AllocatorAlloc');
    this.#quantiseAll(quantise);
    code.movConstant(rdx, Math.ceil(outputs / pieceOutputs));
    this.#parallel(multiply);
    code.mov(r13, rax);
    code.movConstant(rdi, allocator);
    code.mov(rsi, at(rsp, frame.task + task.quantised));
    this.#call('AllocatorFree', false);
    code.mov(rax, r13);
  }

  #quantiseAll(quantise: Label): void {
    const code = this.#code;
    const done = newLabel();
    const alone = newLabel();
    const again = newLabel();
    code.cmpConstant(rbx, sharedRows);
    code.j('l', alone);
    code.mov(rdx, rbx);
    this.#parallel(quantise);
    code.jmp(done);
    code.place(alone);
    code.movConstant(rbp, 0);
    code.place(again);
    code.mov(rdi, rsp);
    code.mov(rsi, rbp);
    code.call(quantise);
    code.addConstant(rbp, 1);
    code.cmp(rbp, rbx);
    code.j('l', again);
    code.place(done);
  }

  /** Calls `work(task, 0 … rdx − 1)` on onnxruntime's threads; leaves the status in rax. */
  #parallel(work: Label): void {
    const code = this.#code;
    code.mov(rdi, r12);
    code.leaLabel(rsi, work);
    code.movConstant(rcx, 0);
    code.mov(r8, rsp);
    this.#call('KernelContext_ParallelFor', false);
  }
}

let refusalText: Pointer | undefined;

function refusal(): Pointer {
  refusalText ??= pinnedAddress(cString('the input of a product is not of the shape it was made for'));
  return refusalText;
}
