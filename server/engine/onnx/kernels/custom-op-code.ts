/**
 * The functions of a product that onnxruntime calls: the making and running of a kernel, for every processor.
 */
import { at, type Label, newLabel } from './assembler.ts';
import type { CallCode, CallingConvention } from './calling-convention.ts';
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

/** A product's work, cut into pieces and rows. */
export interface WorkPlan {
  /** Bytes of a quantized row, and how many rows lie together. */
  row: number;
  rowsTogether: number;
  /** Outputs of a piece of work. */
  pieceOutputs: number;
}

/** A family's code of one product. */
export interface ProductCode<Code extends CallCode> {
  plan: WorkPlan;
  /** Adds `void quantize(task, row)`. */
  emitRow(code: Code): Label;
  /** Adds `void multiply(task, piece)`. */
  emitMatMul(code: Code): Label;
}

/** Rows from which on several threads bring x to bytes. */
const sharedRows = 8;

/** Makes and runs a kernel: the parts that call onnxruntime back. */
export class KernelEmitter<Code extends CallCode> extends OperatorEmitter<Code> {
  readonly #shape: MatMulShape;
  readonly #product: ProductCode<Code>;

  constructor(
    code: Code,
    convention: CallingConvention<Code>,
    shape: MatMulShape,
    product: ProductCode<Code>,
  ) {
    super(
      code,
      convention,
      task.size,
      'an input of a product is not of the shape that its code was made for',
    );
    this.#shape = shape;
    this.#product = product;
  }

  /** Weights must be of the sizes that the code was made for. */
  create(): Label {
    return this.createOf(weightCounts(this.#shape).map((count, index) => ({ index: index + 1, count })));
  }

  /** OrtStatus * compute(kernel, context). */
  compute(): Label {
    const { code } = this;
    const { context, result, rows, second } = this.convention.registers;
    const quantize = this.#product.emitRow(code);
    const multiply = this.#product.emitMatMul(code);
    return this.function(() => {
      code.mov(context, second);
      for (const [index, field] of inputsOf(this.#shape).entries()) {
        this.readInput(index, field);
        if (index === 0) {
          this.readShape();
          this.lastDimension(rows, this.#shape.columns);
        }
      }
      code.movConstant(result, this.#shape.outputs);
      code.store(at(rows), result);
      this.makeOutput(0, task.y);
      this.#run(quantize, multiply);
    });
  }

  #run(quantize: Label, multiply: Label): void {
    const { pieceOutputs, row, rowsTogether } = this.#product.plan;
    const { code, frame } = this;
    const { result, rows, second, stack, status, third } = this.convention.registers;
    code.mov(result, at(stack, frame.count));
    code.divConstant(this.#shape.columns);
    code.mov(rows, result);
    code.store(at(stack, task.rows), rows);
    code.test(result, result);
    code.j('e', this.end);
    code.lea(second, at(rows, rowsTogether - 1));
    code.andConstant(second, -rowsTogether);
    code.imul(second, second, row);
    this.allocate(task.quantized);
    const free = newLabel();
    this.spread(quantize, sharedRows);
    code.mov(status, result);
    code.test(result, result);
    code.j('ne', free);
    code.movConstant(third, Math.ceil(this.#shape.outputs / pieceOutputs));
    this.parallel(multiply);
    code.mov(status, result);
    code.place(free);
    this.free(task.quantized);
    code.mov(result, status);
  }
}
