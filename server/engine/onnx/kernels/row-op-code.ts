/** The functions of a row operator that onnxruntime calls: sizes are checked, then each row worked on. */
import { at, type Label } from './assembler.ts';
import { type EmittedOperator, OperatorEmitter, type OperatorSignature } from './operator-emitter.ts';
import { emitRowWork, type RowInstructions } from './row-code.ts';
import { type RowShape, rowFields, rowTask as task } from './row-layout.ts';
import { x64Convention } from './x64-conventions.ts';

/** Numbers from which on several threads work on them: fewer are done sooner than told of. */
const sharedNumbers = 32_768;

export const emitRowOperator = (
  instructions: RowInstructions,
  shape: RowShape,
  signature: OperatorSignature,
): EmittedOperator => new RowOperatorEmitter(instructions, shape).emit(signature);

class RowOperatorEmitter extends OperatorEmitter {
  readonly #instructions: RowInstructions;
  readonly #shape: RowShape;

  constructor(instructions: RowInstructions, shape: RowShape) {
    super(
      instructions.code,
      x64Convention,
      task.size,
      'an input of a row operator is not of the shape that its code was made for',
    );
    this.#instructions = instructions;
    this.#shape = shape;
  }

  /** Weights are of the size that the code was made for. */
  create(): Label {
    const { columns, kind } = this.#shape;
    return this.createOf(kind === 'normed' ? [{ index: 2, count: columns }] : []);
  }

  /** OrtStatus * compute(kernel, context). */
  compute(): Label {
    const { columns, kind } = this.#shape;
    const { code, frame } = this;
    const { context, fourth, result, rows, second, stack } = this.convention.registers;
    const { inputs, outputs } = rowFields(this.#shape);
    const work = emitRowWork(this.#instructions, this.#shape);
    return this.function(() => {
      code.mov(context, second);
      // The first one last: its dimensions are those of the outputs.
      for (const [index, field] of [...inputs.entries()].reverse()) {
        this.readInput(index, field);
        if (field === task.addend) {
          this.readShape();
          code.mov(result, at(stack, frame.count));
          code.store(at(stack, task.count), result);
        } else if (field === task.x) this.readShape();
      }
      if (kind === 'normed') {
        code.mov(result, at(stack, frame.count));
        code.mov(fourth, at(stack, task.count));
        this.demand('e', () => code.cmp(result, fourth));
      }
      this.lastDimension(fourth, kind === 'gated' ? 2 * columns : columns);
      code.movConstant(result, columns);
      code.store(at(fourth), result);
      for (const [index, field] of outputs.entries()) this.makeOutput(index, field);
      code.mov(result, at(stack, frame.count));
      code.divConstant(kind === 'gated' ? 2 * columns : columns);
      code.mov(rows, result);
      code.test(result, result);
      code.j('e', this.end);
      this.spread(work, Math.ceil(sharedNumbers / columns));
    });
  }
}
