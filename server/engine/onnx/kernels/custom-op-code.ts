/**
 * The functions of a product that onnxruntime calls: the making and running of a kernel. Places in stack frames and
 * registers follow the System V calling convention.
 */
import {
  type Assembler,
  at,
  type Label,
  newLabel,
  r12,
  r13,
  rax,
  rbx,
  rcx,
  rdx,
  rsi,
  rsp,
} from './assembler.ts';
import type { FamilyCode } from './families.ts';
import { type MatMulShape, task, weightCounts } from './matmul-layout.ts';
import { OperatorEmitter } from './operator-emitter.ts';

/** The fields of a task that inputs give, in the operator's order. */
const inputsOf = ({ zeroPoints }: MatMulShape): number[] => [
  task.x,
  task.codes,
  task.scales,
  ...(zeroPoints ? [task.zeros] : []),
];

/** x float32 (1), codes uint8 (2), scales float32, zero points uint8. */
export const inputTypes = ({ zeroPoints }: MatMulShape): number[] => [1, 2, 1, ...(zeroPoints ? [2] : [])];

/** Rows from which on several threads bring x to bytes. */
const sharedRows = 8;

/** Makes and runs a kernel: the parts that call onnxruntime back. */
export class KernelEmitter extends OperatorEmitter {
  readonly #shape: MatMulShape;
  /** Address of the family's tables. */
  readonly #tables: bigint;
  readonly #family: FamilyCode;

  constructor(code: Assembler, shape: MatMulShape, tables: bigint, family: FamilyCode) {
    super(code, task.size, 'an input of a product is not of the shape that its code was made for');
    this.#shape = shape;
    this.#tables = tables;
    this.#family = family;
  }

  /** Weights must be of the sizes that the code was made for. */
  create(): Label {
    return this.createOf(weightCounts(this.#shape).map((count, index) => ({ index: index + 1, count })));
  }

  /** OrtStatus * compute(kernel, context). rbx: rows, r12: context, r13: status. */
  compute(): Label {
    const { code } = this;
    const quantize = this.#family.emitRow(code, this.#shape, this.#tables);
    const multiply = this.#family.emitMatMul(code, this.#shape, this.#tables);
    return this.function(() => {
      code.mov(r12, rsi);
      for (const [index, field] of inputsOf(this.#shape).entries()) {
        this.readInput(index, field);
        if (index === 0) this.#readColumns();
      }
      code.movConstant(rax, this.#shape.outputs);
      code.store(at(rbx), rax);
      this.makeOutput(0, task.y);
      this.#product(quantize, multiply);
    });
  }

  /** Leaves in rbx where the last dimension lies. */
  #readColumns(): void {
    const { code, frame } = this;
    this.readShape();
    code.mov(rbx, at(rsp, frame.rank));
    code.subConstant(rbx, 1);
    code.imul(rbx, rbx, 8);
    code.lea(rax, at(rsp, frame.dimensions));
    code.add(rbx, rax);
    code.mov(rax, at(rbx));
    this.demand('e', () => code.cmpConstant(rax, this.#shape.columns));
  }

  #product(quantize: Label, multiply: Label): void {
    const { pieceOutputs, row, rowsTogether } = this.#family.plan(this.#shape);
    const { code, frame } = this;
    code.mov(rax, at(rsp, frame.count));
    code.movConstant(rdx, 0);
    code.movConstant(rcx, this.#shape.columns);
    code.div(rcx);
    code.mov(rbx, rax);
    code.store(at(rsp, task.rows), rbx);
    code.test(rax, rax);
    code.j('e', this.end);
    code.lea(rsi, at(rbx, rowsTogether - 1));
    code.andConstant(rsi, -rowsTogether);
    code.imul(rsi, rsi, row);
    this.allocate(task.quantized);
    const free = newLabel();
    this.spread(quantize, sharedRows);
    code.mov(r13, rax);
    code.test(rax, rax);
    code.j('ne', free);
    code.movConstant(rdx, Math.ceil(this.#shape.outputs / pieceOutputs));
    this.parallel(multiply);
    code.mov(r13, rax);
    code.place(free);
    this.free(task.quantized);
    code.mov(rax, r13);
  }
}
